"""The search for sets of aspects that are enough with all of them at their bounds, for many owners side by side.

The owners are pairs (*minimal*, *complete*) or an audience; ``set_problem`` says what is enough for them.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterec.core.arrays import BoolMatrix, BoolVector, FloatMatrix, FloatVector, IntMatrix, IntVector
from counterec.core.explainers.answer import Alternatives, Proof
from counterec.core.explainers.change_costs import priced
from counterec.core.explainers.minimal.flipping_sets import Flipping, first_of_each
from counterec.core.explainers.minimal.screened_sets import SETS_PER_SCORING, WORTH_SCREENING, ScreenedSets
from counterec.core.explainers.minimal.set_columns import SetColumns, put_changes
from counterec.core.explainers.minimal.set_enumeration import choices_of, how_many_below, sets_of, sets_of_2_to
from counterec.core.explainers.minimal.set_problem import SetProblem
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.minimal.shrinking import Sets
from counterec.core.explainers.telling import too_small_to_see
from counterec.core.explainers.tolerances import LEAST_FALL

RIVALS = 2
"""Flipping sets of the same size that are shrunk, to keep the smallest change."""
SHRINKING = 2
"""Rounds of shrinking along the boundary."""


class SetSearch:
    """The search of all owners side by side."""

    def __init__(
        self, problem: SetProblem, settings: MinimalSettings, rivals: int = RIVALS, shrinking: int = SHRINKING
    ) -> None:
        self.problem, self.settings = problem, settings
        self.rivals, self.shrinking = rivals, shrinking
        self.aspects, self.reach, self.counts = problem.moves.aspects, problem.moves.reach, problem.moves.counts
        self.fixed, self._columns = problem.moves.fixed, SetColumns(problem.moves)
        self.costs_at_bounds = priced(np.abs(self.reach), problem.costs[self.aspects], problem.moves.jumps)
        used = self.reach != 0
        self.twins: BoolMatrix = (self.aspects[:, 1:] == self.aspects[:, :-1]) & used[:, 1:] & used[:, :-1]
        """Where a move and the next one move the same aspect, down and up, or to two of its values: no set has both."""
        self.same_aspect = np.cumsum(np.pad(~self.twins, ((0, 0), (1, 0))), axis=1)
        """The number of the aspect among those of its owner, per move."""
        self.widths: IntVector = self.counts - self.twins.sum(axis=1)
        """How many aspects of each owner may move."""
        self.choices_left = np.zeros(len(self.counts), dtype=bool)
        """Whether the owner's set has so many choices of values that not all were tried when it was pruned."""
        self.none_flips = np.zeros(len(self.counts), dtype=bool)
        """Whether every set was tried, in every choice of values, and none flips."""
        nothing = np.zeros(self.reach.shape, dtype=bool)
        self.gap_before, self._singles = self._first_gaps(nothing)
        self.nearest, self.nearest_gap = nothing.copy(), self.gap_before.copy()
        """The set that came nearest, for owners that have none that flips."""
        width = self.reach.shape[1]
        self.most = width if problem.most is None else min(problem.most, width)
        """How many aspects a set may have."""
        self.single_gaps = np.full(self.reach.shape, np.inf, dtype=np.float32)
        """How far each aspect by itself is from the flip, once it was tried."""
        self.single_flips = np.zeros(self.reach.shape, dtype=bool)
        """Whether it flips."""
        self.tried_out = np.zeros(len(self.counts), dtype=bool)
        """Whether every set smaller than the one found was tried."""
        self.tried_below = np.ones(len(self.counts), dtype=np.int64)
        """Every set of fewer aspects than this was tried."""
        self._met_size, self._met = np.full(len(self.counts), width + 1), np.zeros(len(self.counts), dtype=np.int64)
        """How many sets of the smallest size met so far flip, and that size."""
        self.all_met = np.zeros(len(self.counts), dtype=bool)
        """Whether every set of that size was tried."""
        self._screened: ScreenedSets | None = None
        """What says of some sets that they need not be tried."""

    def _first_gaps(self, nothing: BoolMatrix) -> tuple[FloatVector, Flipping | None]:
        """The gaps without any change; in the same call, where that is better, those of every single aspect."""
        everyone = np.arange(len(self.counts))
        if not self.problem.at_once:
            return self._gaps(everyone, nothing), None
        owners, sets = self._extended(everyone, nothing)
        tried = self._probed(np.concatenate([everyone, owners]), np.concatenate([nothing, sets]))
        return tried.gaps[: len(everyone)], tried.part(np.arange(len(everyone), len(tried.owners)))

    def _tried(self, owners: IntVector, grown: BoolMatrix, size: int) -> Flipping:
        """The sets of these owners with one more aspect, which makes this many; single ones may be known already."""
        if size == 1 and self._singles is not None:
            return self._singles.part(np.isin(self._singles.owners, owners))
        return self._probed(*self._extended(owners, grown))

    def grown(self) -> Flipping:
        """Grow a set for every owner until it flips or nothing is left to add."""
        width = self.reach.shape[1]
        found = [Flipping(np.empty(0, dtype=np.int64), np.empty((0, width), dtype=bool), np.empty(0, dtype=np.float32))]
        grown = np.zeros(self.reach.shape, dtype=bool)
        going = self._short_of_it()
        for size in range(1, self.most + 1):
            going = going[self.counts[going] >= size]
            if not len(going):
                break
            tried = self._tried(going, grown, size)
            flips = self._flips(tried)
            if size == 1:
                self._note_singles(tried, flips)
            best = tried.part(first_of_each(tried.owners, tried.gaps))
            grown[best.owners] = best.sets
            self._note_nearest(best)
            found.append(self._most_promising(tried.part(flips)))
            done = found[-1].owners
            self.all_met[done] = size == 1
            self.tried_out[done] = size <= 2  # every single aspect was tried before
            going = np.setdiff1d(going, done)
        return Flipping.joined(found)

    def _short_of_it(self) -> IntVector:
        """The owners for whom no change at all is not enough."""
        return np.flatnonzero(self.gap_before > 0)

    def _extended(self, owners: IntVector, grown: BoolMatrix) -> tuple[IntVector, BoolMatrix]:
        """The grown set of each owner with each other aspect."""
        free = (np.arange(self.reach.shape[1]) < self.counts[owners, None]) & ~grown[owners]
        which, added = np.nonzero(free)
        sets = grown[owners[which]]
        sets[np.arange(len(sets)), added] = True
        return self._without_twins(owners[which], sets)

    def _without_twins(self, owners: IntVector, sets: BoolMatrix) -> tuple[IntVector, BoolMatrix]:
        """Only the sets that move no aspect twice."""
        if not self.twins.any():
            return owners, sets
        which, move = np.nonzero(sets)
        aspect = self.same_aspect[owners[which], move]
        twice = (np.diff(which) == 0) & (np.diff(aspect) == 0)  # the moves of an aspect lie side by side
        kept = np.ones(len(sets), dtype=bool)
        kept[which[1:][twice]] = False
        return owners[kept], sets[kept]

    def _flips(self, tried: Flipping) -> BoolVector:
        """Which sets flip: those with a gap below 0 and, of those near it, the ones that the scorer confirms."""
        flips = tried.gaps < 0
        near = np.flatnonzero(~flips & (tried.gaps < self.problem.near[tried.owners]))
        if len(near):
            owners = tried.owners[near]
            aspects, reach = self._columns.of(owners, tried.sets[near])
            delta = self._no_change(len(near))
            put_changes(delta, np.arange(len(near)), aspects, reach, reach != 0)
            flips[near] = self.problem.crossed(owners, delta)
        return flips

    def _note_singles(self, tried: Flipping, flips: BoolVector) -> None:
        places = tried.owners, tried.sets.argmax(axis=1)
        self.single_gaps[places], self.single_flips[places] = tried.gaps, flips
        self.tried_below[tried.owners] = 2

    def flipping(self, owners: IntVector, sets: BoolMatrix) -> Flipping:
        """Those of these sets that flip."""
        tried = self._probed(*self._without_twins(owners, sets))
        return tried.part(self._flips(tried))

    def named(self, sets: Flipping) -> BoolMatrix:
        """The sets as flags over all aspects."""
        flags = self._no_change(len(sets.owners)).astype(bool)
        which, column = np.nonzero(sets.sets)
        flags[which, self.aspects[sets.owners[which], column]] = True
        return flags

    def _note_nearest(self, best: Flipping) -> None:
        nearer = best.part(best.gaps < self.nearest_gap[best.owners])
        self.nearest[nearer.owners], self.nearest_gap[nearer.owners] = nearer.sets, nearer.gaps

    def _most_promising(self, flipping: Flipping) -> Flipping:
        """The sets of each owner that tell most, or would shrink to the smallest change on a straight line."""
        self._note_met(flipping)
        before = self.gap_before[flipping.owners]
        fall = np.maximum(before - flipping.gaps, LEAST_FALL * before)
        costs = self.costs_at_bounds[flipping.owners] * flipping.sets
        if self.fixed is None:
            promise = np.linalg.norm(costs, axis=1) * before / fall
        else:  # what is fixed does not shrink
            shrunk = np.where(self.fixed[flipping.owners], costs, costs * (before / fall)[:, None])
            promise = np.linalg.norm(shrunk, axis=1)
        order = np.lexsort((promise, -self._worth(flipping), flipping.owners))
        owners = flipping.owners[order]
        rank = np.arange(len(order)) - np.searchsorted(owners, owners)
        return flipping.part(order[rank < self.rivals])

    def _worth(self, sets: Flipping) -> FloatVector:
        """ln worth of the sets; all alike if smaller changes are preferred."""
        if self.problem.worth is None:
            return np.zeros(len(sets.owners))
        return (self.problem.worth[sets.owners] * sets.sets).sum(axis=1)

    def _note_met(self, flipping: Flipping) -> None:
        """Count the sets of an owner's smallest size; all sets of an owner that are handed over have one size."""
        if self.twins.any():  # the same aspects with other values are the same set
            flipping = flipping.part(self._first_of_equal_aspects(flipping))
        owners, first, counts = np.unique(flipping.owners, return_index=True, return_counts=True)
        sizes = flipping.sets[first].sum(axis=1)
        smaller = sizes < self._met_size[owners]
        self._met[owners] = np.where(smaller, counts, np.maximum(counts, self._met[owners]))
        self._met_size[owners] = np.minimum(sizes, self._met_size[owners])

    def _first_of_equal_aspects(self, sets: Flipping) -> IntVector:
        """One of each owner's sets that move the same aspects."""
        keys = np.packbits(self.named(sets), axis=1)
        return np.unique(np.column_stack([sets.owners, keys]), axis=0, return_index=True)[1]

    def compared(self, found: Flipping) -> Flipping:
        """Try every other set of the size found, for owners whose budget this fits, and keep those that tell most."""
        if self.problem.worth is None:
            return found
        found = self._fewest(found)
        owners, first = np.unique(found.owners, return_index=True)
        sizes = found.sets[first].sum(axis=1)
        needed = np.array([comb(int(count), int(size)) for count, size in zip(self.counts[owners], sizes, strict=True)])
        fits = (sizes >= 2) & (needed <= self.settings.budget)
        owners, sizes = owners[fits], sizes[fits]
        self._screen(owners[needed[fits] >= WORTH_SCREENING])
        wider = [self._flipping_of_size(int(owner), int(size)) for owner, size in zip(owners, sizes, strict=True)]
        replaced = np.array([part.owners[0] for part in wider if len(part.owners)], dtype=np.int64)
        self.all_met[replaced] = True
        return Flipping.joined([found.part(~np.isin(found.owners, replaced)), *wider])

    def _flipping_of_size(self, owner: int, size: int) -> Flipping:
        sets = self._left_to_try(owner, sets_of(size, int(self.counts[owner]), self.reach.shape[1]))
        return self._most_promising(self._flipping_sets(owner, sets))

    def alternatives(self, delta: FloatMatrix) -> Alternatives:
        """What else would do instead of these changes."""
        size, moved = np.count_nonzero(delta, axis=1), delta != 0
        others = np.where(self._met_size == size, self._met - 1, 0)
        singles = np.zeros(delta.shape, dtype=bool)
        owners, place = np.nonzero(self.single_flips)
        singles[owners, self.aspects[owners, place]] = True
        return Alternatives(singles & ~moved, np.maximum(others, 0), self.all_met & (self._met_size == size))

    def proven(self, found: Flipping) -> Flipping:
        """Try every smaller set, for owners whose budget this fits; a smaller one that flips takes the place.

        Where most sets need not be tried, since a bound shows that they miss, more of them fit.
        """
        found = self._fewest(found)
        owners, first = np.unique(found.owners, return_index=True)
        sizes = found.sets[first].sum(axis=1)
        self.tried_out[owners[sizes <= 2]] = True  # every single aspect was tried when growing
        needed = np.array([how_many_below(int(n), int(r)) for n, r in zip(self.counts[owners], sizes, strict=True)])
        chosen = (sizes > 2) & (needed <= SETS_PER_SCORING * self.settings.budget)
        owners, sizes, needed = owners[chosen], sizes[chosen], needed[chosen]
        self._screen(owners[needed >= WORTH_SCREENING])
        if self._screened is None:
            owners, sizes = owners[needed <= self.settings.budget], sizes[needed <= self.settings.budget]
        sets = [self._left_to_try(owner, self._sets_below(owner, size)) for owner, size in _pairs(owners, sizes)]
        fits = np.array([len(left) <= self.settings.budget for left in sets], dtype=bool)
        self.tried_out[owners[fits]] = True
        self.tried_below[owners[fits]] = sizes[fits]
        asked = zip(_pairs(owners, sizes), sets, fits, strict=True)
        smaller = [
            self._smallest_flipping(owner, size, left) for (owner, size), left, fit in asked if fit and len(left)
        ]
        replaced = np.array([part.owners[0] for part in smaller if len(part.owners)], dtype=np.int64)
        self.tried_below[replaced] = [part.sets[0].sum() for part in smaller if len(part.owners)]
        return Flipping.joined([found.part(~np.isin(found.owners, replaced)), *smaller])

    def _fewest(self, found: Flipping) -> Flipping:
        """Of each owner's sets, those of the fewest aspects."""
        sizes = found.sets.sum(axis=1)
        fewest = np.full(len(self.counts), self.reach.shape[1])
        np.minimum.at(fewest, found.owners, sizes)
        return found.part(sizes == fewest[found.owners])

    def sought(self, found: Flipping) -> Flipping:
        """Try every set, for owners whose grown one never flipped and whose budget this fits."""
        missed = np.setdiff1d(self._short_of_it(), found.owners)
        limits = np.minimum(self.widths[missed], self.most)
        self.none_flips[missed[limits <= 1]] = True  # every single aspect was tried when growing
        fits = [
            limit >= 2 and how_many_below(int(count), int(limit) + 1) <= self.settings.budget
            for count, limit in zip(self.counts[missed], limits, strict=True)
        ]
        missed, limits = missed[np.array(fits, dtype=bool)], limits[np.array(fits, dtype=bool)]
        searched = [
            self._smallest_flipping(owner, limit + 1, self._sets_below(owner, limit + 1))
            for owner, limit in _pairs(missed, limits)
        ]
        self.tried_out[[part.owners[0] for part in searched if len(part.owners)]] = True
        self.none_flips[missed] = [not len(part.owners) for part in searched]
        self.tried_below[missed] = [
            part.sets[0].sum() if len(part.owners) else limit + 1 for part, limit in zip(searched, limits, strict=True)
        ]
        return Flipping.joined([found, *searched])

    def _screen(self, owners: IntVector) -> None:
        """Make ready to screen the sets of these owners, from the last set that each has grown."""
        grown = self._columns.of(owners, self.nearest[owners])
        self._screened = self.problem.screen(owners, *grown) if len(owners) else None

    def _left_to_try(self, owner: int, sets: BoolMatrix) -> BoolMatrix:
        """Those of an owner's sets that are not known to miss."""
        if self._screened is None:
            return sets
        count = int(self.counts[owner])
        aspects, reach = self.aspects[owner, :count], self.reach[owner, :count]
        return sets[self._screened.may_flip(owner, aspects, reach, sets[:, :count])]

    def _sets_below(self, owner: int, size: int) -> BoolMatrix:
        """All sets of an owner with 2 to size − 1 aspects."""
        return sets_of_2_to(size - 1, int(self.counts[owner]), self.reach.shape[1])

    def _smallest_flipping(self, owner: int, size: int, sets: BoolMatrix) -> Flipping:
        """Of these sets of an owner, all of fewer aspects, the smallest ones that flip; usually there is none."""
        flipping = self._flipping_sets(owner, sets)
        sizes = flipping.sets.sum(axis=1)
        fewest = flipping.part(sizes == sizes.min(initial=size))
        self.all_met[fewest.owners[:1]] = True
        return self._most_promising(fewest)

    def _flipping_sets(self, owner: int, sets: BoolMatrix) -> Flipping:
        """Those of these sets of one owner that flip."""
        count = int(self.counts[owner])
        owners, sets = self._without_twins(np.full(len(sets), owner), sets)
        aspects, reach = self.aspects[owner, :count], self.reach[owner, :count]
        tried = Flipping(owners, sets, self.problem.gaps_of_sets(owner, aspects, reach, sets[:, :count]))
        return tried.part(self._flips(tried))

    def pruned(self, found: Flipping) -> Flipping:
        """Leave out aspects while the rest flips. Where every smaller set was tried, nothing can be left out."""
        sets, gaps = found.sets.copy(), found.gaps.copy()
        waiting = np.flatnonzero(~self.tried_out[found.owners])
        left = np.zeros(len(sets), dtype=bool)
        while len(waiting):
            which, fewer, left[waiting] = self._one_fewer(found.owners[waiting], sets[waiting])
            tried = self._probed(found.owners[waiting[which]], fewer)
            flips = np.flatnonzero(self._flips(tried))
            best = flips[first_of_each(which[flips], tried.gaps[flips])]
            waiting = waiting[which[best]]
            sets[waiting], gaps[waiting] = tried.sets[best], tried.gaps[best]
        self.choices_left[found.owners[left]] = True
        return Flipping(found.owners, sets, gaps)

    def _one_fewer(self, owners: IntVector, sets: BoolMatrix) -> tuple[IntVector, BoolMatrix, BoolVector]:
        """Every set that has one aspect less than one of these, in every choice of values; and which one that is.

        Where there are too many choices for the budget, the values of the set itself are kept. The last result says
        for which sets this is so.
        """
        which, dropped = np.nonzero(sets)
        fewer = sets[which]
        fewer[np.arange(len(fewer)), dropped] = False
        left = np.zeros(len(sets), dtype=bool)
        if not self.twins.any():
            return which, fewer, left
        parts: list[BoolMatrix] = [fewer[:0]]
        for place, flags in zip(which.tolist(), fewer, strict=True):
            owner, budget = int(owners[place]), self.settings.budget // int(sets[place].sum())
            choices = choices_of(self.same_aspect[owner, : int(self.counts[owner])], flags, budget)
            left[place] |= choices is None
            parts.append(flags[None] if choices is None else choices)
        return np.repeat(which, [len(part) for part in parts[1:]]), np.concatenate(parts), left

    def shrunk(self, found: Flipping) -> FloatMatrix:
        """Shrink the sets and keep for each owner the fewest aspects and, of these, the smallest change."""
        aspects, reach = self._columns.of(found.owners, found.sets)
        costs = self.problem.costs[aspects]
        gap_before, jumps = self.gap_before[found.owners], self._columns.jumps(found.owners, found.sets)
        fixed = self._columns.fixed(found.owners, found.sets)
        packed = Sets(found.owners, aspects, reach, costs, gap_before, found.gaps, jumps, fixed)
        change, with_room = reach.copy(), np.flatnonzero((found.gaps < 0) & (not self.problem.whole))
        change[with_room] = self.problem.shrunk(packed.part(with_room), self.shrinking)
        order = np.lexsort((packed.norm(change), *self._less_telling(found, aspects, change), found.owners))
        best = order[np.unique(found.owners[order], return_index=True)[1]]
        delta = self._no_change(len(self.counts))
        put_changes(delta, found.owners[best], aspects[best], change[best], reach[best] != 0)
        return delta

    def _less_telling(self, found: Flipping, aspects: IntMatrix, change: FloatMatrix) -> tuple[NDArray[Any], ...]:
        """What speaks against sets, the weakest first: little worth, a change too small to see, many aspects."""
        small = too_small_to_see(change, self.problem.span[aspects])
        unseen = np.asarray(small.all(axis=1)) & (self.problem.worth is not None)
        return -self._worth(found), unseen, found.sets.sum(axis=1)

    def proof(self, found: Flipping, delta: FloatMatrix) -> NDArray[np.int8]:
        """What is known of the changes. If shrinking left out an aspect, what remains was never tried."""
        proof = np.full(len(delta), Proof.FOUND, dtype=np.int8)
        complete = found.sets.sum(axis=1) == np.count_nonzero(delta[found.owners], axis=1)
        proof[found.owners[complete & ~self.choices_left[found.owners]]] = Proof.IRREDUCIBLE
        proof[found.owners[self.tried_out[found.owners]]] = Proof.SMALLEST
        return proof

    def proof_again(self, proof: NDArray[np.int8], delta: FloatMatrix) -> NDArray[np.int8]:
        """The proof with *irreducible* where shrinking left out an aspect and no other can be left out either."""
        change = np.take_along_axis(delta, self.aspects, axis=1)
        left = (change * self.reach) > 0
        if self.fixed is not None:
            left &= ~self.fixed | (change == self.reach)
        asked = np.flatnonzero((proof == Proof.FOUND) & left.any(axis=1))
        which, fewer, choices_left = self._one_fewer(asked, left[asked])
        reducible = np.isin(np.arange(len(delta)), self.flipping(asked[which], fewer).owners)
        again = (proof == Proof.FOUND) & left.any(axis=1) & ~reducible
        again[asked[choices_left]] = False
        return np.where(again, Proof.IRREDUCIBLE, proof).astype(np.int8)

    def fill_in_misses(self, delta: FloatMatrix) -> None:
        """For an owner without a set that flips, the set that came nearest, at its bounds."""
        missed = np.flatnonzero(~delta.any(axis=1))
        aspects, reach = self._columns.of(missed, self.nearest[missed])
        put_changes(delta, missed, aspects, reach, reach != 0)

    def proven_misses(self) -> BoolVector:
        """For which owners no change at all is enough: all their moves are fixed, and every set of them was tried."""
        unused = self.reach == 0
        all_fixed = unused.all(axis=1) if self.fixed is None else (self.fixed | unused).all(axis=1)
        return self.none_flips & all_fixed

    def _no_change(self, rows: int) -> FloatMatrix:
        return np.zeros((rows, len(self.problem.costs)), dtype=np.float32)

    def _probed(self, owners: IntVector, sets: BoolMatrix) -> Flipping:
        return Flipping(owners, sets, self._gaps(owners, sets))

    def _gaps(self, owners: IntVector, sets: BoolMatrix) -> FloatVector:
        return self.problem.gaps(owners, *self._columns.of(owners, sets))


def _pairs(owners: IntVector, sizes: IntVector) -> list[tuple[int, int]]:
    return list(zip(owners.tolist(), sizes.tolist(), strict=True))
