"""The best F1 in hindsight: by hand, and against trying every set."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from tests.worlds import random_world, space_of

from counterec.core.candidates import catalogue_candidates
from counterec.core.evaluation.hindsight import hindsight
from counterec.core.evaluation.user_side import GroundTruth
from counterec.core.interactions import Interactions
from counterec.core.scorers.alignment import AlignmentScorer
from counterec.core.scorers.ranking import rank


def truth_of(praised):
    return GroundTruth(np.array([0]), np.array([0]), np.array([praised], dtype=bool))


def found_for(quality, praised, eligible=None):
    """Everybody cares alike: a score is the sum of the qualities; the second item is below the list."""
    space = space_of([[1.0] * len(quality[0])], quality)
    lists = rank(AlignmentScorer(), space, catalogue_candidates(Interactions([], [], 1, 2)), 1)
    return hindsight(AlignmentScorer(), space, lists, truth_of(praised), eligible)


def test_the_praised_aspect_flips_alone():
    found = found_for([[4, 2, 2, 2], [5, 2, 0, 0]], [True, False, False, False])
    assert (found.best.tolist(), found.unconstrained.tolist()) == ([1.0], [1.0])
    assert found.bound.tolist() == [1.0]


def test_the_praised_aspect_needs_company():
    """10 against 7: the praised one takes 2, so one more has to go: F1 of one right in two is 2/3."""
    found = found_for([[2, 4, 2, 2], [5, 2, 0, 0]], [True, False, False, False])
    assert found.best.tolist() == pytest.approx([2 / 3])
    assert found.unconstrained.tolist() == [1.0]
    assert found.bound.tolist() == pytest.approx([2 / 3]), "a set of four is not better: 2/5"


def test_what_does_not_flip_within_three_has_a_bound_of_its_own():
    """Ten aspects of 1 against 5: six have to go, more than are tried; five of them are praised."""
    quality = [[1] * 10, [5] + [0] * 9]
    found = found_for(quality, [True] * 5 + [False] * 5)
    assert found.best.tolist() == [0.0]
    assert found.bound.tolist() == pytest.approx([1.0]), "as if the five praised ones flipped"


def test_only_what_may_be_named_counts():
    quality, praised = [[4, 2, 2, 2], [5, 2, 0, 0]], [True, True, False, False]
    eligible = np.array([[False, True, True, True]])
    found = found_for(quality, praised, eligible)
    assert found.best.tolist() == pytest.approx([2 * 1 / (2 + 2)])
    assert found.unconstrained.tolist() == pytest.approx([2 * 1 / (1 + 2)])


def test_pairs_without_a_ground_truth_are_left_out():
    assert len(found_for([[4, 2], [5, 0]], [False, False]).users) == 0


@pytest.mark.parametrize("seed", range(4))
def test_against_every_set(seed):
    world = random_world(seed, users=3, items=12, aspects=6)
    space, lists = world.space, rank(world.scorer, world.space, world.candidates, 3)
    rows, _, items = lists.pairs()
    users = lists.users[rows]
    praised = np.random.default_rng(seed).random((len(users), 6)) < 0.4
    found = hindsight(world.scorer, space, lists, GroundTruth(users, items, praised))
    for user, item, best, bound in zip(found.users, found.items, found.best, found.bound, strict=True):
        right = set(np.flatnonzero(praised[(users == user) & (items == item)][0]).tolist())
        naive = {size: naive_best(world, lists, user, item, right, size) for size in range(1, 7)}
        assert best == pytest.approx(max(naive[size] for size in (1, 2, 3)))
        assert max(naive.values()) <= bound + 1e-12


def naive_best(world, lists, user, item, right, size):
    """The best F1 of the sets of this size whose absence takes the item off the list."""
    space, row = world.space, lists.rows_of(np.array([user]))[0]
    has = np.flatnonzero(space.item_quality[item] != 0).tolist()
    best = 0.0
    for named in combinations(has, size):
        quality = space.item_quality[item].copy()
        quality[list(named)] = 0
        score = world.scorer.score(pair_of(space, user, item, quality))[0]
        below = lists.items[row, lists.k]
        if score < lists.target[row] or (score == lists.target[row] and below < item):
            best = max(best, 2 * len(right & set(named)) / (size + len(right)))
    return best


def pair_of(space, user, item, quality):
    from counterec.core.scorers.protocols import PairBatch

    return PairBatch(np.array([user]), np.array([item]), space.user_attention[[user]], quality[None])
