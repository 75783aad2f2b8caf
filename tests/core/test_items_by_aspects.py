"""Items grouped by aspects: equal values on all of them, exactly."""

from __future__ import annotations

import numpy as np
from tests.worlds import random_space

from counterec.core.evaluation.necessity import AspectGroups


def test_groups_are_those_of_equal_values():
    random = np.random.default_rng(0)
    space = random_space(random, users=2, items=60, aspects=6)
    groups = AspectGroups(space)
    for size in range(6):
        aspects = tuple(random.choice(6, size, replace=False).tolist())
        first, group = groups.equal_on(aspects)
        values = space.item_quality[:, list(aspects)]
        same = (values[:, None] == values).all(axis=2)
        np.testing.assert_array_equal(group[:, None] == group, same)
        np.testing.assert_array_equal(group[first], np.arange(len(first)))
        np.testing.assert_array_equal(groups.having_any(aspects), (values != 0).any(axis=1))
