"""Expected effects: found where attention or commonness decide, and nothing invented where neither does."""

from __future__ import annotations

import numpy as np
import pytest
from tests.worlds import random_space, space_of

from counterec.core.explainers.complete.expected_effects import ExpectedEffects
from counterec.core.scorers.base import PairBatch, Scorer
from counterec.core.scorers.catalogue import catalogue_of
from counterec.core.scorers.simple import AlignmentScorer
from counterec.core.space import AspectSpace


class Weighted:
    """A weight per aspect that an item has, the same for all users; scoring fails for one user."""

    aspects_only = True

    def __init__(self, weights: np.ndarray, beyond: int | None = None, raises: bool = True) -> None:
        self._weights, self._beyond, self._raises = weights, beyond, raises

    def score(self, pairs: PairBatch) -> np.ndarray:
        if self._raises and (pairs.users == self._beyond).any():
            raise ValueError("this user is beyond me")
        scores = ((pairs.item_quality != 0) @ self._weights).astype(np.float32)
        return np.where(pairs.users == self._beyond, np.float32("nan"), scores)


def expected_effects(scorer: Scorer, space: AspectSpace) -> ExpectedEffects:
    return ExpectedEffects(catalogue_of(scorer, space), space)


@pytest.fixture
def space() -> AspectSpace:
    return random_space(np.random.default_rng(5), users=20, items=40, aspects=8)


def commonness(space: AspectSpace) -> np.ndarray:
    share = (space.item_quality != 0).mean(axis=0)
    return share / share.max()


def test_attention_decides(space):
    """The scorer multiplies attention by quality: what a user cares about is what does most for them."""
    expected = expected_effects(AlignmentScorer(), space)
    assert expected.slopes[0] > 5 * expected.slopes[1] >= 0
    for user in np.flatnonzero(space.user_attention.any(axis=1)):
        assert expected.of(user).argmax() == space.user_attention[user].argmax()
        assert expected.of(user).max() == pytest.approx(1)


def test_commonness_decides(space):
    """The slope is found exactly, and the effects are the same for all users."""
    expected = expected_effects(Weighted(3 * commonness(space)), space)
    assert expected.slopes == pytest.approx([0, 3], abs=1e-4)
    assert expected.of(7) == pytest.approx(commonness(space), abs=1e-4)


def test_rarity_is_no_reason(space):
    expected = expected_effects(Weighted(-commonness(space)), space)
    assert expected.slopes[1] == 0


@pytest.mark.parametrize("raises", [True, False])
def test_a_user_that_fails_is_left_out(space, raises):
    """Whether scoring raises an error or returns NaN."""
    expected = expected_effects(Weighted(commonness(space), beyond=3, raises=raises), space)
    assert expected.slopes == pytest.approx([0, 1], abs=1e-4)


@pytest.mark.parametrize("quality", [[[3, 0], [0, 4]], [[0, 0], [0, 0]]])
def test_nothing_to_compare(quality):
    """No item has two aspects, so there is nothing to compare."""
    expected = expected_effects(AlignmentScorer(), space_of([[1, 5]], quality))
    assert expected.of(0).tolist() == [0, 0]


def test_nobody_that_can_be_scored():
    expected = expected_effects(Weighted(np.ones(2), beyond=0), space_of([[1, 5]], [[3, 3]] * 3))
    assert expected.of(0).tolist() == [0, 0]


def test_only_differences_within_a_pair_tell():
    """If every aspect does much for users who care about everything, that is no reason to prefer a cared-for one."""

    class Eager:
        aspects_only = True

        def score(self, pairs: PairBatch) -> np.ndarray:
            return (5 * pairs.user_attention.any(axis=1) * (pairs.item_quality != 0).sum(axis=1)).astype(np.float32)

    space = space_of([[3, 3, 3]] * 5 + [[0, 0, 0]] * 5, [[3, 3, 0], [3, 0, 3], [0, 3, 3]])
    assert expected_effects(Eager(), space).slopes == pytest.approx([0, 0], abs=1e-6)
