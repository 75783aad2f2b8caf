"""Short reasons against every set of at most three aspects, tried one by one."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from tests.worlds import counted_world

from counterec.core.evaluation.short_reasons import FEW, count_aspects, measure_short_reasons, share_by_size
from counterec.core.scorers.base import PairBatch
from counterec.core.scorers.ranking import rank


@pytest.mark.parametrize("seed", range(4))
def test_the_fewest_aspects_are_those_of_the_smallest_set_that_flips(seed: int) -> None:
    world = counted_world(seed)
    space, scorer = world.space, world.scorer
    lists = rank(scorer, space, world.candidates, 3)
    found = count_aspects(scorer, space, lists)
    rows, _, items = lists.pairs()
    users, targets = lists.users[rows], lists.target[rows]
    asked = np.flatnonzero(~np.isnan(targets))
    assert len(found) == len(asked)
    lowest = space.lowest_possible(items)
    for place, row in enumerate(asked.tolist()):
        quality = space.item_quality[items[row]]
        worst = np.where(quality == space.scale.absent, quality, np.minimum(quality, lowest[row]))
        smallest = 0
        for size in range(FEW, 0, -1):
            for chosen in combinations(range(len(space.aspects)), size):
                changed = quality.copy()
                changed[list(chosen)] = worst[list(chosen)]
                pair = PairBatch(
                    users[[row]], items[[row]], space.user_attention[users[[row]]], changed[None].astype(np.float32)
                )
                if scorer.score(pair)[0] < targets[row] - 1e-3:
                    smallest = size
        assert found[place] == smallest


def test_shares_count_what_needs_no_more() -> None:
    sizes = np.array([1, 2, 0, 3, 1])
    assert share_by_size(sizes) == (0.4, 0.6, 0.8)
    measured = measure_short_reasons(sizes, np.arange(5))
    assert {most: share.value for most, share in measured.items()} == pytest.approx({"1": 0.4, "2": 0.6, "3": 0.8})
    assert share_by_size(np.zeros(0, dtype=np.int64)) == (0, 0, 0)
