"""Deletion and insertion on a linear model, whose every score can be added up by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.worlds import random_world, space_of

from counterec.core.candidates import catalogue_candidates
from counterec.core.evaluation.counterfactual_side import sigmoid_of
from counterec.core.evaluation.perturbation import SHARES, orders_of, perturbation_curves
from counterec.core.explainers.answer import NamedAspects
from counterec.core.interactions import Interactions
from counterec.core.scorers.alignment import AlignmentScorer
from counterec.core.scorers.ranking import rank

# The first item has ten aspects worth 10, 9, … 1, together 55; the one below the list is worth 30.
QUALITY = np.array([np.ones(10), np.eye(10)[0] * 3], dtype=float)
ATTENTION = np.array([np.arange(10, 0, -1) / 10])
SPACE = space_of(ATTENTION, QUALITY)
NOBODY = Interactions(np.empty(0, dtype=int), np.empty(0, dtype=int), 1, 2)
LISTS = rank(AlignmentScorer(), SPACE, catalogue_candidates(NOBODY), 1)
BEST, WORST = np.arange(10)[None], np.arange(9, -1, -1)[None]


def curves(order):
    return perturbation_curves(AlignmentScorer(), SPACE, LISTS, np.array([0]), np.array([0]), np.array(order))


def test_deletion_by_hand():
    """5.5, less 1.0, 0.9, …: after three it is 2.8, below the 3.0 of the other item."""
    found = curves(BEST)
    scores = 5.5 - np.concatenate([[0], np.cumsum(np.arange(10, 0, -1) / 10)])
    np.testing.assert_allclose(found.deleted[0], sigmoid_of(scores) / sigmoid_of(np.array([5.5])), atol=1e-6)
    np.testing.assert_array_equal(found.in_list[0], scores > 3.0)
    assert found.in_list[0].sum() == 3


def test_scores_that_are_no_log_odds_are_shares_of_themselves():
    pair = np.array([0]), np.array([0])
    found = perturbation_curves(AlignmentScorer(), SPACE, LISTS, *pair, BEST, log_odds=False)
    scores = 5.5 - np.concatenate([[0], np.cumsum(np.arange(10, 0, -1) / 10)])
    np.testing.assert_allclose(found.deleted[0], scores / 5.5, atol=1e-6)
    np.testing.assert_array_equal(found.in_list, curves(BEST).in_list)


def test_a_share_of_nothing_is_no_number():
    space = space_of([[0, 0]], [[1, 1], [1, 0]])
    lists = rank(AlignmentScorer(), space, catalogue_candidates(NOBODY), 1)
    pair = np.array([0]), np.array([0])
    found = perturbation_curves(AlignmentScorer(), space, lists, *pair, np.array([[0, 1]]), log_odds=False)
    assert np.isnan(found.deleted).all()
    assert found.in_list[:, 0].all()


def test_insertion_is_deletion_in_the_reverse_order_read_backwards():
    np.testing.assert_allclose(curves(BEST).inserted, curves(WORST).deleted[:, ::-1], atol=1e-6)


def test_the_perfect_order_is_best_and_its_reverse_worst_of_all():
    random = np.random.default_rng(0)
    best, worst = curves(BEST), curves(WORST)
    for _ in range(30):
        other = curves(random.permutation(10)[None])
        assert best.deleted.mean() <= other.deleted.mean() + 1e-9 <= worst.deleted.mean() + 2e-9
        assert worst.inserted.mean() <= other.inserted.mean() + 1e-9 <= best.inserted.mean() + 2e-9
        assert best.in_list.mean() <= other.in_list.mean() <= worst.in_list.mean()


def test_aspects_that_the_item_lacks_come_last_and_named_ones_first():
    space = space_of([[1, 1, 1, 1]], [[2, 0, 3, 4], [1, 0, 0, 0]])
    named = NamedAspects(
        np.array([0]), np.array([0]), np.array([[False, True, False, True]]), np.array([[0.0, 9, 0, 1]])
    )
    order = orders_of(space, named, seed=0)[0].tolist()
    assert (order[0], order[-1]) == (3, 1)
    assert sorted(order) == [0, 1, 2, 3]
    alone = NamedAspects(named.users, named.items, named.named & False, named.weight)
    rest = [aspect for aspect in orders_of(space, alone, seed=0)[0].tolist() if aspect != 3]
    assert rest == order[1:], "what nobody orders has one order for all methods"


def test_the_heaviest_is_first():
    named = NamedAspects(np.array([0]), np.array([0]), np.ones((1, 10), bool), np.arange(10.0)[None])
    np.testing.assert_array_equal(orders_of(SPACE, named, seed=0), WORST)


@pytest.mark.parametrize("seed", range(3))
def test_nothing_deleted_leaves_the_list_and_everything_inserted_brings_the_score_back(seed):
    world = random_world(seed)
    lists = rank(world.scorer, world.space, world.candidates, 3)
    rows, _, items = lists.pairs()
    users = lists.users[rows]
    orders = np.argsort(world.space.item_quality[items] == 0, axis=1, kind="stable")
    found = perturbation_curves(world.scorer, world.space, lists, users, items, orders)
    assert found.in_list[:, 0].all()
    np.testing.assert_allclose(found.deleted[:, 0], 1, atol=1e-5)
    np.testing.assert_allclose(found.inserted[:, -1], 1, atol=1e-5)
    np.testing.assert_allclose(found.deleted[:, -1], found.inserted[:, 0], atol=1e-5)
    assert found.in_list.shape == (len(users), len(SHARES))
