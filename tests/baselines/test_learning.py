"""Each baseline learns the truth of the synthetic world: its lists and its explanations are far from chance."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.baselines import chance_ndcg, ndcg, reasons_found

from counterec.baselines.a2cf import A2CF
from counterec.baselines.efm import EFM
from counterec.baselines.mter import MTER, MTERSettings
from counterec.core.scorers.base import PairBatch
from tests.contracts.scorer import ScorerContract

pytestmark = pytest.mark.slow

MAKERS = {"efm": EFM, "mter": lambda: MTER(MTERSettings(regularization=(0.1,))), "a2cf": A2CF}
"""With default settings, except that MTER, which is slow, tries only one regularization."""


@pytest.fixture(scope="module", params=MAKERS)
def fitted(request, data):
    return MAKERS[request.param]().fitted(data, seed=0)


def test_lists_are_three_times_as_good_as_chance(fitted, world):
    assert ndcg(fitted.scorer, fitted.space, world) > 3 * chance_ndcg(world)


def test_the_first_aspect_is_a_true_reason_more_often_than_a_random_mentioned_one(fitted, world, data):
    found, drawn = reasons_found(fitted, data.space, world)
    assert found > 1.4 * drawn


def test_only_aspects_the_user_has_mentioned_can_be_named(fitted, data):
    users, items = np.arange(len(data.space.users)), np.zeros(len(data.space.users), dtype=int)
    eligible = data.space.user_attention != 0
    if fitted.name == "efm":
        eligible &= fitted.scored(users)
    np.testing.assert_array_equal(np.isfinite(fitted.weights(users, items)), eligible)


def test_efm_names_only_aspects_that_move_its_score(fitted, data):
    if fitted.name != "efm":
        return
    users, items = np.arange(20), np.arange(20)
    pairs = PairBatch.of(fitted.space, users, items)
    scores = fitted.scorer.score(pairs)
    for aspect in range(len(data.space.aspects)):
        quality = pairs.item_quality.copy()
        quality[:, aspect] += 1
        moved = fitted.scorer.score(pairs.with_quality(quality)) != scores
        np.testing.assert_array_equal(moved, fitted.scored(users)[:, aspect] & (pairs.user_attention[:, aspect] > 0))


def test_what_it_learned_makes_the_same_of_it_again(fitted, data):
    again = MAKERS[fitted.name]().restored(data.space, fitted.arrays)
    users, items = np.arange(10), np.arange(10)
    np.testing.assert_array_equal(again.weights(users, items), fitted.weights(users, items))
    scores = [one.scorer.score(PairBatch.of(one.space, users, items)) for one in (again, fitted)]
    np.testing.assert_array_equal(*scores)


def test_the_space_is_over_the_same_vocabularies(fitted, data):
    for name in ("users", "items", "aspects"):
        assert getattr(fitted.space, name) == getattr(data.space, name)


def test_only_mter_does_not_depend_on_aspects(fitted):
    assert fitted.model_side == (fitted.name != "mter")


class TestScorers(ScorerContract):
    @pytest.fixture
    def scorer(self, fitted):
        return fitted.scorer

    @pytest.fixture
    def space(self, fitted):
        return fitted.space
