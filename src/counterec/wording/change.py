"""The change of one aspect of an item: what may be said about it, and with how many digits."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Literal

import numpy as np

from counterec.core.arrays import require

SLIGHT = 0.25
"""A change is *slight* when it is under this share of the aspect's scale: under 1.0 on a scale from 1 to 5."""

MOST_DIGITS = 17
"""Two numbers that agree to this many digits are shown as equal."""

MATCH_TOLERANCE = 1e-6
"""How far a value taken over from another item may lie from it after float32 rounding, relative to max(1, |value|)."""

Degree = Literal["worse", "slightly_worse", "better", "slightly_better"]
DEGREES: tuple[Degree, ...] = ("worse", "slightly_worse", "better", "slightly_better")
"""The order in which a sentence names them."""


@dataclass(frozen=True)
class Change:
    """One aspect of an item, before and after."""

    aspect: str
    before: float
    after: float
    span: float = 4.0
    """The length of the aspect's scale."""
    absent: float = 0.0
    """The value that stands for *never reviewed on this aspect*."""
    low: float = 1.0
    """The lowest value that a review can lead to."""
    low_is_worse: bool = True
    """Which end of the scale is the worse one."""
    other: float | None = None
    """The value of the other item, where the change is to take it over."""

    def __post_init__(self) -> None:
        require(bool(self.aspect), "a change names no aspect")
        for name in ("before", "after", "span", "absent", "low"):
            value = getattr(self, name)
            require(isfinite(value), f"{name} of {self.aspect} is {value}; it must be a finite number")
        require(self.span > 0, f"span of {self.aspect} is {self.span}; it must be above 0")
        require(self.before != self.after, f"{self.aspect} is {self.before} before and after: that is no change")
        require(
            self.other is None or abs(self.other - self.after) <= MATCH_TOLERANCE * max(1.0, abs(self.other)),
            f"{self.aspect} ends at {self.after}, but the value to take is {self.other}",
        )

    @property
    def removed(self) -> bool:
        """Whether the aspect is absent after the change."""
        return self.after == self.absent

    @property
    def added(self) -> bool:
        """Whether the aspect was absent before the change."""
        return self.before == self.absent

    @property
    def moved(self) -> bool:
        """Whether the aspect is present before and after the change."""
        return not (self.removed or self.added)

    @property
    def high(self) -> float:
        """The highest value that a review can lead to."""
        return self.low + self.span

    @property
    def off_scale(self) -> bool:
        """Whether it ends, but does not begin, between the scale and *absent*, where no reviewed item lies."""
        return self._off(self.after) and not self._off(self.before)

    def _off(self, value: float) -> bool:
        return self.absent < value < self.low or self.high < value < self.absent

    @property
    def worse(self) -> bool:
        """Whether it moves towards the worse end."""
        return (self.after < self.before) == self.low_is_worse

    @property
    def slight(self) -> bool:
        """Whether it moves by less than ``SLIGHT`` of the scale; losing or gaining an aspect is never slight."""
        return self.moved and abs(self.after - self.before) < SLIGHT * self.span

    @property
    def degree(self) -> Degree:
        """Which way it moves, and whether only slightly."""
        if self.worse:
            return "slightly_worse" if self.slight else "worse"
        return "slightly_better" if self.slight else "better"

    def shown(self, digits: int = 1) -> tuple[str, str]:
        """Before and after with this many digits, or as many more as it takes to tell them apart."""
        before, after = apart(self.before, self.after, digits=digits)
        return before, after


def apart(*values: float, digits: int) -> tuple[str, ...]:
    """The numbers with this many digits, or as many more as it takes for different numbers to look different."""
    different = len({float(value) for value in values})
    while True:
        shown = tuple(f"{float(value):z.{digits}f}" for value in values)
        if len(set(shown)) == different or digits >= MOST_DIGITS:
            return shown
        digits += 1


def whole(value: float, digits: int = 1) -> str:
    """The number with this many digits, or as many more as it takes to be exact in float32."""
    while True:
        shown = f"{float(value):z.{digits}f}"
        if np.float32(shown) == np.float32(value) or digits >= MOST_DIGITS:
            return shown
        digits += 1
