"""Which values a change may lead to, how large a margin is and what an aspect is worth: plain Python, from the rules.

It imports nothing of counterec. A *way* of an aspect is where it may go, from its value to the furthest one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import exp, inf, log
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tests.naive_attributes import Plain

SHARE = 1e-4
"""A flip clears its target by this share of the standard deviation of the user's candidate scores,"""
OF_THE_LARGEST = 16 * 2.0**-23
"""and by this share of the largest of them."""


def margin_of(scores: np.ndarray, share: float = SHARE) -> float:
    """max(share · standard deviation, 16 · 2⁻²³ · largest |score|) of the scores of all of a user's candidates."""
    if not len(scores):
        return 0.0
    return max(share * float(np.std(scores)), OF_THE_LARGEST * float(np.abs(scores).max()))


def reviewed(n: int, ceiling: float = 5.0) -> float:
    """Eq. 1: what n praises more than complaints are worth, in single precision."""
    return float(np.float32(1 + (ceiling - 1) / (1 + exp(-n))))


@lru_cache
def balances(ceiling: float = 5.0) -> dict[float, int]:
    """Every value that opinions can give, in ascending order, with the balance nearest to 0 that gives it."""
    found: dict[float, int] = {}
    for n in range(50):
        found.setdefault(reviewed(n, ceiling), n)
        found.setdefault(reviewed(-n, ceiling), -n)
    return dict(sorted(found.items()))


MORE = (*range(1, 21), *range(25, 101, 5), *range(150, 1_001, 50), *range(1_500, 10_001, 500))
"""How many more complaints or praises are told apart, where values are shares of praise."""


@dataclass(frozen=True)
class Shares:
    """Per item and aspect how many praises and complaints there are; per aspect the mean that five opinions draw to."""

    praises: np.ndarray
    complaints: np.ndarray
    mean: np.ndarray
    weight: float = 5.0

    def value(self, praises: int, opinions: int, aspect: int, ceiling: float) -> float:
        """1 + (N−1)·(p + 5μ)/(t + 5), in single precision."""
        share = (praises + self.weight * float(self.mean[aspect])) / (opinions + self.weight)
        return float(np.float32(1 + (ceiling - 1) * share))

    def balances(self, item: int, aspect: int, ceiling: float) -> dict[float, int]:
        """What more complaints or praises make of a value, in ascending order, with praises − complaints then."""
        p, c = int(self.praises[item, aspect]), int(self.complaints[item, aspect])
        found = {self.value(p, p + c, aspect, ceiling): p - c} if p + c else {}
        for more in MORE:
            found.setdefault(self.value(p + more, p + c + more, aspect, ceiling), p - c + more)
            found.setdefault(self.value(p, p + c + more, aspect, ceiling), p - c - more)
        return dict(sorted(found.items()))


