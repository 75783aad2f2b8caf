"""Each baseline learns what the built-in world planted: its lists and its explanations are far from chance."""

from __future__ import annotations

import numpy as np
import pytest

from counterec.baselines.a2cf import A2CF
from counterec.baselines.efm import EFM
from counterec.baselines.mter import MTER, MTERSettings
from counterec.core.evaluation.ranking import ranking_quality
from counterec.core.interactions import catalogue_candidates
from counterec.core.scorers.ranking import rank
from tests.contracts.scorer import ScorerContract

MAKERS = {"efm": EFM, "mter": lambda: MTER(MTERSettings(regularization=(0.1,), iterations=1500)), "a2cf": A2CF}
"""As they come, but MTER, which is slow, for half as long and without a choice."""


@pytest.fixture(scope="module", params=MAKERS)
def fitted(request, data):
    return MAKERS[request.param]().fitted(data, seed=0)


class ByChance:
    """Any order of the items is as good as another."""

    aspects_only = False

    def __init__(self, space, seed):
        self._scores = np.random.default_rng(seed).random((len(space.users), len(space.items)), dtype=np.float32)

    def score(self, pairs):
        return self._scores[pairs.users, pairs.items]


def ndcg(scorer, space, world, data) -> float:
    candidates = catalogue_candidates(data.train.joined(data.validation))
    return ranking_quality(rank(scorer, space, candidates, 5), world.taken("test")).ndcg.value


def test_lists_are_three_times_as_good_as_chance(fitted, world, data):
    chance = np.mean([ndcg(ByChance(data.space, seed), data.space, world, data) for seed in range(3)])
    assert ndcg(fitted.scorer, fitted.space, world, data) > 3 * chance


def test_the_first_aspect_is_a_planted_reason_more_often_than_one_drawn_among_the_mentioned(fitted, world, data):
    chosen = world.taken("test")
    reasons = (world.taste[chosen.users] > 0) & (world.quality[chosen.items] > 0)
    mentioned = data.space.user_attention[chosen.users] != 0
    asked = reasons.any(axis=1) & mentioned.any(axis=1)
    first = fitted.weights(chosen.users, chosen.items).argmax(axis=1)
    found = reasons[np.arange(len(first)), first][asked].mean()
    chance = ((reasons & mentioned).sum(axis=1)[asked] / mentioned.sum(axis=1)[asked]).mean()
    assert found > 1.2 * chance


def test_only_aspects_the_user_has_mentioned_can_be_named(fitted, data):
    users, items = np.arange(len(data.space.users)), np.zeros(len(data.space.users), dtype=int)
    weights = fitted.weights(users, items)
    np.testing.assert_array_equal(np.isfinite(weights), data.space.user_attention != 0)


def test_the_space_is_over_the_same_vocabularies(fitted, data):
    for name in ("users", "items", "aspects"):
        assert getattr(fitted.space, name) == getattr(data.space, name)


def test_only_mter_does_not_rest_on_aspects(fitted):
    assert fitted.model_side == (fitted.name != "mter")


class TestScorers(ScorerContract):
    @pytest.fixture
    def scorer(self, fitted):
        return fitted.scorer

    @pytest.fixture
    def space(self, fitted):
        return fitted.space
