"""Probes: a few changes get the gaps that they have among many."""

from __future__ import annotations

import numpy as np
import pytest
from tests.worlds import plain_world, random_net

from counterec.core.explainers.few_changes import FEW
from counterec.core.explainers.probe import LayeredProbe
from counterec.core.explainers.question_builders import why
from counterec.core.scorers.net import NetEnsemble
from counterec.core.scorers.ranking import rank


@pytest.mark.parametrize("nets", [1, 3])
@pytest.mark.parametrize("hidden", [(6, 4), (256, 64)], ids=["by NumPy alone", "a large product"])
def test_a_few_changes_have_the_gaps_that_they_have_among_many(nets: int, hidden: tuple[int, int]) -> None:
    space, candidates = plain_world(0).space, plain_world(0).candidates
    random = np.random.default_rng(0)
    scorer = NetEnsemble([random_net(random, len(space.aspects), hidden) for _ in range(nets)])
    question = why(space, rank(scorer, space, candidates, 3))
    probe = LayeredProbe(scorer, question)
    count = FEW + 1
    rows, aspects = random.integers(0, len(question), count), random.integers(0, len(space.aspects), (count, 3))
    change = random.uniform(-2, 2, (count, 3)).astype(np.float32)
    change[::2, 2] = 0
    together = probe.gaps(rows, aspects, change)
    for part in (slice(0, 1), slice(1, 4), slice(4, count)):
        few = probe.gaps(rows[part], aspects[part], change[part])
        assert few.dtype == np.float32
        assert few == pytest.approx(together[part], abs=1e-4 * float(np.abs(together).max()))
