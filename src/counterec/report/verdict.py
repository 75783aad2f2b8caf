"""What becomes of a claim when it is measured: it holds, it does not, or one cannot tell.

The rule. A claim is made of parts. Each part says of one number in which range it ought to lie: above 0 for "more
than", below 0 for "less than", near a value for "about", near 0 for "does not depend on". The ranges are fixed
beforehand and are told with every verdict. A part *holds* if the whole 95% interval lies inside its range, *does not*
if the whole interval lies outside, and otherwise one *cannot tell*. With fewer than ``FEWEST_USERS`` users behind it
one cannot tell, whatever the interval: a bootstrap over a handful of users promises more than it can keep. Where two
groups of pairs are compared, each must have so many.

A claim holds if all its parts do, does not if one of them does not, and otherwise one cannot tell. That all must hold
makes *holds* the stricter the more parts there are. *Does not* is the easier: each part has a chance of up to 2.5% to
fail by accident, so read which part it is that fails.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import Any

from counterec.core.evaluation.comparison import Difference
from counterec.core.evaluation.measure import Measure

FEWEST_USERS = 20
"""With fewer users a bootstrap over them is not to be trusted."""


class Verdict(Enum):
    """What can be said of a claim."""

    HOLDS = "holds"
    DOES_NOT = "does not"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True)
class Range:
    """Where a number ought to lie, its ends not included."""

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
    """Near a value: as far as the margin to either side."""
    return Range(round(value - margin, 6), round(value + margin, 6))


@dataclass(frozen=True)
class Part:
    """One number that a claim speaks of, on how many users it rests, and where it ought to lie."""

    what: str
    measure: Measure | Difference
    users: int
    wanted: Range

    @property
    def verdict(self) -> Verdict:
        """The rule at the head of this file."""
        interval = self.measure.interval
        if interval is None or self.users < FEWEST_USERS:
            return Verdict.CANNOT_TELL
        low, high = interval
        if self.wanted.low < low and high < self.wanted.high:
            return Verdict.HOLDS
        if high <= self.wanted.low or low >= self.wanted.high:
            return Verdict.DOES_NOT
        return Verdict.CANNOT_TELL

    def __str__(self) -> str:
        found, cases = self.measure, f"{self.measure.cases:,} cases of {self.users:,} users"
        if found.value is None or found.interval is None:
            return f"{self.what}: not measured ({cases})"
        low, high = found.interval
        numbers = f"{found.value:.3f} ({low:.3f} to {high:.3f})"
        return f"{self.what}: {numbers}, wanted {self.wanted}; {cases}: {self.verdict.value}"

    def as_dict(self) -> dict[str, Any]:
        """The part as it is written to disk."""
        wanted = [None if math.isinf(end) else end for end in (self.wanted.low, self.wanted.high)]
        found = {"users": self.users, "wanted": wanted, "verdict": self.verdict.value}
        return {"what": self.what, **self.measure.as_dict(), **found}


@dataclass(frozen=True)
class Claim:
    """A claim of the paper, where it makes it, and what was measured here."""

    name: str
    where: str
    text: str
    parts: tuple[Part, ...]
    beside: tuple[str, ...] = ()
    """What is worth knowing and decides nothing."""

    @property
    def verdict(self) -> Verdict:
        """All parts must hold; one that does not is enough."""
        verdicts = {part.verdict for part in self.parts}
        if Verdict.DOES_NOT in verdicts:
            return Verdict.DOES_NOT
        return Verdict.HOLDS if verdicts == {Verdict.HOLDS} else Verdict.CANNOT_TELL

    @property
    def deciding(self) -> Part | None:
        """The first part that says what the claim says."""
        return next((part for part in self.parts if part.verdict is self.verdict), None)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval of the deciding part."""
        return self.deciding.measure.interval if self.deciding else None

    @property
    def cases(self) -> int:
        """The cases behind the deciding part."""
        return self.deciding.measure.cases if self.deciding else 0

    @property
    def measured(self) -> str:
        """What was measured, part by part."""
        return "\n".join(str(part) for part in self.parts) or "nothing was measured that could decide it"

    def __str__(self) -> str:
        lines = [*self.measured.splitlines(), *self.beside]
        return "\n".join([f"[{self.verdict.value}] {self.text} ({self.where})", *(f"  {line}" for line in lines)])

    def as_dict(self) -> dict[str, Any]:
        """The claim as it is written to disk."""
        said = {"name": self.name, "where": self.where, "text": self.text, "verdict": self.verdict.value}
        parts = [part.as_dict() for part in self.parts]
        found = {"cases": self.cases, "interval": self.interval and list(self.interval)}
        return {**said, **found, "parts": parts, "beside": list(self.beside)}
