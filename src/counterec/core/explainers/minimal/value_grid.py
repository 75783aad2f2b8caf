"""The smallest change of given aspects at counted values, found on grids of values that are tried in one call each.

A black box may take as long for one row as for a hundred. So the values of a set's aspects are combined, all
combinations are tried at once, and the smallest change that flips is kept. Where there are too many values, every so
many of them make a coarse grid, and the next grid lies between its best point and the points before that one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolVector, FloatMatrix, IntMatrix, IntVector
from counterec.core.counted_values import CountedValues
from counterec.core.explainers.minimal.shrinking import Sets
from counterec.core.explainers.probe import SlopeProbe
from counterec.core.explainers.question import Question
from counterec.core.explainers.single.counted import steps_of
from counterec.core.explainers.single_moves import SingleMoves

POINTS = 144
"""At most this many combinations of a set's values are tried in one call."""

MOST_ASPECTS = POINTS.bit_length() - 1
"""A grid has at least two values for each aspect, which is possible for so many."""


@dataclass(frozen=True)
class ValueGrid:
    """The changes that each aspect of some sets may make, from none to its bound; unused columns make none."""

    sets: Sets
    options: FloatMatrix
    """[sets, columns, options], the smallest change first."""
    counts: IntMatrix
    """[sets, columns]: how many options there are."""

    @classmethod
    def of(cls, question: Question, sets: Sets, counted: CountedValues) -> ValueGrid:
        """The counted values on the way to the bounds."""
        which, column = np.nonzero(sets.reach)
        moves = SingleMoves(np.arange(len(which)), sets.aspects[which, column], sets.reach[which, column])
        steps = steps_of(question.rows(sets.rows[which]), moves, counted)
        order = np.lexsort((np.abs(steps.reach), steps.rows))
        entry, change = steps.rows[order], steps.reach[order]
        place = 1 + np.arange(len(entry)) - np.searchsorted(entry, entry)
        counts = np.ones(sets.reach.shape, dtype=np.int64)
        counts[which, column] += np.bincount(entry, minlength=len(which))
        options = np.zeros((*sets.reach.shape, int(counts.max(initial=1))), dtype=np.float32)
        options[which[entry], column[entry], place] = change
        return cls(sets, options, counts)

    def smallest(self, probe: SlopeProbe) -> tuple[FloatMatrix, BoolVector]:
        """For each set the smallest change found that flips, and whether every combination was tried.

        With every aspect at its bound each set flips.
        """
        best: IntMatrix = self.counts - 1
        first, exhausted = np.zeros_like(best), np.ones(len(best), dtype=bool)
        going = np.arange(len(best))
        while len(going):
            part = self._part(going)
            places, sizes = part.places_tried(first[going], best[going])
            chosen = part.best_of(probe, places, sizes)
            whole = (sizes == best[going] - first[going] + 1).all(axis=1)
            exhausted[going] &= whole
            best[going], first[going] = _around(places, chosen, first[going])
            going = going[~whole & (first[going] < best[going]).any(axis=1)]
        return self.at(np.arange(len(best)), best), exhausted

    def places_tried(self, first: IntMatrix, last: IntMatrix) -> tuple[IntMatrix, IntMatrix]:
        """Which options between these are tried, [sets, columns, tried], evenly spaced; and how many."""
        used = np.maximum(np.count_nonzero(self.sets.reach, axis=1), 1)
        each = np.floor(POINTS ** (1 / used) + 1e-9).astype(np.int64)
        length = last - first + 1
        sizes = np.minimum(each[:, None], length)
        turns_left = np.maximum(sizes[..., None] - 1 - np.arange(sizes.max(initial=1)), 0)
        return last[..., None] - turns_left * length[..., None] // sizes[..., None], sizes

    def best_of(self, probe: SlopeProbe, places: IntMatrix, sizes: IntMatrix) -> IntMatrix:
        """For each set the combination of tried places with the smallest change that flips, as turns per column."""
        owners, turns = _combinations(sizes)
        tried = self.at(owners, np.take_along_axis(places[owners], turns[..., None], axis=2)[..., 0])
        gaps = probe.gaps(self.sets.rows[owners], self.sets.aspects[owners], tried)
        norm = self.sets.part(owners).norm(tried)
        at_bounds = (turns == sizes[owners] - 1).all(axis=1)
        flips = (gaps < 0) | at_bounds  # that these flip is known, or it would be no set
        order = np.lexsort((norm, ~flips, owners))
        return turns[order[np.unique(owners[order], return_index=True)[1]]]

    def at(self, owners: IntVector, places: IntMatrix) -> FloatMatrix:
        """The changes of these sets at these places."""
        return np.take_along_axis(self.options[owners], places[..., None], axis=2)[..., 0]

    def _part(self, rows: IntVector) -> ValueGrid:
        return ValueGrid(self.sets.part(rows), self.options[rows], self.counts[rows])


def _combinations(sizes: IntMatrix) -> tuple[IntVector, IntMatrix]:
    """Every combination of turns below these sizes, row by row: the row, and the turn of each column."""
    totals = sizes.prod(axis=1)
    owners = np.repeat(np.arange(len(sizes)), totals)
    left = np.arange(len(owners)) - np.repeat(np.cumsum(totals) - totals, totals)
    turns = np.empty((len(owners), sizes.shape[1]), dtype=np.int64)
    for column in range(sizes.shape[1]):
        left, turns[:, column] = np.divmod(left, sizes[owners, column])
    return owners, turns


def _around(places: IntMatrix, chosen: IntMatrix, first: IntMatrix) -> tuple[IntMatrix, IntMatrix]:
    """The places chosen, and the first ones that lie behind the places tried before them."""
    best = np.take_along_axis(places, chosen[..., None], axis=2)[..., 0]
    before = np.take_along_axis(places, np.maximum(chosen - 1, 0)[..., None], axis=2)[..., 0]
    return best, np.where(chosen == 0, first, before + 1)
