"""The search for sets of aspects that flip with all of them at their bounds, for many pairs side by side."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from counterec.core.arrays import BoolMatrix, BoolVector, FloatMatrix, FloatVector, IntMatrix, IntVector
from counterec.core.explainers.answer import Proof
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.minimal.shrinking import Sets, shrunk
from counterec.core.explainers.probe import Probe, probe_of
from counterec.core.explainers.question import Question
from counterec.core.explainers.single_moves import SingleMoves
from counterec.core.explainers.tolerances import LEAST_FALL, NEAR
from counterec.core.scorers.protocols import Scorer


@dataclass(frozen=True)
class Flipping:
    """Sets that flip at their bounds, whose they are, and by how much. A set is flags over the pair's own aspects."""

    owners: IntVector
    sets: BoolMatrix
    gaps: FloatVector

    def part(self, index: IntVector | BoolVector) -> Flipping:
        """Some of the sets."""
        return Flipping(self.owners[index], self.sets[index], self.gaps[index])

    @staticmethod
    def joined(parts: list[Flipping]) -> Flipping:
        """Sets of several searches as one."""
        owners, sets, gaps = zip(*((part.owners, part.sets, part.gaps) for part in parts), strict=True)
        return Flipping(np.concatenate(owners), np.concatenate(sets), np.concatenate(gaps))


