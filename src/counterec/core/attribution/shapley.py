"""Shapley values: what an aspect adds to the score, on average over all orders in which the aspects could come."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector, IntMatrix, IntVector, require
from counterec.core.attribution.aspect_subsets import SubsetPlan, distinct, every_set, subset_weights
from counterec.core.scorers.protocols import Scorer
from counterec.core.space import AspectSpace

TURNS = (0.0, 0.25, 0.5, 0.75)
"""By which parts of its length a drawn order is turned."""


@dataclass(frozen=True)
class Shapley:
    """φ_k = Σ_{S∌k} |S|!·(n−|S|−1)!/n! · (v(S∪k) − v(S)), v(S) the score with only S of the item's n aspects present.

    Over all sets where there are few aspects, else over orders drawn for the pair. Either way the weights add up to
    v(all) − v(none).
    """

    exact_up_to: int = 8
    """Up to so many aspects every set is scored."""
    orders: int = 32
    """Beyond that, so many orders are taken: a multiple of eight."""

    name = "shapley"

    def __post_init__(self) -> None:
        require(
            self.orders > 0 and self.orders % (2 * len(TURNS)) == 0,
            f"orders is {self.orders}; it must be a multiple of {2 * len(TURNS)}",
        )

    def weights(self, scorer: Scorer, space: AspectSpace, users: IntVector, items: IntVector, seed: int) -> FloatMatrix:
        """Return the Shapley values of the aspects that the item has."""
        return subset_weights(scorer, space, users, items, self._plan, seed, "orders of aspects")

    def _plan(self, players: int, random: np.random.Generator) -> SubsetPlan:
        return _exact(players) if players <= self.exact_up_to else _sampled(players, self.orders, random)


@cache
def _exact(players: int) -> SubsetPlan:
    """Every set, in the formula as it stands: the factor of v(S) for k is its factor with k in it, or without."""
    sets = every_set(players)
    sizes = sets.sum(axis=1)[:, None]
    share = np.array([1 / (players * comb(players - 1, size)) for size in range(players)] + [0.0])
    factors = np.where(sets, share[sizes - 1], -share[sizes])
    return SubsetPlan(sets, lambda scores: scores @ factors)


def _sampled(players: int, orders: int, random: np.random.Generator) -> SubsetPlan:
    """What each aspect adds where it comes in the orders; the empty and the whole set are scored once for all."""
    place = _places(players, orders, random)
    come = place[:, None, :] < np.arange(players + 1)[:, None]
    sets, which, _ = distinct(come.reshape(-1, players))

    def weights(scores: FloatVector) -> FloatVector:
        added = np.diff(scores[which].reshape(orders, players + 1), axis=1)
        return np.take_along_axis(added, place, axis=1).mean(axis=0)

    return SubsetPlan(sets, weights)


def _places(players: int, orders: int, random: np.random.Generator) -> IntMatrix:
    """At which place each aspect comes in each order: an order is drawn, turned, and all of them reversed.

    So each aspect comes early, in between and late, which a few plain orders would leave to chance.
    """
    drawn = random.permuted(np.tile(np.arange(players), (orders // (2 * len(TURNS)), 1)), axis=1)
    turned = (drawn[:, None, :] + (players * np.array(TURNS)).astype(int)[:, None]) % players
    place = turned.reshape(-1, players)
    return np.concatenate([place, players - 1 - place])
