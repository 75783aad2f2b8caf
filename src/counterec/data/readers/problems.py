"""What was read, and what was wrong with it: counts, and the first example of each problem."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

LONGEST_SHOWN = 60
"""How many characters of an offending value a message shows."""

PROBLEMS: Mapping[str, str] = MappingProxyType(
    {
        "not JSON": "skipped",
        "not a JSON object": "skipped",
        "not a row of this table": "skipped",
        "not a line of user,item,rating,aspect sentiment …": "skipped",
        "not a dict": "skipped",
        "no user": "skipped",
        "no item": "skipped",
        "no mention": "skipped",
        "no letter or digit in the aspect": "skipped",
        "sentiment is neither +1 nor -1": "skipped",
        "no time": "left empty",
        "no rating": "left empty",
        "no text": "left empty",
        "time cannot be read": "left empty",
        "rating is not a number": "left empty",
        "text is not text": "left empty",
        "NUL or half a character": "removed",
        "broken UTF-8": "replaced by �",
    }
)
"""The policy of reading: every problem a row can have, and what is done about it."""


def shown(value: object) -> str:
    """Return a value for a message: on one line, control characters escaped, no longer than a person wants to read."""
    if isinstance(value, str | bytes):
        text = repr(value[:LONGEST_SHOWN])
        return text if len(value) <= LONGEST_SHOWN else f"{text}…"
    try:
        text = _SHORT.repr(value)
    except ValueError:  # an integer of more digits than Python agrees to write
        return f"<{type(value).__name__}>"
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _short_repr() -> reprlib.Repr:
    short = reprlib.Repr()
    short.maxstring = short.maxother = short.maxlong = LONGEST_SHOWN // 2
    short.maxlevel = 3
    return short


_SHORT = _short_repr()


@dataclass
class Problem:
    """How often a problem was met, and where first with which value."""

    count: int
    where: str
    value: str


@dataclass
class Tally:
    """Counts the rows read and the problems met, given by the caller and filled while reading streams.

    A tally with a ``parent`` counts one source of several, and passes on what it counts.
    """

    parent: Tally | None = None
    rows: int = 0
    problems: dict[str, Problem] = field(default_factory=dict)

    def row(self) -> None:
        """Count one row, usable or not."""
        self.rows += 1
        if self.parent is not None:
            self.parent.row()

    def add(self, problem: str, where: str, value: object) -> None:
        """Count a problem; where and value are kept of the first alone."""
        known = self.problems.get(problem)
        if known is None:
            self.problems[problem] = Problem(1, where, shown(value))
        else:
            known.count += 1
        if self.parent is not None:
            self.parent.add(problem, where, value)

    def count(self, problem: str) -> int:
        """Return how often a problem was met."""
        return self.problems[problem].count if problem in self.problems else 0

    def as_dict(self) -> dict[str, object]:
        """Return everything counted, ready for JSON."""
        problems = {
            name: {"count": met.count, "done": PROBLEMS.get(name, ""), "where": met.where, "value": met.value}
            for name, met in sorted(self.problems.items())
        }
        return {"rows": self.rows, "problems": problems}

    def warnings(self) -> list[str]:
        """Return one line a problem, for people."""
        return [
            f"{met.count:,} × {name} ({PROBLEMS.get(name, 'counted')}); the first at {met.where}: {met.value}"
            for name, met in sorted(self.problems.items())
        ]

    def first_skipped(self) -> str:
        """Return where, why and with which value the first row was skipped; empty if none was."""
        for name, met in self.problems.items():
            if PROBLEMS.get(name) == "skipped":
                return f"{met.where}: {name}, {met.value}"
        return ""
