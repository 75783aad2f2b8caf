"""Scores that are shared: what is left of an item decides which, and each is computed once."""

from __future__ import annotations

import numpy as np
import pytest
from tests.worlds import SCORED, random_world

from counterec.core.explainers.complete import shared_scores
from counterec.core.explainers.complete.shared_scores import AspectMarks, SharedScores
from counterec.core.scorers.base import PairBatch, aspect_part_of
from counterec.core.scorers.catalogue import catalogue_of

WORLD = random_world(7, users=5, items=40, aspects=6)
SPACE, RANDOM = WORLD.space, np.random.default_rng(3)
ROWS = 400
USERS = np.array([4, 1, 2])
WHICH, ITEMS = RANDOM.integers(0, 3, ROWS), RANDOM.integers(0, 40, ROWS)
NAMED = RANDOM.random((50, 6)) < 0.4
SETS = RANDOM.integers(0, 50, ROWS)
LEFT = {
    "without": np.where(NAMED[SETS], 0, SPACE.item_quality[ITEMS]),
    "with_only": np.where(NAMED[SETS], SPACE.item_quality[ITEMS], 0),
}


class Counted:
    """Views that count the rows they score."""

    def __init__(self, views) -> None:
        self._views, self.rows = views, 0

    def scores_without(self, which, items, named):
        self.rows += len(items)
        return self._views.scores_without(which, items, named)

    def scores_with_only(self, which, items, named):
        self.rows += len(items)
        return self._views.scores_with_only(which, items, named)


@pytest.mark.parametrize("way", LEFT)
def test_equal_marks_mean_equal_vectors(way):
    marks = getattr(AspectMarks(SPACE), way)(ITEMS, SETS, NAMED)
    _, by_vector = np.unique(LEFT[way], axis=0, return_inverse=True)
    _, by_mark = np.unique(marks, return_inverse=True)
    np.testing.assert_array_equal(by_vector[:, None] == by_vector, by_mark[:, None] == by_mark)


@pytest.mark.parametrize("places", [2**18, 16])
@pytest.mark.parametrize("name", ["net", "black box", "embedded", "hybrid, offsets small"])
def test_scores_are_those_of_whole_vectors_and_few_are_computed(name, places, monkeypatch):
    """Also where so few are remembered that most take the place of another."""
    monkeypatch.setattr(shared_scores, "PLACES", places)
    scorer = aspect_part_of(SCORED[name](WORLD, 0).scorer)
    views = Counted(catalogue_of(scorer, SPACE).for_users(USERS))
    shared = SharedScores(views, AspectMarks(SPACE), USERS, scorer.aspects_only)
    for way, left in LEFT.items():
        users = USERS[WHICH]
        expected = scorer.score(PairBatch(users, ITEMS, SPACE.user_attention[users], left))
        for _ in range(2):
            np.testing.assert_allclose(getattr(shared, way)(WHICH, ITEMS, SETS, NAMED), expected, atol=1e-4)
    if places > ROWS:
        item = np.zeros(ROWS) if scorer.aspects_only else ITEMS
        different = {
            (user, some, *vector)
            for left in LEFT.values()
            for user, some, vector in zip(WHICH.tolist(), item.tolist(), left.tolist(), strict=True)
        }
        assert views.rows <= 1.02 * len(different)  # two that share a place at first are both computed
        assert views.rows >= len(different)
