"""Shapley values: what an aspect adds to the score, on average over all orders of adding the aspects."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector, IntMatrix, IntVector, require
from counterec.core.attribution.aspect_subsets import SubsetPlan, distinct, every_set, subset_weights
from counterec.core.scorers.base import Scorer
from counterec.core.space import AspectSpace

ROTATIONS = (0.0, 0.25, 0.5, 0.75)
"""Each drawn order is rotated by these shares of its length."""


@dataclass(frozen=True)
class Shapley:
    """φ_k = Σ_{S∌k} |S|!·(n−|S|−1)!/n! · (v(S∪k) − v(S)), v(S) the score with only S of the item's n aspects present.

    Over all sets if there are few aspects, else over orders drawn for the pair. Either way the weights add up to
    v(all) − v(none).
    """

    exact_up_to: int = 8
    """Up to this many aspects, every set is scored."""
    orders: int = 32
    """Beyond that, this many orders are drawn: a multiple of eight."""

    name = "shapley"

    def __post_init__(self) -> None:
        require(
            self.orders > 0 and self.orders % (2 * len(ROTATIONS)) == 0,
            f"orders is {self.orders}; it must be a multiple of {2 * len(ROTATIONS)}",
        )

    def weights(self, scorer: Scorer, space: AspectSpace, users: IntVector, items: IntVector, seed: int) -> FloatMatrix:
        """Return the Shapley values of the aspects that the item has."""
        return subset_weights(scorer, space, users, items, self._plan, seed, "orders of aspects")

    def _plan(self, players: int, random: np.random.Generator) -> SubsetPlan:
        return _exact(players) if players <= self.exact_up_to else _sampled(players, self.orders, random)


@cache
def _exact(players: int) -> SubsetPlan:
    """Every set, by the formula: the factor of v(S) for aspect k depends on the size of S and on whether S holds k."""
    sets = every_set(players)
    sizes = sets.sum(axis=1)[:, None]
    share = np.array([1 / (players * comb(players - 1, size)) for size in range(players)] + [0.0])
    factors = np.where(sets, share[sizes - 1], -share[sizes])
    return SubsetPlan(sets, lambda scores: scores @ factors)


def _sampled(players: int, orders: int, random: np.random.Generator) -> SubsetPlan:
    """The mean of what each aspect adds at its place in the orders; each distinct set is scored once."""
    place = _places(players, orders, random)
    added_before = place[:, None, :] < np.arange(players + 1)[:, None]
    sets, which, _ = distinct(added_before.reshape(-1, players))

    def weights(scores: FloatVector) -> FloatVector:
        added = np.diff(scores[which].reshape(orders, players + 1), axis=1)
        return np.take_along_axis(added, place, axis=1).mean(axis=0)

    return SubsetPlan(sets, weights)


def _places(players: int, orders: int, random: np.random.Generator) -> IntMatrix:
    """The place of each aspect in each order: orders are drawn, rotated, and reversed.

    So each aspect comes early, in between and late, which a few plain orders would leave to chance.
    """
    drawn = random.permuted(np.tile(np.arange(players), (orders // (2 * len(ROTATIONS)), 1)), axis=1)
    rotated = (drawn[:, None, :] + (players * np.array(ROTATIONS)).astype(int)[:, None]) % players
    place = rotated.reshape(-1, players)
    return np.concatenate([place, players - 1 - place])
