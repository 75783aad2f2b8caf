"""The climb: from sets of aspects that flip to a better one, one aspect at a time, for many pairs in lock-step.

The pairs climb side by side, so that scores are computed in few calls; no pair's climb depends on another's.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Protocol

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, FloatMatrix, FloatVector, IntVector
from counterec.core.explainers.complete.likelihood import ENOUGH, Counts
from counterec.core.explainers.complete.neighbours import Neighbours
from counterec.core.explainers.complete.settings import CompleteSettings
from counterec.core.explainers.minimal.flipping_sets import Flipping, first_of_each
from counterec.core.explainers.minimal.set_search import SetSearch

ALL = 2
"""The number of verdicts that hold if an answer is complete; that it flips is a condition of the search."""

FURTHER = 2
"""This many times the neighbours are tried if the search would otherwise end before both verdicts hold."""

IN_BETWEEN = 6
"""At most this many sets are tried between a complete one and half of what it was extended by."""


class RivalCounter(Protocol):
    """Counts for many sets of aspects at once whether they are necessary and sufficient."""

    def counts(self, pairs: IntVector, named: BoolMatrix) -> Counts:
        """One row of ``named`` [sets, aspects] per set; set i belongs to the pair ``pairs[i]``."""
        ...


@dataclass(frozen=True)
class Reached:
    """Where climbs are, one row per pair: a set, its worth, the part of it that is climbed, and its verdicts."""

    pairs: IntVector
    """Sorted."""
    sets: BoolMatrix
    gaps: FloatVector
    worth: FloatVector
    climb: FloatVector
    likely: FloatVector
    """How likely the two verdicts are."""
    necessary: BoolVector
    sufficient: BoolVector
    necessity_known: BoolVector
    sufficiency_known: BoolVector

    @property
    def complete(self) -> BoolVector:
        """Whether both verdicts hold."""
        return self.necessary & self.sufficient

    @property
    def flipping(self) -> Flipping:
        """The sets."""
        return Flipping(self.pairs, self.sets, self.gaps)

    def part(self, index: IntVector | BoolVector) -> Reached:
        """Some of the pairs."""
        return Reached(*(getattr(self, field.name)[index] for field in fields(self)))

    def of(self, pairs: IntVector) -> Reached:
        """These pairs, all of which are among those here."""
        return self.part(np.searchsorted(self.pairs, pairs))

    def updated(self, later: Reached) -> Reached:
        """With what was reached later, by some of the pairs."""
        places, columns = np.searchsorted(self.pairs, later.pairs), []
        for field in fields(self):
            columns.append(getattr(self, field.name).copy())
            columns[-1][places] = getattr(later, field.name)
        return Reached(*columns)


class Climb:
    """Climbs of many pairs. ``prices`` [users, aspects] is what each aspect must be worth to be named.

    ``place[pair]`` is the row of a pair's user in the prices.
    """

    def __init__(
        self,
        search: SetSearch,
        rivals: RivalCounter,
        prices: FloatMatrix,
        place: IntVector,
        settings: CompleteSettings,
    ) -> None:
        self._search, self._rivals, self._settings = search, rivals, settings
        self._prices, self._place = prices, place
        self._neighbours = Neighbours(search)
        self._verdict = 10 + np.abs(prices).sum(axis=1)
        """What a verdict counts: more than the likelihoods and any aspects."""
        self._tried: set[tuple[int, bytes]] = set()

    def from_start(self, start: Flipping) -> Reached:
        """Climb; if that ends before both verdicts hold, look further around, then extend the set, and climb on."""
        around = self._settings.neighbours
        best = self._climbed(self._best_of(start), around)
        best = best.updated(self._climbed(best.part(~best.complete), FURTHER * around))
        extended = self._extended(best.part(~best.complete))
        return best.updated(self._climbed(extended, around))

    def _climbed(self, here: Reached, around: int) -> Reached:
        """Climb, one aspect at a time, to where no neighbour is better; return the best on the way.

        Until both verdicts hold, aspects cost nothing: otherwise the first of two that are needed would not be added.
        """
        best = here
        for _ in range(self._settings.rounds):
            if not len(here.pairs):
                break
            hope = np.where(here.complete, 2 * ENOUGH - here.likely, np.inf)
            prices = np.take_along_axis(self._prices[self._place[here.pairs]], self._search.aspects[here.pairs], axis=1)
            which, sets = self._neighbours.of(here.pairs, here.sets, prices, hope, around)
            there = self._best_flipping(here.pairs[which], sets)
            here = there.part(there.climb > here.of(there.pairs).climb)
            best = best.updated(here.part(here.worth > best.of(here.pairs).worth))
        return best

    def _extended(self, stuck: Reached) -> Reached:
        """The best complete sets, for the pairs that have any, among extensions by the strongest aspects.

        By one, two, four and so on; then by the numbers between the first complete one and the one before it.
        """
        extra = [2 ** np.arange(1 + len(current).bit_length()) for current in stuck.sets]
        found = self._best_extended(stuck, extra)
        sizes = found.sets.sum(axis=1) - stuck.of(found.pairs).sets.sum(axis=1)
        closer = self._best_extended(stuck.of(found.pairs), [_between(int(size)) for size in sizes])
        return found.updated(closer.part(closer.worth > found.of(closer.pairs).worth))

    def _best_extended(self, stuck: Reached, extra: list[IntVector]) -> Reached:
        """The best complete set of each pair that has any, extended by these numbers of aspects."""
        if not len(stuck.pairs):
            return stuck
        sets = [
            self._neighbours.extended(pair, current, more)
            for pair, current, more in zip(stuck.pairs.tolist(), stuck.sets, extra, strict=True)
        ]
        found = self._best_flipping(np.repeat(stuck.pairs, [len(some) for some in sets]), np.concatenate(sets))
        return found.part(found.complete)

    def _best_flipping(self, pairs: IntVector, sets: BoolMatrix) -> Reached:
        """The best set of each pair that flips and was not tried before."""
        new = self._not_tried(pairs, sets)
        return self._best(self._search.flipping(pairs[new], sets[new]))

    def _best_of(self, sets: Flipping) -> Reached:
        """The best of these sets for each pair."""
        return self._best(sets.part(self._not_tried(sets.owners, sets.sets)))

    def _not_tried(self, pairs: IntVector, sets: BoolMatrix) -> IntVector:
        """The places of those that are seen for the first time; from now on, they are tried."""
        packed, new = np.packbits(sets, axis=1), []
        for place, key in enumerate(zip(pairs.tolist(), map(bytes, packed), strict=True)):
            if key not in self._tried:
                self._tried.add(key)
                new.append(place)
        return np.array(new, dtype=np.int64)

    def _best(self, sets: Flipping) -> Reached:
        named, place = self._search.named(sets), self._place[sets.owners]
        found = self._rivals.counts(sets.owners, named)
        without_prices = self._verdict[place] * found.holds + found.likely
        worth = without_prices - np.where(named, self._prices[place], 0).sum(axis=1)
        climb = np.where(found.holds == ALL, worth, without_prices)
        best = first_of_each(sets.owners, -climb)
        return Reached(
            pairs=sets.owners[best],
            sets=sets.sets[best],
            gaps=sets.gaps[best],
            worth=worth[best],
            climb=climb[best],
            likely=found.likely[best],
            necessary=found.necessary[best],
            sufficient=found.sufficient[best],
            necessity_known=found.necessity_known[best],
            sufficiency_known=found.sufficiency_known[best],
        )


def _between(extra: int) -> IntVector:
    """The numbers of aspects to extend a set by, from half of what completed it to one less than that."""
    return np.unique(np.linspace(extra // 2 + 1, max(extra // 2 + 1, extra - 1), IN_BETWEEN).astype(np.int64))
