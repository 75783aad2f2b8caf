"""How many rows were read, and what was wrong with them: counts, and the first example of each problem."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

LONGEST_SHOWN = 60
"""The most characters of an offending value that a message shows."""

PROBLEMS: Mapping[str, str] = MappingProxyType(
    {
        "not JSON": "skipped",
        "not a JSON object": "skipped",
        "not a row of this table": "skipped",
        "quote that is not closed": "skipped",
        "not a line of user,item,rating,aspect sentiment …": "skipped",
        "no user": "skipped",
        "no item": "skipped",
        "no mention": "skipped",
        "no letter or digit in the aspect": "skipped",
        "sentiment is neither +1 nor -1": "skipped",
        "no time": "left empty",
        "no rating": "left empty",
        "no text": "left empty",
        "time cannot be read": "left empty",
        "time out of range": "left empty",
        "rating is not a number": "left empty",
        "rating off the scale": "left empty",
        "text is not text": "left empty",
        "NUL or half a character": "removed",
        "Latin-1 instead of UTF-8": "read as Latin-1",
        "broken UTF-8": "replaced by �",
        "broken UTF-16": "replaced by �",
        "broken UTF-32": "replaced by �",
    }
)
"""Every problem a row can have, and what is done about it."""


def shown(value: object) -> str:
    """Return a value for a message: on one line, control characters escaped, cut to a readable length."""
    if isinstance(value, str | bytes):
        text = repr(value[:LONGEST_SHOWN])
        return text if len(value) <= LONGEST_SHOWN else f"{text}…"
    try:
        text = _SHORT.repr(value)
    except ValueError:  # an integer with more digits than Python converts to text
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
    """How often a problem occurred, and the place and value of the first."""

    count: int
    where: str
    value: str


@dataclass
class Tally:
    """Counts the rows read and the problems in them; the caller passes it in, and it fills up while rows stream.

    A tally with a ``parent`` counts one of several sources, and also adds to its parent.
    """

    parent: Tally | None = None
    rows: int = 0
    problems: dict[str, Problem] = field(default_factory=dict)
    dropped: dict[str, int] = field(default_factory=dict)
    """Rows that gave nothing, each under one reason; so rows = used + the sum of these."""
    _last_skip: str = ""

    def row(self) -> None:
        """Count one row, whether usable or not."""
        self.rows += 1
        if self.parent is not None:
            self.parent.row()

    def drop(self) -> None:
        """Count a row that gave nothing, under the last reason that was added."""
        self.dropped[self._last_skip] = self.dropped.get(self._last_skip, 0) + 1
        if self.parent is not None:
            self.parent.drop()

    def add(self, problem: str, where: str, value: object) -> None:
        """Count a problem; only the first keeps its place and value."""
        if PROBLEMS.get(problem) == "skipped":
            self._last_skip = problem
        known = self.problems.get(problem)
        if known is None:
            self.problems[problem] = Problem(1, where, shown(value))
        else:
            known.count += 1
        if self.parent is not None:
            self.parent.add(problem, where, value)

    def count(self, problem: str) -> int:
        """Return how often a problem occurred."""
        return self.problems[problem].count if problem in self.problems else 0

    def as_dict(self) -> dict[str, object]:
        """Return all counts as values for JSON."""
        problems = {
            name: {"count": met.count, "done": PROBLEMS.get(name, ""), "where": met.where, "value": met.value}
            for name, met in sorted(self.problems.items())
        }
        return {"rows": self.rows, "problems": problems}

    def warnings(self) -> list[str]:
        """Return one readable line per problem."""
        return [
            f"{met.count:,} × {name} ({PROBLEMS.get(name, 'counted')}); the first at {met.where}: {met.value}"
            for name, met in sorted(self.problems.items())
        ]

    def first_skipped(self) -> str:
        """Return the place, problem and value of the first skipped row; empty if none was skipped."""
        for name, met in self.problems.items():
            if PROBLEMS.get(name) == "skipped":
                return f"{met.where}: {name}, {met.value}"
        return ""
