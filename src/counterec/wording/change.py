"""The change of one aspect of an item: what may be said about it, in how many digits, and what it takes in reviews."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Literal

import numpy as np

from counterec.core.arrays import require
from counterec.core.attributes import Attribute
from counterec.core.opinions import Ladder
from counterec.core.space import AspectSpace

SLIGHT = 0.25
"""A change is *slight* when it is under this share of the aspect's scale: under 1.0 on a scale from 1 to 5."""

MOST_DIGITS = 17
"""Two numbers that agree to this many digits are shown as equal."""

SINGLE_DIGITS = 9
"""Nine digits tell any two numbers of single precision apart."""

MOST_NAMED = 3
"""A sentence names at most this many aspects."""

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
    praises: int | None = None
    """How many praises stand behind the value before; None where opinions are not counted."""
    complaints: int | None = None
    """How many complaints stand behind it."""
    balance_after: int | None = None
    """Praises − complaints that lead to the value after; None where no number of opinions does, or nobody knows."""
    digits: int = 1
    """The fewest digits that tell the value after from every other one that opinions can give."""
    attribute: Attribute | None = None
    """The attribute of a schema that the aspect is; None where it is a quality that reviews alone tell."""

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
        self._require_counts()

    def _require_counts(self) -> None:
        counts = (self.praises, self.complaints)
        said = f"{self.aspect} has {self.praises} praises and {self.complaints} complaints"
        require((self.praises is None) == (self.complaints is None), f"{said}: both are known, or neither is")
        require(all(count is None or count >= 0 for count in counts), f"{said}: a count is 0 or more")
        require(
            self.opinions is None or (self.opinions == 0) == self.added,
            f"{said}, but its value is {self.before}: only what nobody has reviewed is absent",
        )
        require(not (self.removed and self.balance_after is not None), f"{self.aspect} is absent: no opinions are left")
        if self.moved and self.more is not None:
            fits = self.more != 0 and (self.more < 0) == self.worse
            require(fits, f"{said}; {self.balance_after} more praises than complaints do not lead to {self.after}")

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
    def opinions(self) -> int | None:
        """How many opinions stand behind the value before."""
        return None if self.praises is None or self.complaints is None else self.praises + self.complaints

    @property
    def more(self) -> int | None:
        """How many more praises (above 0) or complaints (below 0) lead to the value after; None if not known."""
        if self.praises is None or self.complaints is None or self.balance_after is None:
            return None
        return self.balance_after - (self.praises - self.complaints)

    @property
    def counted(self) -> bool:
        """Whether it is known what the change takes in opinions."""
        return self.more is not None or (self.removed and self.opinions is not None)

    @property
    def either_way(self) -> bool:
        """Whether neither end of the scale is worse."""
        return self.attribute is not None and self.attribute.either_way

    @property
    def good(self) -> bool:
        """Whether the value before lies in the better half of the scale, if it has one."""
        if self.either_way:
            return not self.added
        middle = self.low + self.span / 2
        return not self.added and (self.before >= middle if self.low_is_worse else self.before <= middle)

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
    def size(self) -> float:
        """How far it moves, as a share of the scale; 1 for a category, and for an attribute that is lost or gained."""
        if self.attribute is not None and not (self.moved and self.attribute.is_number):
            return 1.0
        return abs(self.after - self.before) / self.span

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
        before, after = apart(self.before, self.after, digits=max(digits, self.digits))
        return before, after


def choose_named(changes: Sequence[Change]) -> Sequence[Change]:
    """Return the changes that a sentence names: all of them, or the largest of many."""
    if len(changes) <= MOST_NAMED:
        return changes
    return sorted(changes, key=lambda change: -change.size)[:MOST_NAMED]


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


def meant_value(space: AspectSpace, value: float, item: int = 0, aspect: int = 0) -> float:
    """The value of the ladder that a shown number stands for: the nearest, if it is shown like this.

    By Eq. 1 the ladder is the same for every aspect of every item; by shares of praise it is theirs.

    A number that stands for none, such as 2.5 or the 0 of an absent aspect, is taken as it is, and so is every number
    in a space without a ladder.
    """
    ladder = space.ladder_of(item, aspect)
    if ladder is None:
        return value
    nearest = _nearest(ladder, value)
    return nearest if round(nearest, _decimals(value)) == value else value


def telling_digits(ladder: Ladder, value: float) -> int:
    """The fewest digits, at least 1, with which a value of the ladder is shown and read again as itself."""
    for digits in range(1, SINGLE_DIGITS):
        if _nearest(ladder, round(value, digits)) == value:
            return digits
    return SINGLE_DIGITS


def _nearest(ladder: Ladder, value: float) -> float:
    return float(ladder.values[ladder.nearest([value])[0]])


def _decimals(value: float) -> int:
    """How many digits a number has after the point, written as briefly as possible."""
    mantissa, _, exponent = repr(float(value)).partition("e")
    return max(0, len(mantissa.partition(".")[2]) - int(exponent or 0))
