"""Possible values: where a change of an aspect may lead if its value must be one that an item can have.

A value made from opinions is one that more complaints or praises would give: its *rungs*. Any other lies between the
least and the greatest that an item of the catalogue has; an attribute of a schema, on a step of its own or at one of
its few values. Either may be absent, which is worse than every rung. All
functions work on entries: one item, one aspect number, one value before the change and one value each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolVector, FloatVector, IntVector
from counterec.core.counted_values import CountedValues
from counterec.core.space import AspectSpace

SAME = 2e-6
"""A value as near as this to a rung is that rung, off by rounding."""

GONE = -1
"""Stands for *absent* among the numbers of rungs."""


def possible_values(space: AspectSpace, items: IntVector, aspects: IntVector, values: FloatVector) -> FloatVector:
    """The possible value that each of these values stands for: the nearest."""
    absent, counted = space.scale.absent[aspects], space.counted_values
    if counted is not None:
        present = counted.value(items, aspects, _nearest(counted, items, aspects, values))
    else:
        present = np.clip(space.scale.on_steps(aspects, values), *(end[aspects] for end in space.possible))
    gone = (np.abs(values - absent) < np.abs(values - present)) & space.scale.can_be_absent[aspects]
    return np.where(gone, absent, present).astype(np.float32)


def values_on_steps(space: AspectSpace, aspects: IntVector, values: FloatVector, rises: BoolVector) -> FloatVector:
    """For attributes of a schema: the first possible value at or beyond each value, on the way down or up.

    Beyond the last possible one lies *absent*, if its code lies there, too.
    """
    scale, (least, greatest) = space.scale, (end[aspects] for end in space.possible)
    up, down = scale.on_steps(aspects, values, np.ceil), scale.on_steps(aspects, values, np.floor)
    onward = np.where(rises, up, down)
    absent = scale.absent[aspects]
    beyond = np.where(rises, (onward > greatest) & (absent > greatest), (onward < least) & (absent < least))
    gone = beyond & scale.can_be_absent[aspects]
    return np.where(gone, absent, np.clip(onward, least, greatest)).astype(np.float32)


def _nearest(counted: CountedValues, items: IntVector, aspects: IntVector, values: FloatVector) -> IntVector:
    """The rung nearest to each value; of two that are equally near, the lower."""
    above = np.minimum(counted.search(items, aspects, values), counted.last)
    below = np.maximum(above - 1, 0)
    # In single precision, the middle of two neighbours is one of them.
    given, high, low = (
        np.asarray(each, dtype=np.float64)
        for each in (values, counted.value(items, aspects, above), counted.value(items, aspects, below))
    )
    return np.where(np.abs(high - given) < np.abs(given - low), above, below)


@dataclass(frozen=True)
class Rungs:
    """The rungs of a space, and the least value of each aspect that an item may fall to."""

    counted: CountedValues
    least: FloatVector
    absent: FloatVector

    @classmethod
    def of(cls, space: AspectSpace, counted: CountedValues) -> Rungs:
        """The rungs of the values that are possible."""
        return cls(counted, space.possible[0], space.scale.absent)

    def values(self, items: IntVector, aspects: IntVector, rungs: IntVector) -> FloatVector:
        """The values of these rungs."""
        present = self.counted.value(items, aspects, np.maximum(rungs, 0))
        return np.where(rungs == GONE, self.absent[aspects], present).astype(np.float32)

    def at_or_below(self, items: IntVector, aspects: IntVector, before: FloatVector, values: FloatVector) -> IntVector:
        """The highest rung that is not above each value, and below the value before the change."""
        not_above = self.counted.search(items, aspects, values + SAME, "right")
        rungs = np.minimum(not_above, self._first_above(items, aspects, before)) - 1
        return np.where(rungs < self._lowest(items, aspects), GONE, rungs)

    def at_or_above(self, items: IntVector, aspects: IntVector, before: FloatVector, values: FloatVector) -> IntVector:
        """The lowest rung that is not below each value, and above the value before the change.

        An absent aspect that gets better is praised more often than criticised.
        """
        not_below = self.counted.search(items, aspects, values - SAME)
        rungs = np.maximum(not_below, self._first_after(items, aspects, before))
        return np.minimum(rungs, self.counted.last)

    def one_up(self, items: IntVector, aspects: IntVector, before: FloatVector, at: FloatVector) -> FloatVector:
        """The value one rung above ``at``, back towards the value before the change; at last that value itself."""
        gone = np.abs(at - self.absent[aspects]) <= SAME
        up = self.counted.search(items, aspects, self._snapped(items, aspects, at), "right")
        up = np.where(gone, self._lowest(items, aspects), up)
        value = self.counted.value(items, aspects, np.minimum(up, self.counted.last))
        return np.where(up >= self._first_above(items, aspects, before), before, value)

    def one_down(self, items: IntVector, aspects: IntVector, before: FloatVector, at: FloatVector) -> FloatVector:
        """The value one rung below ``at``, back towards the value before the change; at last that value itself."""
        down = self.counted.search(items, aspects, self._snapped(items, aspects, at)) - 1
        value = self.counted.value(items, aspects, np.maximum(down, 0))
        return np.where(down < self._first_after(items, aspects, before), before, value)

    def _snapped(self, items: IntVector, aspects: IntVector, at: FloatVector) -> FloatVector:
        """These values freed from the rounding of a sum."""
        return self.counted.value(items, aspects, _nearest(self.counted, items, aspects, at))

    def _lowest(self, items: IntVector, aspects: IntVector) -> IntVector:
        """The lowest rung that an item may fall to."""
        return self.counted.search(items, aspects, self.least[aspects])

    def _first_above(self, items: IntVector, aspects: IntVector, before: FloatVector) -> IntVector:
        """The first rung that is not below the value before the change."""
        return self.counted.search(items, aspects, before)

    def _first_after(self, items: IntVector, aspects: IntVector, before: FloatVector) -> IntVector:
        """The first rung above the value before the change; of an absent aspect, the first that praises."""
        first = self.counted.search(items, aspects, before, "right")
        return np.where(before == self.absent[aspects], self.counted.first_praised(items, aspects), first)
