"""How much of the collaborative part: the balance, the gains under each weight, and the fit."""

from __future__ import annotations

import numpy as np
import pytest
from tests.worlds import random_net, random_space

from counterec.core.interactions import Interactions
from counterec.core.scorers.base import PairBatch
from counterec.core.scorers.collaborative import Collaborative
from counterec.core.scorers.ease import (
    ItemRegression,
    KeptScores,
    WeightTrial,
    balance,
    fit_chosen,
    gains_of,
)
from counterec.core.scorers.hybrid import HybridScorer
from counterec.core.scorers.net import NetEnsemble
from counterec.core.scorers.settings import HybridSettings
from counterec.core.scorers.validation import CatalogueValidation, catalogue_scores
from counterec.errors import InvalidValueError

USERS, ITEMS, ASPECTS = 12, 25, 4


class Case:
    """A random world with a past, a validation item for each user but one, and two nets."""

    def __init__(self, seed: int) -> None:
        random = np.random.default_rng(seed)
        self.space = random_space(random, USERS, ITEMS, ASPECTS)
        self.nets = NetEnsemble([random_net(random, ASPECTS), random_net(random, ASPECTS)])
        order = [random.permutation(ITEMS) for _ in range(USERS)]
        past = [(user, item) for user in range(USERS) for item in order[user][: user % 5]]  # some have none
        held = [(user, order[user][6]) for user in range(USERS - 1)]
        self.past = Interactions(*np.array(past).T, USERS, ITEMS)
        self.held_back = Interactions(*np.array(held).T, USERS, ITEMS)
        self.validation = CatalogueValidation(self.past, self.held_back, cutoff=5)
        related = Collaborative.of(ItemRegression(self.past).at(2.0).fitted(), self.past)
        self.kept = KeptScores(self.validation.users, len(self.space.items))
        self.balanced = related.weighted(balance(self.nets, related, self.space, kept=self.kept))
        self.trial = WeightTrial(self.balanced, self.validation, self.kept)

    def hybrid(self, weight: float) -> HybridScorer:
        return HybridScorer(self.nets, self.balanced.weighted(np.float32(weight) * self.balanced.user_weight))


@pytest.fixture(params=range(4))
def case(request: pytest.FixtureRequest) -> Case:
    return Case(request.param)


def test_both_parts_spread_the_whole_catalogue_alike(case: Case) -> None:
    everything, alike = np.arange(ITEMS), 0
    for user in range(USERS):
        who = np.full(ITEMS, user)
        aspects = case.nets.score(PairBatch.of(case.space, who, everything))
        offsets = case.balanced.offset(who, everything)
        related = case.balanced.relatedness(user).any()  # not of users who touched what nobody else did
        assert offsets.std() == pytest.approx(aspects.std() if related else 0, rel=1e-4)
        alike += related
    assert alike > USERS // 2


def test_the_balance_of_some_users_is_theirs_among_all(case: Case) -> None:
    some = balance(case.nets, case.balanced, case.space, np.array([3, 7]))
    np.testing.assert_array_equal(some[[3, 7]], case.balanced.user_weight[[3, 7]])
    assert not np.delete(some, [3, 7]).any()


@pytest.mark.parametrize("weight", [0.0, 0.3, 4.0])
def test_gains_are_those_of_the_whole_model(case: Case, weight: float) -> None:
    expected = case.validation.gains(catalogue_scores(case.hybrid(weight), case.space))
    np.testing.assert_array_equal(case.trial.gains(weight), expected)


class TestFit:
    def test_the_best_regularisation_and_no_loss_by_what_is_left_out(self, case: Case) -> None:
        found = fit_chosen(case.past, case.validation, (0.5, 5.0, 50.0), 4.0, (1, 3, 24))
        dense = {}
        for value in map(float, found.tried):
            matrix = ItemRegression(case.past).at(value).fitted()
            related = Collaborative.of(matrix, case.past)
            table = np.stack([related.relatedness(user) for user in case.validation.users.tolist()])
            dense[value] = gains_of(table.astype(np.float32), case.validation).mean()
        assert dense[found.regularisation] == max(dense.values())
        np.testing.assert_allclose(list(found.tried.values()), list(dense.values()), atol=1e-9)
        *fewer, last = found.tried_kept.values()
        assert last >= max(dense.values()) or found.kept == 24
        assert all(ndcg < max(dense.values()) for ndcg in fewer)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"nets": 0}, "nets is 0; it must be at least 1"),
        ({"weights": ()}, "weights is empty"),
        ({"weights": (-0.1, 0.2)}, "weights holds -0.1; each must be at least 0"),
        ({"weights": (0.2, 0.1)}, "weights must be in order and without repetition"),
        ({"weight": -1.0}, "weight is -1.0; it must not be negative"),
    ],
)
def test_bad_settings(settings: dict, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        HybridSettings(**settings)


def test_the_number_of_threads_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case(0)
    monkeypatch.setattr("counterec.core.scorers.ease.USERS_PER_THREAD", 1)
    monkeypatch.setattr("counterec.core.scorers.ease.available_cores", lambda: 5)
    found = balance(case.nets, case.balanced, case.space)
    np.testing.assert_array_equal(found, case.balanced.user_weight)