class SetSearch:
    """The search of all pairs side by side."""

    def __init__(self, scorer: Scorer, question: Question, settings: MinimalSettings) -> None:
        self.scorer, self.question, self.settings = scorer, question, settings
        self.probe: Probe = probe_of(scorer, question)
        table = SingleMoves.of(question).table(len(question))
        self.aspects, self.reach, self.counts = table.aspects, table.reach, table.counts
        used = self.reach != 0
        self.twins: BoolMatrix = (self.aspects[:, 1:] == self.aspects[:, :-1]) & used[:, 1:] & used[:, :-1]
        """Where a way and the next one move the same aspect, down and up: no set has both."""
        nothing = np.zeros(self.reach.shape, dtype=bool)
        self.gap_before = self._gaps(np.arange(len(question)), nothing)
        self.nearest, self.nearest_gap = nothing.copy(), self.gap_before.copy()
        """The set that came nearest, for the pairs that never flip."""
        width = self.reach.shape[1]
        self.most = width if question.most is None else min(question.most, width)
        """How many aspects a set may have."""
        self.single_gaps = np.full(self.reach.shape, np.inf, dtype=np.float32)
        """How far each aspect by itself is from the flip, once it was tried."""
        self.tried_out = np.zeros(len(question), dtype=bool)
        """Whether every set smaller than the one found was tried."""

    def grown(self) -> Flipping:
        """Grow a set for every pair until it flips or nothing is left to add."""
        width = self.reach.shape[1]
        found = [Flipping(np.empty(0, dtype=np.int64), np.empty((0, width), dtype=bool), np.empty(0, dtype=np.float32))]
        grown = np.zeros(self.reach.shape, dtype=bool)
        going = np.flatnonzero(self.gap_before > 0)
        for size in range(1, self.most + 1):
            going = going[self.counts[going] >= size]
            if not len(going):
                break
            tried = self._probed(*self._extended(going, grown))
            if size == 1:
                self._note_singles(tried)
            best = tried.part(first_of_each(tried.owners, tried.gaps))
            grown[best.owners] = best.sets
            self._note_nearest(best)
            found.append(self._most_promising(tried.part(self._flips(tried))))
            done = found[-1].owners
            self.tried_out[done] = size <= 2  # every single aspect was tried on the way
            going = np.setdiff1d(going, done)
        return Flipping.joined(found)

    def _extended(self, pairs: IntVector, grown: BoolMatrix) -> tuple[IntVector, BoolMatrix]:
        """The grown set of each pair with each other aspect of it."""
        free = (np.arange(self.reach.shape[1]) < self.counts[pairs, None]) & ~grown[pairs]
        which, added = np.nonzero(free)
        sets = grown[pairs[which]]
        sets[np.arange(len(sets)), added] = True
        return self._without_twins(pairs[which], sets)

    def _without_twins(self, owners: IntVector, sets: BoolMatrix) -> tuple[IntVector, BoolMatrix]:
        """Only the sets that move no aspect both ways."""
        if not self.twins.any():
            return owners, sets
        kept = ~(sets[:, 1:] & sets[:, :-1] & self.twins[owners]).any(axis=1)
        return owners[kept], sets[kept]

    def _flips(self, tried: Flipping) -> BoolVector:
        """Which sets flip: all that clear the aim and, near the margin, those of which the scorer says so."""
        flips = tried.gaps < 0
        doubt = NEAR * self.question.clearance
        near = np.flatnonzero(~flips & (tried.gaps < doubt[tried.owners]))
        if len(near):
            owners = tried.owners[near]
            aspects, reach = self._places(owners, tried.sets[near])
            delta = np.zeros((len(near), self.question.lowest.shape[1]), dtype=np.float32)
            _put(delta, np.arange(len(near)), aspects, reach, reach != 0)
            asked = self.question.rows(owners)
            flips[near] = asked.crossed(self.scorer.score(asked.changed(delta)))
        return flips

    def _note_singles(self, tried: Flipping) -> None:
        self.single_gaps[tried.owners, tried.sets.argmax(axis=1)] = tried.gaps

    def flipping(self, owners: IntVector, sets: BoolMatrix) -> Flipping:
        """Those of these sets that flip."""
        tried = self._probed(*self._without_twins(owners, sets))
        return tried.part(self._flips(tried))

    def named(self, sets: Flipping) -> BoolMatrix:
        """The sets as flags over all aspects."""
        flags = np.zeros((len(sets.owners), self.question.lowest.shape[1]), dtype=bool)
        which, place = np.nonzero(sets.sets)
        flags[which, self.aspects[sets.owners[which], place]] = True
        return flags

    def _note_nearest(self, best: Flipping) -> None:
        nearer = best.part(best.gaps < self.nearest_gap[best.owners])
        self.nearest[nearer.owners], self.nearest_gap[nearer.owners] = nearer.sets, nearer.gaps

    def _most_promising(self, flipping: Flipping) -> Flipping:
        """The sets of each pair that are likely to shrink to the smallest change, were the score a straight line."""
        before = self.gap_before[flipping.owners]
        reach = self.reach[flipping.owners] * self.question.costs[self.aspects[flipping.owners]]
        fall = np.maximum(before - flipping.gaps, LEAST_FALL)
        promise = np.linalg.norm(reach * flipping.sets, axis=1) * before / fall
        order = np.lexsort((promise, flipping.owners))
        owners = flipping.owners[order]
        place = np.arange(len(order)) - np.searchsorted(owners, owners)
        return flipping.part(order[place < self.settings.rivals])

    def proven(self, found: Flipping) -> Flipping:
        """Try every smaller set, for the pairs whose budget this fits; a smaller one that flips takes the place."""
        owners, first = np.unique(found.owners, return_index=True)
        sizes = found.sets[first].sum(axis=1)
        needed = np.array([_sets_below(int(n), int(r)) for n, r in zip(self.counts[owners], sizes, strict=True)])
        chosen = (sizes > 2) & (needed <= self.settings.budget)
        owners, sizes = owners[chosen], sizes[chosen]
        self.tried_out[owners] = True
        smaller = [self._smallest_flipping(int(owner), int(size)) for owner, size in zip(owners, sizes, strict=True)]
        replaced = np.array([part.owners[0] for part in smaller if len(part.owners)], dtype=np.int64)
        return Flipping.joined([found.part(~np.isin(found.owners, replaced)), *smaller])

    def sought(self, found: Flipping) -> Flipping:
        """Try every set, for the pairs whose grown one never flipped and whose budget this fits."""
        missed = np.setdiff1d(np.flatnonzero(self.gap_before > 0), found.owners)
        limits = np.minimum(self.counts[missed], self.most)
        fits = [
            limit >= 2 and _sets_below(int(count), int(limit) + 1) <= self.settings.budget
            for count, limit in zip(self.counts[missed], limits, strict=True)
        ]
        searched = [
            self._smallest_flipping(int(pair), int(limit) + 1)
            for pair, limit, fit in zip(missed, limits, fits, strict=True)
            if fit
        ]
        self.tried_out[[part.owners[0] for part in searched if len(part.owners)]] = True
        return Flipping.joined([found, *searched])

    def _smallest_flipping(self, pair: int, size: int) -> Flipping:
        """Of all sets of a pair with 2 to size − 1 aspects, the smallest ones that flip; mostly there is none."""
        count = int(self.counts[pair])
        sets = _sets_of_2_to(size - 1, count, self.reach.shape[1])
        owners, sets = self._without_twins(np.full(len(sets), pair), sets)
        gaps = self.probe.gaps_of_sets(pair, self.aspects[pair, :count], self.reach[pair, :count], sets[:, :count])
        tried = Flipping(owners, sets, gaps)
        flipping = tried.part(self._flips(tried))
        sizes = flipping.sets.sum(axis=1)
        return self._most_promising(flipping.part(sizes == sizes.min(initial=size)))

    def pruned(self, found: Flipping) -> Flipping:
        """Leave out aspects while the rest flips. Where every smaller set was tried, nothing can be left out."""
        sets, gaps = found.sets.copy(), found.gaps.copy()
        waiting = np.flatnonzero(~self.tried_out[found.owners])
        while len(waiting):
            which, dropped = np.nonzero(sets[waiting])
            fewer = sets[waiting[which]]
            fewer[np.arange(len(fewer)), dropped] = False
            tried = self._probed(found.owners[waiting[which]], fewer)
            best = first_of_each(which, tried.gaps)
            best = best[self._flips(tried.part(best))]
            waiting = waiting[which[best]]
            sets[waiting], gaps[waiting] = tried.sets[best], tried.gaps[best]
        return Flipping(found.owners, sets, gaps)

    def shrunk(self, found: Flipping) -> FloatMatrix:
        """Shrink the sets and keep for each pair the fewest aspects and, of these, the smallest change."""
        aspects, reach = self._places(found.owners, found.sets)
        costs = self.question.costs[aspects]
        packed = Sets(found.owners, aspects, reach, costs, self.gap_before[found.owners], found.gaps)
        change, with_room = reach.copy(), np.flatnonzero((found.gaps < 0) & (not self.question.whole))
        change[with_room] = shrunk(self.probe, packed.part(with_room), self.settings.shrinking)
        order = np.lexsort((packed.norm(change), found.sets.sum(axis=1), found.owners))
        best = order[np.unique(found.owners[order], return_index=True)[1]]
        delta = np.zeros(self.question.lowest.shape, dtype=np.float32)
        _put(delta, found.owners[best], aspects[best], change[best], reach[best] != 0)
        return delta

    def proof(self, found: Flipping, delta: FloatMatrix) -> NDArray[np.int8]:
        """What is known of the changes. Shrinking may come to leave out an aspect: then nobody tried what is left."""
        proof = np.full(len(delta), Proof.FOUND, dtype=np.int8)
        whole = found.sets.sum(axis=1) == np.count_nonzero(delta[found.owners], axis=1)
        proof[found.owners[whole]] = Proof.IRREDUCIBLE
        proof[found.owners[self.tried_out[found.owners]]] = Proof.SMALLEST
        return proof

    def fill_in_misses(self, delta: FloatMatrix) -> None:
        """For a pair that never flipped, all of the set that came nearest at its bounds."""
        missed = np.flatnonzero(~delta.any(axis=1))
        aspects, reach = self._places(missed, self.nearest[missed])
        _put(delta, missed, aspects, reach, reach != 0)

    def _probed(self, owners: IntVector, sets: BoolMatrix) -> Flipping:
        return Flipping(owners, sets, self._gaps(owners, sets))

    def _gaps(self, owners: IntVector, sets: BoolMatrix) -> FloatVector:
        return self.probe.gaps(owners, *self._places(owners, sets))

    def _places(self, owners: IntVector, sets: BoolMatrix) -> tuple[IntMatrix, FloatMatrix]:
        """The sets as a few places each: aspect and reach, 0 in unused places."""
        sizes = sets.sum(axis=1)
        width = max(1, int(sizes.max(initial=0)))
        which, column = np.nonzero(sets)
        place = np.arange(len(which)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        aspects = np.zeros((len(owners), width), dtype=np.int64)
        reach = np.zeros((len(owners), width), dtype=np.float32)
        aspects[which, place] = self.aspects[owners[which], column]
        reach[which, place] = self.reach[owners[which], column]
        return aspects, reach


def _put(delta: FloatMatrix, rows: IntVector, aspects: IntMatrix, change: FloatMatrix, used: BoolMatrix) -> None:
    which, place = np.nonzero(used)
    delta[rows[which], aspects[which, place]] = change[which, place]


def first_of_each(owners: IntVector, gaps: FloatVector) -> IntVector:
    """Where, for each owner, the lowest gap stands."""
    order = np.lexsort((gaps, owners))
    return order[np.unique(owners[order], return_index=True)[1]]


def _sets_below(count: int, size: int) -> int:
    """How many sets of 2 to size − 1 of so many aspects there are; single ones have always been tried."""
    return sum(comb(count, smaller) for smaller in range(2, size))


@lru_cache(maxsize=64)
def _sets_of_2_to(most: int, count: int, width: int) -> BoolMatrix:
    """Every set of 2 to ``most`` of the first ``count`` places."""
    chosen = [members for size in range(2, most + 1) for members in combinations(range(count), size)]
    sets = np.zeros((len(chosen), width), dtype=bool)
    for row, members in enumerate(chosen):
        sets[row, list(members)] = True
    sets.flags.writeable = False
    return sets
