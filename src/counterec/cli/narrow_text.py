"""Text of a report for a narrow terminal: tables are cut into several, one below the other, and prose is wrapped."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

GAP = "  "
_RULE = re.compile(r"-+(  -+)+")
"""The line between the headings of a table and its rows: as many dashes as a column is wide."""
_LEAST_WIDTH = 4
"""No column is made narrower."""


def narrowed(text: str, width: int) -> str:
    """Return the text with no line longer than the width, as far as single values allow."""
    lines = text.splitlines()
    if all(len(line) <= width for line in lines):
        return text
    return "\n".join(_narrowed(lines, width)) + "\n" * text.endswith("\n")


def _narrowed(lines: Sequence[str], width: int) -> Iterator[str]:
    place = 0
    while place < len(lines):
        if place + 1 < len(lines) and _RULE.fullmatch(lines[place + 1]):
            end = next((row for row in range(place, len(lines)) if not lines[row].strip()), len(lines))
            yield from _cut(_TextTable.of(lines[place:end]), width)
            place = end
        else:
            yield from _wrapped(lines[place], width)
            place += 1


def _wrapped(line: str, width: int) -> list[str]:
    """Wrap a line of prose; what follows is indented a little more than the line."""
    indent = line[: len(line) - len(line.lstrip())] + GAP
    return textwrap.wrap(line, width, subsequent_indent=indent) or [line]


@dataclass(frozen=True)
class _TextTable:
    """The columns of a table, each with its heading first; the first ``keys`` columns say what a row is about."""

    columns: tuple[tuple[str, ...], ...]
    keys: int

    @classmethod
    def of(cls, lines: Sequence[str]) -> _TextTable:
        """Read a table: headings, a rule, rows. Texts begin at the left of their column, numbers end at its right."""
        spans = [match.span() for match in re.finditer("-+", lines[1])]
        rows = [lines[0], *lines[2:]]
        cells = [[row[start:end] for row in rows] for start, end in spans]
        texts = [all(cell[:1].strip() for cell in column) for column in cells]
        keys = texts.index(False) if False in texts else 1
        return cls(tuple(tuple(cell.strip() for cell in column) for column in cells), max(1, keys))


def _cut(table: _TextTable, width: int) -> Iterator[str]:
    """Draw the table as several, each with the keys and as many other columns as fit."""
    values = table.columns[table.keys :]
    room = width - len(GAP) - max(map(_width, values), default=0)
    keys = _within([_width(column) for column in table.columns[: table.keys]], room)
    left = width - sum(keys) - len(GAP) * len(keys)
    for number, group in enumerate(_groups(values, left)):
        if number:
            yield ""
        yield from _drawn(table.columns[: table.keys], keys, group)


def _within(widths: list[int], room: int) -> list[int]:
    """Make the widest columns narrower until all fit into the room."""
    while sum(widths) + len(GAP) * (len(widths) - 1) > room and max(widths) > _LEAST_WIDTH:
        widths[widths.index(max(widths))] -= 1
    return widths


def _groups(values: Sequence[tuple[str, ...]], room: int) -> Iterator[list[tuple[str, ...]]]:
    group: list[tuple[str, ...]] = []
    for column in values:
        if group and sum(_width(other) + len(GAP) for other in [*group, column]) - len(GAP) > room:
            yield group
            group = []
        group.append(column)
    yield group


def _drawn(keys: Sequence[tuple[str, ...]], widths: Sequence[int], values: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Draw one table; long keys are folded."""
    for row in range(len(keys[0])):
        folded = [textwrap.wrap(column[row], width) or [""] for column, width in zip(keys, widths, strict=True)]
        for line in range(max(map(len, folded))):
            left = [(cell[line] if line < len(cell) else "").ljust(w) for cell, w in zip(folded, widths, strict=True)]
            right = [(column[row] if line == 0 else "").rjust(_width(column)) for column in values]
            yield GAP.join([*left, *right]).rstrip()
        if row == 0:
            yield GAP.join("-" * width for width in [*widths, *map(_width, values)])


def _width(column: Sequence[str]) -> int:
    return max(map(len, column))
