"""How numbers and tables are shown on the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

PLACE = "data, model, protocol"
"""The head of the column that names places."""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield a table."""
    yield f"| {' | '.join(heads)} |"
    yield "|---" * len(heads) + "|"
    yield from (f"| {' | '.join(row)} |" for row in rows)


def value(measure: Mapping[str, Any] | None, digits: int = 3) -> str:
    """A value alone."""
    return "–" if not measure or measure["value"] is None else f"{measure['value']:.{digits}f}"


def percent(measure: Mapping[str, Any]) -> str:
    """A share in percent."""
    return "–" if measure["value"] is None else f"{100 * measure['value']:.0f}%"


def with_interval(measure: Mapping[str, Any] | None) -> str:
    """A value with its interval."""
    if not measure or measure["value"] is None or not measure["interval"]:
        return value(measure)
    low, high = measure["interval"]
    return f"{measure['value']:.3f} ({low:.3f} to {high:.3f})"


def reports(count: int) -> str:
    """So many reports."""
    return "1 report" if count == 1 else f"{count} reports"


def but_not_in(missed: Iterable[object]) -> str:
    """The end of a sentence: which are missing, if any."""
    names = "; ".join(map(str, missed))
    return f"; not in {names}." if names else "."
