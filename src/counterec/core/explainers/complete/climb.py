"""The climb: from sets of aspects that flip to a better one, one aspect at a time, for the pairs of one user.

The pairs climb side by side, so that scores are computed in few calls; no pair's climb depends on another's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, FloatVector, IntVector
from counterec.core.explainers.complete.ranked_rivals import RankedRivals
from counterec.core.explainers.complete.rivals_ahead import ENOUGH, Rivals
from counterec.core.explainers.complete.settings import CompleteSettings
from counterec.core.explainers.minimal.flipping_sets import Flipping, first_of_each
from counterec.core.explainers.minimal.set_search import SetSearch

ALL = 2
"""The number of verdicts that hold if an answer is complete; that it flips is a condition of the search."""

FURTHER = 2
"""This many times the neighbours are tried if the search would otherwise end before both verdicts hold."""

MANY = 8
"""If a set has more aspects than this, half as many are tried to be dropped or exchanged in each round."""

IN_BETWEEN = 6
"""At most this many sets are tried between a complete one and half of what it was extended by."""


@dataclass(frozen=True)
class Reached:
    """Where a climb is: a set, its worth, the part of it that is climbed, and how likely the two verdicts are."""

    sets: Flipping
    """The one set."""
    worth: float
    climb: float
    likely: float
    necessary: bool
    sufficient: bool
    settled: bool
    """Whether both verdicts are certain."""

    @property
    def complete(self) -> bool:
        """Whether both verdicts hold."""
        return self.necessary and self.sufficient


def climbed(
    search: SetSearch,
    items: IntVector,
    rivals: Rivals | RankedRivals,
    prices: FloatVector,
    settings: CompleteSettings,
    start: Flipping,
) -> dict[int, Reached]:
    """The best set found for each pair of the start, all of them the user's whose rivals these are.

    ``items`` holds the item of every pair of the question, and ``prices`` what each aspect must be worth to be named.
    """
    return _Climb(search, items, rivals, prices, settings).from_start(start)


class _Climb:
    def __init__(
        self,
        search: SetSearch,
        items: IntVector,
        rivals: Rivals | RankedRivals,
        prices: FloatVector,
        settings: CompleteSettings,
    ) -> None:
        self._search, self._items, self._rivals = search, items, rivals
        self._prices, self._settings = prices, settings
        self._verdict = 10 + float(np.abs(prices).sum())
        """What a verdict counts: more than the likelihoods and any aspects."""
        self._tried: set[tuple[int, bytes]] = set()

    def from_start(self, start: Flipping) -> dict[int, Reached]:
        """Climb; if that ends before both verdicts hold, look further around, then extend the set, and climb on."""
        around = self._settings.neighbours
        best = self._climbed(self._best_of(start), around)
        best |= self._climbed(_incomplete(best), FURTHER * around)
        best |= self._climbed(self._extended(_incomplete(best)), around)
        return best

    def _climbed(self, here: dict[int, Reached], around: int) -> dict[int, Reached]:
        """Climb, one aspect at a time, to where no neighbour is better; return the best on the way.

        Until both verdicts hold, aspects cost nothing: otherwise the first of two that are needed would not be added.
        """
        best = dict(here)
        for _ in range(self._settings.rounds):
            if not here:
                break
            neighbours = [self._neighbours(pair, reached, around) for pair, reached in here.items()]
            there = self._best_flipping(list(here), neighbours)
            here = {pair: reached for pair, reached in there.items() if reached.climb > here[pair].climb}
            best |= {pair: reached for pair, reached in here.items() if reached.worth > best[pair].worth}
        return best

    def _extended(self, stuck: dict[int, Reached]) -> dict[int, Reached]:
        """The best complete sets, for the pairs that have any, among extensions by the strongest aspects.

        By one, two, four and so on; then by the numbers between the first complete one and the one before it.
        """
        found: dict[int, Reached] = {}
        extra = {pair: 2 ** np.arange(1 + len(reached.sets.sets[0]).bit_length()) for pair, reached in stuck.items()}
        for _ in range(2):
            if not extra:
                break
            nested = [self._nested(pair, stuck[pair].sets.sets[0], more) for pair, more in extra.items()]
            there = self._best_flipping(list(extra), nested)
            found |= {
                pair: reached
                for pair, reached in there.items()
                if reached.complete and (pair not in found or reached.worth > found[pair].worth)
            }
            extra = {pair: _between(stuck[pair], reached) for pair, reached in found.items()}
        return found

    def _best_flipping(self, pairs: list[int], sets: list[BoolMatrix]) -> dict[int, Reached]:
        """The best set of each pair that flips and was not tried before."""
        owners = np.repeat(pairs, [len(some) for some in sets])
        return self._best_of(self._search.flipping(owners, np.concatenate(sets)))

    def _best_of(self, sets: Flipping) -> dict[int, Reached]:
        """The best of these sets for each pair, leaving out those that were tried before."""
        keys = [(owner, flags.tobytes()) for owner, flags in zip(sets.owners.tolist(), sets.sets, strict=True)]
        sets = sets.part(np.array([row for row, key in enumerate(keys) if key not in self._tried], dtype=np.int64))
        self._tried.update(keys)
        if not len(sets.owners):
            return {}
        named = self._search.named(sets)
        found = self._rivals.counts(self._items[sets.owners], named)
        without_prices = self._verdict * found.holds + found.likely
        worth = without_prices - np.where(named, self._prices, 0).sum(axis=1)
        climb = np.where(found.holds == ALL, worth, without_prices)
        return {
            int(sets.owners[at]): Reached(
                sets=sets.part(np.array([at])),
                worth=float(worth[at]),
                climb=float(climb[at]),
                likely=float(found.likely[at]),
                necessary=bool(found.necessary[at]),
                sufficient=bool(found.sufficient[at]),
                settled=bool(found.settled[at]),
            )
            for at in first_of_each(sets.owners, -climb)
        }

    def _neighbours(self, pair: int, reached: Reached, around: int) -> BoolMatrix:
        """The sets with one aspect more, one fewer, or one exchanged, as far as they could be better."""
        current, prices = reached.sets.sets[0], self._prices[self._search.aspects[pair]]
        inside, outside = self._inside(pair, current), self._outside(pair, current, prices, around)
        hope = 2 * ENOUGH - reached.likely if reached.complete else np.inf
        moves: list[tuple[list[int], list[int]]] = []
        if current.sum() < self._search.most:
            moves += [([new], []) for new in outside if prices[new] < hope]
        moves += [([new], [old]) for old in inside for new in outside if prices[new] - prices[old] < hope]
        if current.sum() > 1:
            moves += [([], [old]) for old in inside if prices[old] > 0]
        sets = np.repeat(current[None], len(moves), axis=0)
        for flags, (added, dropped) in zip(sets, moves, strict=True):
            flags[added], flags[dropped] = True, False
        return sets

    def _inside(self, pair: int, current: BoolVector) -> list[int]:
        """The aspects that may be dropped or exchanged; of very many, those that lower the score least."""
        inside = np.flatnonzero(current)
        if len(inside) > MANY:
            inside = inside[np.argsort(-self._search.single_gaps[pair, inside], kind="stable")[: MANY // 2]]
        return inside.tolist()

    def _outside(self, pair: int, current: BoolVector, prices: FloatVector, around: int) -> list[int]:
        """The aspects worth trying: those that lower the score most, and those that are cheapest."""
        cheapest = np.argsort(prices[: int(self._search.counts[pair])], kind="stable")
        free = [
            [place for place in order.tolist() if not current[place]] for order in (self._strongest(pair), cheapest)
        ]
        return list(dict.fromkeys([*free[0][:around], *free[1][: -(-around // 2)]]))

    def _nested(self, pair: int, current: BoolVector, extra: IntVector) -> BoolMatrix:
        """The set extended by each of these numbers of further aspects, the strongest first, as far as allowed."""
        strongest = self._strongest(pair)
        free = strongest[~current[strongest]]
        room = min(len(free), self._search.most - int(current.sum()))
        sets = np.repeat(current[None], len(extra), axis=0)
        for flags, more in zip(sets, extra.tolist(), strict=True):
            flags[free[: min(more, room)]] = True
        return np.unique(sets, axis=0)

    def _strongest(self, pair: int) -> IntVector:
        """The places of a pair's aspects, those first that lower the score most."""
        return np.argsort(self._search.single_gaps[pair, : int(self._search.counts[pair])], kind="stable")


def _incomplete(best: dict[int, Reached]) -> dict[int, Reached]:
    return {pair: reached for pair, reached in best.items() if not reached.complete}


def _between(before: Reached, after: Reached) -> IntVector:
    """The numbers of aspects to extend a set by, from half of what completed it to one less than that."""
    extra = int(after.sets.sets.sum() - before.sets.sets.sum())
    return np.unique(np.linspace(extra // 2 + 1, max(extra // 2 + 1, extra - 1), IN_BETWEEN).astype(np.int64))