@dataclass(frozen=True)
class Scale:
    """Per aspect: both ends, which is worse, and *absent*; N of Eq. 1 where values are made from opinions."""

    low: np.ndarray
    high: np.ndarray
    low_is_worse: np.ndarray
    absent: np.ndarray
    ceiling: float | None
    shares: Shares | None = None
    """Where values are shares of praise, not made by Eq. 1."""
    attributes: tuple[Plain, ...] | None = None
    """Where aspects are attributes of other kinds."""
    without: np.ndarray | None = None
    """The values of an item without each aspect; None: absent."""
    opinions: tuple[np.ndarray, np.ndarray] | None = None
    """Praises and complaints of each item on each aspect."""

    @classmethod
    def reviews(cls, aspects: int, ceiling: float = 5.0) -> Scale:
        return cls(np.ones(aspects), np.full(aspects, ceiling), np.ones(aspects, bool), np.zeros(aspects), ceiling)

    @property
    def span(self) -> np.ndarray:
        span = (self.high - self.low).astype(np.float64)
        if self.attributes is None:
            return span
        return np.where([plain.step is None for plain in self.attributes], 1, span)

    def limits(self, Y: np.ndarray, aspect: int) -> tuple[float, float]:
        """The least and the greatest value that any item has; with opinions, balances of −3 and 3 are possible too."""
        had = [float(value) for value in Y[:, aspect] if value != self.absent[aspect]]
        if self.ceiling is not None:
            had += self._of_three(aspect, self.ceiling)
        return (min(had), max(had)) if had else (float(self.low[aspect]), float(self.high[aspect]))

    def lowest(self, Y: np.ndarray, item: int, aspect: int) -> float:
        """The least value that more complaints may lead to: no item with five opinions has a lower share of praise.

        With fewer than ten such items any share is possible, and the first four opinions may all be complaints.
        """
        least, _ = self.limits(Y, aspect)
        if self.opinions is None or self.ceiling is None:
            return least
        counts = list(zip(*(of[:, aspect].tolist() for of in self.opinions), strict=True))
        known = [praises / (praises + complaints) for praises, complaints in counts if praises + complaints >= 5]
        worst = min(known) if len(known) >= 10 else 0.0
        praises, complaints = counts[item]
        if worst == 0 and praises:
            return least
        more = max(complaints, 4 - praises)
        while praises and praises / (praises + more + 1) >= worst - 1e-12:
            more += 1
        if self.shares is None:
            return max(least, reviewed(max(praises - more, -60), self.ceiling))
        return max(least, self.shares.value(praises, praises + more, aspect, self.ceiling))

    def _of_three(self, aspect: int, ceiling: float) -> list[float]:
        """What three complaints, or three praises, and nothing else are worth."""
        if self.shares is None:
            return [reviewed(-3, ceiling), reviewed(3, ceiling)]
        return [self.shares.value(praises, 3, aspect, ceiling) for praises in (0, 3)]

    def rungs(self, item: int, aspect: int) -> dict[float, int]:
        """Every value that opinions can give an aspect of an item, with praises − complaints then."""
        assert self.ceiling is not None
        return balances(self.ceiling) if self.shares is None else self.shares.balances(item, aspect, self.ceiling)


@dataclass(frozen=True)
class Rules:
    """Constraints by the numbers of aspects."""

    fixed: frozenset[int] = frozenset()
    lowest: Mapping[int, float] = field(default_factory=dict)
    highest: Mapping[int, float] = field(default_factory=dict)
    values: str = "reachable"
    most: int | None = None
    masked: bool = False
    costs: Mapping[int, float] = field(default_factory=dict)
    """Per span of an aspect."""
    beyond: int | None = 3
    """Aspects may become absent where more than this many, or than ``most``, would have to get worse; None: never."""

    @property
    def few(self) -> int | None:
        """The number of aspects beyond which aspects may become absent."""
        if self.values == "continuous" or self.beyond is None:
            return None
        return self.beyond if self.most is None else min(self.beyond, self.most)


FREE = Rules()
CONTINUOUS = Rules(values="continuous")


