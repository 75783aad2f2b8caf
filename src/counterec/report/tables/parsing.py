"""A table read back from the text that ``rendering.text`` made of it: cells as they were printed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from counterec.errors import InvalidValueError

RULE = re.compile(r"-+(?:  -+)*")
NOTE = "* "


@dataclass(frozen=True)
class PrintedTable:
    """A table as it was printed."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]


def parsed(text: str) -> PrintedTable:
    """The table of a text; the rule under the headings says where columns begin and end."""
    lines = text.splitlines()
    at = next((number for number, line in enumerate(lines) if RULE.fullmatch(line)), None)
    if at is None or at < 1:
        raise InvalidValueError(
            f"no table begins with {lines[0] if lines else ''!r}: there is no rule under its headings"
        )
    spans = [match.span() for match in re.finditer("-+", lines[at])]
    end = next((number for number in range(at + 1, len(lines)) if not lines[number]), len(lines))
    rows = tuple(_cells(line, spans) for line in lines[at + 1 : end])
    return PrintedTable(lines[0], _cells(lines[at - 1], spans), rows, _notes(lines[end + 1 :]))


def _cells(line: str, spans: list[tuple[int, int]]) -> tuple[str, ...]:
    return tuple(line[start:stop].strip() for start, stop in spans)


def _notes(lines: list[str]) -> tuple[str, ...]:
    """The notes, each on one line again."""
    notes: list[str] = []
    for line in filter(str.strip, lines):
        if line.startswith(NOTE):
            notes.append(line.removeprefix(NOTE))
        elif notes:
            notes[-1] += f" {line.strip()}"
    return tuple(notes)
