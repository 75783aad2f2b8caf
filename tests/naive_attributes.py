"""Where attributes may go: numbers on their steps, categories to any other value. Plain Python, from the rules.

It imports nothing of counterec. Codes are as a space holds them: numbers as they are, categories by their place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil, floor

import numpy as np

from tests.naive_values import Way


@dataclass(frozen=True)
class Plain:
    """One attribute: the steps of a number or the count of a category's values, and what may become of it."""

    step: float | None
    """None for a category."""
    count: int = 0
    yes_no: bool = False
    either_way: bool = False
    can_be_absent: bool = False
    stays: bool = False
    """Whether it is kept or derived."""
    move_costs: Mapping[tuple[float, float], float] = field(default_factory=dict)
    """By codes; both ways unless both are given."""

    def move_cost(self, before: float, after: float) -> float:
        return self.move_costs.get((before, after), self.move_costs.get((after, before), 1.0))


class AttributeWay(Way):
    """An attribute of an item: every value that it may move to is known."""

    @property
    def plain(self) -> Plain:
        assert self.scale.attributes is not None
        return self.scale.attributes[self.aspect]

    @property
    def stays(self) -> bool:
        return self.plain.stays or super().stays

    def worse(self, value: float) -> bool:
        """Whether a value is worse than its own, as far as a question may ask for it."""
        return value != self.own if self.plain.either_way else super().worse(value)

    @property
    def counted(self) -> bool:
        return False

    def stops(self, absent_allowed: bool = False) -> list[float]:
        """All values that it may move to, the nearest first."""
        if self.stays:
            return []
        low, high = self.bounds
        if self.kind == "why_rather_takes":
            reached = [self.other] if self.other != self.absent and self._this_way(self.other) else []
            reached += [self.absent] if self.other == self.absent and absent_allowed and self.own != self.absent else []
        else:
            reached = [value for value in self._values() if value != self.own and self._this_way(value)]
            gone = absent_allowed and self.plain.can_be_absent and self.kind != "why_not"
            reached += [self.absent] if gone else []
        allowed = [value for value in reached if low <= value <= high]
        return sorted(allowed, key=lambda value: abs(value - self.own))

    def _this_way(self, value: float) -> bool:
        """Whether the question asks for it: a worse value, or a better one; from absent, any."""
        if self.plain.either_way or self.own == self.absent:
            return True
        return self.worse(value) == (self.kind != "why_not")

    def _values(self) -> list[float]:
        """All its values: those of a category, or whole steps within what items have."""
        if self.plain.step is None:
            return [float(code) for code in range(self.plain.count)]
        step, (least, greatest) = self.plain.step, self.limits
        steps = range(ceil(least / step - 1e-3), floor(greatest / step + 1e-3) + 1)
        return [float(np.float32(count * step)) for count in steps]

    def ends(self, absent_allowed: bool = False) -> list[float]:
        """Where whole moves lead: to every value of a category, and to the furthest one on each side of a number."""
        stops = self.stops(absent_allowed)
        if self.plain.step is None:
            return stops
        if self.own == self.absent and stops:
            best = max(stops) if self.low_is_worse else min(stops)
            return sorted({min(stops), max(stops)}) if self.plain.either_way else [best]
        below, above = [value for value in stops if value < self.own], [value for value in stops if value > self.own]
        return [*([min(below)] if below else []), *([max(above)] if above else [])]

    def possible(self, value: float, absent_allowed: bool = False) -> bool:
        return value in self.stops(absent_allowed)