@dataclass(frozen=True)
class Way:
    """An aspect of an item: its value, that of the item it is compared with, and what is asked."""

    kind: str
    aspect: int
    own: float
    other: float
    cared_for: bool
    rules: Rules
    scale: Scale
    limits: tuple[float, float]
    item: int = 0

    @property
    def absent(self) -> float:
        return float(self.scale.absent[self.aspect])

    @property
    def low_is_worse(self) -> bool:
        return bool(self.scale.low_is_worse[self.aspect])

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest value that the caller allows, in single precision as all values are."""
        low, high = self.rules.lowest.get(self.aspect, -inf), self.rules.highest.get(self.aspect, inf)
        return float(np.float32(low)), float(np.float32(high))

    @property
    def stays(self) -> bool:
        """It must not move, or lies outside its bounds, or is absent and would have to get worse."""
        low, high = self.bounds
        barred = self.aspect in self.rules.fixed or (self.rules.masked and not self.cared_for)
        return barred or not low <= self.own <= high or (self.kind != "why_not" and self.own == self.absent)

    def worse(self, value: float) -> bool:
        """Whether a value is worse than its own; *absent* lies where its number is."""
        return value < self.own if self.low_is_worse else value > self.own

    @property
    def absent_is_worst(self) -> bool:
        low, high = float(self.scale.low[self.aspect]), float(self.scale.high[self.aspect])
        return self.absent <= low if self.low_is_worse else self.absent >= high

    @property
    def counted(self) -> bool:
        """Whether it can only have the values that whole numbers of opinions give."""
        reachable = self.rules.values == "reachable" and self.scale.ceiling is not None
        return reachable and self.kind != "why_rather_takes"

    def stops(self, absent_allowed: bool = False) -> list[float] | None:
        """All values that it may move to, the nearest first; None where it may stop anywhere on its way."""
        if self.stays:
            return []
        if self.kind == "why_rather_takes":
            free = self.rules.values == "continuous" or absent_allowed or self.other != self.absent
            reached = [self.other] if free and self.worse(self.other) else []
        elif not self.counted:
            return None
        else:
            reached = self._rungs()
            if self.kind != "why_not":
                reached = [*reversed(reached), *([self.absent] if absent_allowed else [])]
        low, high = self.bounds
        return [value for value in reached if low <= value <= high]

    def _rungs(self) -> list[float]:
        least, greatest = self.limits
        all_rungs = self.scale.rungs(self.item, self.aspect).items()
        if self.kind != "why_not":
            return [value for value, _ in all_rungs if least <= value < self.own]
        first = 1 if self.own == self.absent else -inf  # what nobody had reviewed is praised more than criticised
        return [value for value, n in all_rungs if self.own < value <= greatest and n >= first]

    def ends(self, absent_allowed: bool = False) -> list[float]:
        """Where whole moves lead: to the furthest value, if it may move."""
        end = self.end(absent_allowed)
        return [end] if end != self.own else []

    def end(self, absent_allowed: bool = False) -> float:
        """The furthest value that it may move to; its own if it must stay."""
        stops = self.stops(absent_allowed)
        if stops is not None:
            return stops[-1] if stops else self.own
        low, high = self.bounds
        end = min(max(self._furthest(absent_allowed), low), high)
        wrong_way = self.own != self.absent and end != self.own and self.worse(end) != (self.kind != "why_not")
        return self.own if wrong_way else end

    def _furthest(self, absent_allowed: bool) -> float:
        scale_ends = float(self.scale.low[self.aspect]), float(self.scale.high[self.aspect])
        ends = scale_ends if self.rules.values == "continuous" else self.limits
        worst, best = ends if self.low_is_worse else ends[::-1]
        if self.kind == "why_not":
            return best
        low, high = self.bounds
        if self.rules.values == "continuous":
            return self.absent if self.absent_is_worst else worst
        gone = absent_allowed and self.absent_is_worst and low <= self.absent <= high
        return self.absent if gone else worst

    def possible(self, value: float, absent_allowed: bool = False) -> bool:
        """Whether it may have this value after a change: exactly one of its stops, or on its way."""
        stops = self.stops(absent_allowed)
        if stops is not None:
            return value in stops
        if self.stays or (value == self.absent and self.end(absent_allowed) != self.absent):
            return False
        if value == self.absent:
            return True
        end = self.end(absent_allowed)
        if self.rules.values == "reachable" or self.kind == "why_not":
            # On its way it stays among the values that items have or, with any value allowed, on its scale.
            low, high = float(self.scale.low[self.aspect]), float(self.scale.high[self.aspect])
            least, greatest = self.limits if self.rules.values == "reachable" else (low, high)
            if not least <= value <= greatest:
                return False
        room = 1e-6 * max(1.0, abs(end))
        return min(self.own, end) - room <= value <= max(self.own, end) + room


def worth(
    attention: np.ndarray, own: np.ndarray, opinions: np.ndarray, aspects: tuple[int, ...], scale: Scale, *, rises: bool
) -> float:
    """ln of what a set of aspects is worth as a reason: Σ ln(0.1 + care) + ln(0.1 + spoken of) [+ ln(0.1 + good)].

    ``opinions`` are how many there are on each aspect of the item or, where nobody counts, how many items have it.
    """
    total = 0.0
    for aspect in aspects:
        care = abs(attention[aspect]) / max(abs(attention)) if max(abs(attention)) > 0 else 0.0
        spoken = log(1 + opinions[aspect]) / log(1 + max(opinions)) if max(opinions) > 0 else 0.0
        worst = scale.low[aspect] if scale.low_is_worse[aspect] else scale.high[aspect]
        good = min(1.0, abs(float(own[aspect]) - float(worst)) / float(scale.span[aspect]))
        total += log(0.1 + care) + log(0.1 + spoken)
        total += 0.0 if rises else log(0.1 + (good if good >= 0.5 else 0.0))
    return total
