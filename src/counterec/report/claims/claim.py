"""A claim of the paper and its outcome: it holds, it does not, or one cannot tell.

The rule. A claim is made of parts. Each part says in which range one number is expected: above 0 for "more than",
below 0 for "less than", near a value for "about", near 0 for "does not depend on". The ranges are fixed beforehand and
are stated with every outcome. A part *holds* if its whole 95% interval lies inside the range, *does not* if the whole
interval lies outside, and otherwise one *cannot tell*. With fewer than ``FEWEST_USERS`` users one cannot tell,
whatever the interval: a bootstrap over a handful of users is not to be trusted. Where two groups of pairs are
compared, each group needs that many users.

A claim holds if all its parts hold, does not if one of them does not, and otherwise one cannot tell. So the more parts
a claim has, the harder it is to hold, and the easier it is to fail: each part has a chance of up to 2.5% to fail by
accident. Read which part it is that fails.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import Any

from counterec.core.evaluation.comparison import Difference
from counterec.core.evaluation.measure import Measure
from counterec.report.method_comparisons import FEWEST_USERS


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

    @property
    def outcome(self) -> Outcome:
        """By the rule at the head of this file."""
        interval = self.measure.interval
        if interval is None or self.users < FEWEST_USERS:
            return Outcome.CANNOT_TELL
        low, high = interval
        if self.expected.low < low and high < self.expected.high:
            return Outcome.HOLDS
        if high <= self.expected.low or low >= self.expected.high:
            return Outcome.DOES_NOT
        return Outcome.CANNOT_TELL

    def __str__(self) -> str:
        found, cases = self.measure, f"{self.measure.cases:,} cases of {self.users:,} users"
        if found.value is None or found.interval is None:
            return f"{self.what}: not measured ({cases})"
        low, high = found.interval
        numbers = f"{found.value:.3f} ({low:.3f} to {high:.3f})"
        return f"{self.what}: {numbers}, expected {self.expected}; {cases}: {self.outcome.value}"

    def as_dict(self) -> dict[str, Any]:
        """The part as it is written to disk."""
        expected = [None if math.isinf(end) else end for end in (self.expected.low, self.expected.high)]
        found = {"users": self.users, "wanted": expected, "verdict": self.outcome.value}
        return {"what": self.what, **self.measure.as_dict(), **found}


@dataclass(frozen=True)
class Claim:
    """A claim of the paper, where the paper makes it, and what was measured here."""

    name: str
    where: str
    text: str
    parts: tuple[ClaimPart, ...]
    remarks: tuple[str, ...] = ()
    """What is worth knowing but decides nothing."""

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
