"""Possible values: where a change of an aspect may lead if its value must be one that an item can have.

A value made from opinions lies on the ladder of its scale: its *rungs*. Any other lies between the least and the
greatest that an item of the catalogue has. Either may be absent, which is worse than every rung. All functions work on
entries: one aspect number, one value before the change and one value each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.opinions import Ladder
from counterec.core.space import AspectSpace

SAME = 2e-6
"""A value as near as this to a rung is that rung, off by rounding."""

GONE = -1
"""Stands for *absent* among the numbers of rungs."""


def possible_values(space: AspectSpace, aspects: IntVector, values: FloatVector) -> FloatVector:
    """The possible value that each of these values stands for: the nearest."""
    absent = space.scale.absent[aspects]
    if space.scale.ladder is not None:
        present = space.scale.ladder.values[space.scale.ladder.nearest(values)]
    else:
        present = np.clip(values, *(end[aspects] for end in space.possible))
    return np.where(np.abs(values - absent) < np.abs(values - present), absent, present).astype(np.float32)


@dataclass(frozen=True)
class Rungs:
    """The ladder of a space, with the lowest rung of each aspect that an item may fall to."""

    ladder: Ladder
    lowest: IntVector
    absent: FloatVector

    @classmethod
    def of(cls, space: AspectSpace, ladder: Ladder) -> Rungs:
        """The rungs of the values that are possible."""
        return cls(ladder, np.searchsorted(ladder.values, space.possible[0]), space.scale.absent)

    def values(self, rungs: IntVector, aspects: IntVector) -> FloatVector:
        """The values of these rungs."""
        return np.where(rungs == GONE, self.absent[aspects], self.ladder.values[rungs]).astype(np.float32)

    def at(self, aspects: IntVector, values: FloatVector) -> IntVector:
        """The rung that each of these values is."""
        gone = np.abs(values - self.absent[aspects]) <= SAME
        return np.where(gone, GONE, self.ladder.nearest(values))

    def at_or_below(self, aspects: IntVector, before: FloatVector, values: FloatVector) -> IntVector:
        """The highest rung that is not above each value, and below the value before the change."""
        rungs = np.minimum(np.searchsorted(self.ladder.values, values + SAME, "right"), self._first_above(before)) - 1
        return np.where(rungs < self.lowest[aspects], GONE, rungs)

    def at_or_above(self, aspects: IntVector, before: FloatVector, values: FloatVector) -> IntVector:
        """The lowest rung that is not below each value, and above the value before the change.

        An absent aspect that gets better is praised more often than criticised.
        """
        rungs = np.maximum(np.searchsorted(self.ladder.values, values - SAME), self._first_after(aspects, before))
        return np.minimum(rungs, len(self.ladder.values) - 1)

    def one_up(self, aspects: IntVector, before: FloatVector, rungs: IntVector) -> FloatVector:
        """The value one rung higher, back towards the value before the change; at last that value itself."""
        up = np.where(rungs == GONE, self.lowest[aspects], rungs + 1)
        return np.where(up >= self._first_above(before), before, self.ladder.values[np.minimum(up, self._last)])

    def one_down(self, aspects: IntVector, before: FloatVector, rungs: IntVector) -> FloatVector:
        """The value one rung lower, back towards the value before the change; at last that value itself."""
        down = rungs - 1
        return np.where(down < self._first_after(aspects, before), before, self.ladder.values[np.maximum(down, 0)])

    @property
    def _last(self) -> int:
        return len(self.ladder.values) - 1

    def _first_above(self, before: FloatVector) -> IntVector:
        """The first rung that is not below the value before the change."""
        return np.searchsorted(self.ladder.values, before)

    def _first_after(self, aspects: IntVector, before: FloatVector) -> IntVector:
        """The first rung above the value before the change; of an absent aspect, that of a balance of 1."""
        first = np.searchsorted(self.ladder.values, before, "right")
        return np.where(before == self.absent[aspects], np.searchsorted(self.ladder.balance, 1), first)
