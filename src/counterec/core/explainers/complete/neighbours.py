"""The sets next to a set of aspects: with one more, one exchanged, or one fewer; for many pairs at once.

In tables of places, −1 stands for none.
"""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, FloatMatrix, FloatVector, IntMatrix, IntVector
from counterec.core.explainers.minimal.set_search import SetSearch

MANY = 8
"""If a set has more aspects than this, half as many are tried to be dropped or exchanged in each round."""

NONE = -1


class Neighbours:
    """The neighbours of sets of a search's pairs."""

    def __init__(self, search: SetSearch) -> None:
        self._search = search

    def of(
        self, pairs: IntVector, sets: BoolMatrix, prices: FloatMatrix, hope: FloatVector, around: int
    ) -> tuple[IntVector, BoolMatrix]:
        """The sets around the set of each pair, as far as they could be better, and the place of their pair.

        ``prices`` [pairs, moves] is what each aspect must be worth to be named, ``hope`` by how much likelier an answer
        could become: what must be worth more is not tried.
        """
        sizes = sets.sum(axis=1)
        inside, outside = self._inside(pairs, sets, sizes), self._outside(pairs, sets, prices, around)
        price_in, price_out = _at(prices, inside), _at(prices, outside)
        more = (outside != NONE) & (price_out < hope[:, None]) & (sizes < self._search.most)[:, None]
        swap = (inside != NONE)[:, :, None] & (outside != NONE)[:, None]
        swap &= price_out[:, None] - price_in[:, :, None] < hope[:, None, None]
        fewer = (inside != NONE) & (price_in > 0) & (sizes > 1)[:, None]
        none_in, none_out = np.full_like(outside, NONE), np.full_like(inside, NONE)
        added = _side_by_side(outside, np.broadcast_to(outside[:, None], swap.shape), none_out)
        dropped = _side_by_side(none_in, np.broadcast_to(inside[:, :, None], swap.shape), inside)
        which, move = np.nonzero(_side_by_side(more, swap, fewer))
        return which, _moved(sets[which], added[which, move], dropped[which, move])

    def _inside(self, pairs: IntVector, sets: BoolMatrix, sizes: IntVector) -> IntMatrix:
        """The aspects that may be dropped or exchanged; of very many, those that lower the score least."""
        everything = np.broadcast_to(np.arange(sets.shape[1]), sets.shape)
        inside = _first(everything, sets, MANY)
        many = np.flatnonzero(sizes > MANY)
        if len(many):
            weakest = np.argsort(-self._search.single_gaps[pairs[many]], axis=1, kind="stable")
            inside[many] = NONE
            inside[many, : MANY // 2] = _first(weakest, np.take_along_axis(sets[many], weakest, axis=1), MANY // 2)
        return inside

    def _outside(self, pairs: IntVector, sets: BoolMatrix, prices: FloatMatrix, around: int) -> IntMatrix:
        """The aspects worth trying: those that lower the score most, and those that are cheapest."""
        movable = np.arange(sets.shape[1]) < self._search.counts[pairs, None]
        free = movable & ~sets
        strongest = self.strongest(pairs)
        cheapest = np.argsort(np.where(movable, prices, np.inf), axis=1, kind="stable")
        strong = _first(strongest, np.take_along_axis(free, strongest, axis=1), around)
        cheap = _first(cheapest, np.take_along_axis(free, cheapest, axis=1), -(-around // 2))
        cheap[(cheap[:, :, None] == strong[:, None]).any(axis=2)] = NONE
        return np.concatenate([strong, cheap], axis=1)

    def strongest(self, pairs: IntVector) -> IntMatrix:
        """The places of the pairs' aspects, those first that lower the score most; others come last."""
        return np.argsort(self._search.single_gaps[pairs], axis=1, kind="stable")

    def extended(self, pair: int, current: BoolVector, extra: IntVector) -> BoolMatrix:
        """The set extended by each of these numbers of further aspects, the strongest first, as far as allowed."""
        strongest = self.strongest(np.array([pair]))[0, : int(self._search.counts[pair])]
        free = strongest[~current[strongest]]
        room = min(len(free), self._search.most - int(current.sum()))
        sets = np.repeat(current[None], len(extra), axis=0)
        for flags, more in zip(sets, extra.tolist(), strict=True):
            flags[free[: min(more, room)]] = True
        return np.unique(sets, axis=0)


def _first(places: IntMatrix, chosen: BoolMatrix, count: int) -> IntMatrix:
    """Of each row of places the first ones that are chosen, at most so many [rows, count]."""
    number = np.cumsum(chosen, axis=1)
    which, column = np.nonzero(chosen & (number <= count))
    first = np.full((len(places), count), NONE)
    first[which, number[which, column] - 1] = places[which, column]
    return first


def _at(prices: FloatMatrix, places: IntMatrix) -> FloatMatrix:
    """The prices at these places; of no meaning where there is none."""
    return np.take_along_axis(prices, np.maximum(places, 0), axis=1)


def _side_by_side(more: np.ndarray, swap: np.ndarray, fewer: np.ndarray) -> np.ndarray:
    """One column per move: additions, exchanges, removals."""
    return np.concatenate([more, swap.reshape(len(swap), -1), fewer], axis=1)


def _moved(sets: BoolMatrix, added: IntVector, dropped: IntVector) -> BoolMatrix:
    """The sets with one place added and one dropped each."""
    for places, value in ((added, True), (dropped, False)):
        rows = np.flatnonzero(places != NONE)
        sets[rows, places[rows]] = value
    return sets
