"""A claim of the paper and its outcome: it holds, it does not, or one cannot tell.

The rule. A claim is made of parts. Each part says in which range one number is expected: above 0 for "more than",
below 0 for "less than", near a value for "about", near 0 for "does not depend on". The ranges are fixed beforehand and
are stated with every outcome.

A claim *holds* if all its parts hold, each at the level of 5%: its whole 95% interval lies inside the range. That all
have to hold makes this no easier the more parts there are, so nothing is corrected. A claim *does not* hold if one of
its parts does not: here many parts would make an accident likely, so the p of "it lies outside" is corrected for the
number of parts (Holm), and a part does not hold if its corrected p is at most 5%. Otherwise one *cannot tell*. With
fewer than ``FEWEST_USERS`` users one cannot tell either, whatever the numbers: a bootstrap over a handful of users is
not to be trusted. Where two groups of pairs are compared, each group needs that many users.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from counterec.core.arrays import FloatVector
from counterec.core.evaluation.intervals import (
    DUST,
    Difference,
    Measure,
    Units,
    combined,
    group_difference,
    holm,
    interval,
    mean,
    paired,
    spearman,
)
from counterec.report.measures import FEWEST_USERS, column, f1_difference, f_ns_difference, units_of

LEVEL = 0.05
"""The chance of an accident that is accepted, of one claim as a whole."""


class Outcome(Enum):
    """What the measurements say about a claim."""

    HOLDS = "holds"
    DOES_NOT = "does not"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True)
class Range:
    """Where a number is expected, the ends not included."""

    low: float
    high: float

    def __str__(self) -> str:
        if math.isinf(self.high):
            return f"above {self.low:g}"
        if math.isinf(self.low):
            return f"below {self.high:g}"
        return f"between {self.low:g} and {self.high:g}"

    def p_outside(self, draws: FloatVector) -> float:
        """How likely it is by chance alone that the number seems to lie outside: 2·min(share > low, share < high).

        Only the end that the number is nearer to can be missed.
        """
        above, below = (draws > self.low).mean(), (draws < self.high).mean()
        return float(np.clip(2 * min(above, below), 1 / len(draws), 1.0))

    def p_inside(self, draws: FloatVector) -> float:
        """How likely it is by chance alone that it seems to lie inside: 2·max(share ≤ low, share ≥ high)."""
        return float(np.clip(2 * max((draws <= self.low).mean(), (draws >= self.high).mean()), 1 / len(draws), 1.0))


ABOVE_ZERO = Range(0, math.inf)
BELOW_ZERO = Range(-math.inf, 0)


def around(value: float, margin: float) -> Range:
    """Closer to a value than the margin."""
    return Range(round(value - margin, 6), round(value + margin, 6))


@dataclass(frozen=True)
class ClaimPart:
    """One number that a claim is about, the number of users behind it, and where it is expected."""

    what: str
    measure: Measure | Difference
    users: int
    expected: Range
    of: int = 1
    """The number of parts of its claim that say something."""
    p_outside: float | None = None
    """The corrected p of lying outside; None before the correction, and where nothing can be told."""

    @property
    def tells(self) -> bool:
        """Whether there is a number, and enough users behind it."""
        return self.measure.interval is not None and self.users >= FEWEST_USERS

    @property
    def draws(self) -> FloatVector:
        """The number in every resample, without the dust of float sums."""
        return np.round(self.measure.draws, DUST)

    @property
    def corrected_interval(self) -> tuple[float, float] | None:
        """The interval that holds for all parts of the claim at once with 95%."""
        return interval(self.measure.draws, 1 - LEVEL / self.of)

    @property
    def outcome(self) -> Outcome:
        """By the rule at the head of this file."""
        if not self.tells:
            return Outcome.CANNOT_TELL
        if self.expected.p_inside(self.draws) <= LEVEL:
            return Outcome.HOLDS
        outside = self.expected.p_outside(self.draws) if self.p_outside is None else self.p_outside
        return Outcome.DOES_NOT if outside <= LEVEL else Outcome.CANNOT_TELL

    def __str__(self) -> str:
        found = self.measure
        items = "" if found.items is None else f" and {found.items:,} items"
        cases = f"{found.cases:,} cases of {self.users:,} users{items}"
        if found.value is None or found.interval is None:
            return f"{self.what}: not measured ({cases})"
        low, high = found.interval
        numbers = f"{found.value:.3f} ({low:.3f} to {high:.3f}"
        if self.of > 1 and (wide := self.corrected_interval):
            numbers += f"; corrected {wide[0]:.3f} to {wide[1]:.3f}"
        outside = "" if self.p_outside is None else f", p of lying outside {self.p_outside:.4f}"
        return f"{self.what}: {numbers}), expected {self.expected}{outside}; {cases}: {self.outcome.value}"

    def as_dict(self) -> dict[str, Any]:
        """The part as it is written to disk."""
        expected = [None if math.isinf(end) else end for end in (self.expected.low, self.expected.high)]
        wide = self.corrected_interval
        found = {"users": self.users, "wanted": expected, "verdict": self.outcome.value}
        corrected = {"corrected_interval": wide and list(wide), "corrected_p_outside": self.p_outside}
        return {"what": self.what, **self.measure.as_dict(), **corrected, **found}


def corrected(parts: Sequence[ClaimPart]) -> tuple[ClaimPart, ...]:
    """The parts of a claim, their p of lying outside corrected for each other."""
    telling = [part for part in parts if part.tells]
    ps = iter(holm([part.expected.p_outside(part.draws) for part in telling]))
    return tuple(replace(part, of=len(telling), p_outside=next(ps)) if part.tells else part for part in parts)


@dataclass(frozen=True)
class Claim:
    """A claim of the paper, where the paper makes it, and what was measured here."""

    name: str
    where: str
    text: str
    parts: tuple[ClaimPart, ...]
    remarks: tuple[str, ...] = ()
    """What is worth knowing but decides nothing."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", corrected(self.parts))

    @property
    def outcome(self) -> Outcome:
        """All parts must hold; one that does not is enough to fail."""
        outcomes = {part.outcome for part in self.parts}
        if Outcome.DOES_NOT in outcomes:
            return Outcome.DOES_NOT
        return Outcome.HOLDS if outcomes == {Outcome.HOLDS} else Outcome.CANNOT_TELL

    @property
    def deciding(self) -> ClaimPart | None:
        """The first part with the outcome of the claim."""
        return next((part for part in self.parts if part.outcome is self.outcome), None)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval of the deciding part."""
        return self.deciding.measure.interval if self.deciding else None

    @property
    def cases(self) -> int:
        """The number of cases behind the deciding part."""
        return self.deciding.measure.cases if self.deciding else 0

    @property
    def measured(self) -> str:
        """What was measured, one line per part."""
        return "\n".join(str(part) for part in self.parts) or "nothing was measured that could decide it"

    def __str__(self) -> str:
        lines = [*self.measured.splitlines(), *self.remarks]
        return "\n".join([f"[{self.outcome.value}] {self.text} ({self.where})", *(f"  {line}" for line in lines)])

    def as_dict(self) -> dict[str, Any]:
        """The claim as it is written to disk."""
        claimed = {"name": self.name, "where": self.where, "text": self.text, "verdict": self.outcome.value}
        parts = [part.as_dict() for part in self.parts]
        found = {"cases": self.cases, "interval": self.interval and list(self.interval)}
        return {**claimed, **found, "parts": parts, "beside": list(self.remarks)}


def users_behind(units: Units, *values: ArrayLike) -> int:
    """How many users have a case in which all of the values are known."""
    whole = ~np.isnan(np.array([np.asarray(value, dtype=np.float64) for value in values])).any(axis=0)
    return len(np.unique(units.users[whole]))


def difference_part(what: str, pairs: pl.DataFrame, name: str, other: str, expected: Range) -> ClaimPart:
    """The mean of one column minus that of another, over the same pairs."""
    a, b, users = column(pairs, name), column(pairs, other), units_of(pairs)
    return ClaimPart(what, paired(a, b, users), users_behind(users, a, b), expected)


def f1_part(what: str, pairs: pl.DataFrame, expected: Range) -> ClaimPart:
    """The paired difference in F1."""
    users = users_behind(units_of(pairs), column(pairs, "f1"), column(pairs, "f1_other"))
    return ClaimPart(what, f1_difference(pairs), users, expected)


def f_ns_part(what: str, pairs: pl.DataFrame, expected: Range) -> ClaimPart:
    """The paired difference in F_NS."""
    users = users_behind(units_of(pairs), column(pairs, "necessary"), column(pairs, "necessary_other"))
    return ClaimPart(what, f_ns_difference(pairs), users, expected)


def correlation_part(what: str, rows: pl.DataFrame, x: str, y: str, expected: Range) -> ClaimPart:
    """Spearman's rank correlation of two columns."""
    a, b, users = column(rows, x), column(rows, y), units_of(rows)
    return ClaimPart(what, spearman(a, b, users), users_behind(users, a, b), expected)


def mean_part(what: str, values: FloatVector, users: Units, expected: Range) -> ClaimPart:
    """A mean."""
    return ClaimPart(what, mean(values, users), users_behind(users, values), expected)


def group_part(what: str, values: FloatVector, in_first: ArrayLike, users: Units, expected: Range) -> ClaimPart:
    """The mean of one group minus the mean of the rest; its users are those of the smaller group."""
    first = np.asarray(in_first, dtype=bool)
    fewer = min(users_behind(users[group], values[group]) for group in (first, ~first))
    return ClaimPart(what, group_difference(values, first, users), fewer, expected)


def ratio_part(what: str, rows: pl.DataFrame, above: str, below: str, expected: Range) -> ClaimPart:
    """One mean as a multiple of another."""
    a, b, users = column(rows, above), column(rows, below), units_of(rows)
    ratio = combined([a, b], users, lambda means: means[0] / means[1])
    return ClaimPart(what, ratio, users_behind(users, a, b), expected)
