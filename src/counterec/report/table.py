"""A table as a value: its cells with cases and intervals; as text for any width, as CSV, and as JSON."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from counterec.core.arrays import require
from counterec.core.evaluation.intervals import Difference, Measure


@dataclass(frozen=True)
class TableCell:
    """A number in the unit of its column, or None; ``mark`` is a short remark shown after the number."""

    value: float | None
    interval: tuple[float, float] | None = None
    cases: int | None = None
    mark: str = ""

    @classmethod
    def of(cls, measure: Measure | Difference, scale: float = 1.0, mark: str = "") -> TableCell:
        """A measure as a cell; ``scale`` is 100 for a column in percent."""
        value = None if measure.value is None else measure.value * scale
        interval = measure.interval and (measure.interval[0] * scale, measure.interval[1] * scale)
        return cls(value, interval, measure.cases, mark)


EMPTY = TableCell(None)
HUNDRED = 100.0
"""The scale of a column in percent."""


@dataclass(frozen=True)
class Column:
    """A heading, the number of decimals, and whether the interval is shown or left to the CSV."""

    heading: str
    digits: int = 2
    interval: bool = True


@dataclass(frozen=True)
class Table:
    """Rows of words, then cells under columns; ``notes`` are what a reader must know, gaps included."""

    name: str
    title: str
    words: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[tuple[tuple[str, ...], tuple[TableCell, ...]], ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for words, cells in self.rows:
            fits = len(words) == len(self.words) and len(cells) == len(self.columns)
            require(fits, f"table {self.name}: a row of {len(words)} words and {len(cells)} cells does not fit")


def number(value: float | None) -> TableCell:
    """A cell with a plain number, such as a count or a number from the paper."""
    return TableCell(None if value is None else float(value))


def plain(headings: Iterable[str], digits: int = 2) -> tuple[Column, ...]:
    """Columns of numbers without intervals."""
    return tuple(Column(heading, digits, interval=False) for heading in headings)


NONE = "–"
"""A number that is missing."""
WIDTH = 110
"""The width of the notes below a table that may be as wide as it is."""
GAP = "  "
LEAST_WIDTH = 4
"""No column of words is folded to less."""


@dataclass(frozen=True)
class ShownTable:
    """A table whose cells are text; the first ``words`` columns say what a row is about."""

    title: str
    words: int
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, table: Table) -> ShownTable:
        """Return the table with every cell as it is printed."""
        head = (*table.words, *(column.heading for column in table.columns))
        rows = tuple((*words, *map(shown, cells, table.columns)) for words, cells in table.rows)
        return cls(table.title, len(table.words), head, rows, table.notes)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> ShownTable:
        """Restore a table from JSON."""
        rows = tuple(map(tuple, values["rows"]))
        return cls(values["title"], values["words"], tuple(values["head"]), rows, tuple(values["notes"]))

    def text(self, width: int | None = None) -> str:
        """Return the table in columns, its notes below; one that is too wide is cut into several, one below another."""
        columns = [tuple(row[place] for row in (self.head, *self.rows)) for place in range(len(self.head))]
        words, values = columns[: self.words], columns[self.words :]
        widths = list(map(_width, words))
        groups = [values]
        if width is not None:
            widths = _fold(widths, width - len(GAP) - max(map(_width, values), default=0))
            groups = list(_groups(values, width - sum(widths) - len(GAP) * len(widths)))
        drawn = "\n\n".join("\n".join(_draw(words, widths, group)) for group in groups)
        title = self.title if width is None else textwrap.fill(self.title, width)
        at = WIDTH if width is None else width
        notes = [textwrap.fill(note, at, initial_indent="* ", subsequent_indent=GAP) for note in self.notes]
        return "\n".join([title, "", drawn, "", *notes]).rstrip() + "\n"


def _width(column: Sequence[str]) -> int:
    return max(map(len, column))


def _fold(widths: list[int], room: int) -> list[int]:
    """Make the widest columns narrower until all fit into the room."""
    widths = list(widths)
    while sum(widths) + len(GAP) * (len(widths) - 1) > room and max(widths) > LEAST_WIDTH:
        widths[widths.index(max(widths))] -= 1
    return widths


def _groups(values: Sequence[tuple[str, ...]], room: int) -> Iterator[list[tuple[str, ...]]]:
    """Yield as many neighbouring columns as fit into the room, at least one at a time."""
    group: list[tuple[str, ...]] = []
    for column in values:
        if group and sum(_width(other) + len(GAP) for other in [*group, column]) - len(GAP) > room:
            yield group
            group = []
        group.append(column)
    yield group


def _draw(words: Sequence[tuple[str, ...]], widths: Sequence[int], values: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Draw the columns: words at the left of theirs, folded where they are long, and numbers at the right."""
    for row in range(len(words[0])):
        folded = [textwrap.wrap(column[row], width) or [""] for column, width in zip(words, widths, strict=True)]
        for line in range(max(map(len, folded))):
            left = [(cell[line] if line < len(cell) else "").ljust(w) for cell, w in zip(folded, widths, strict=True)]
            right = [(column[row] if line == 0 else "").rjust(_width(column)) for column in values]
            yield GAP.join([*left, *right]).rstrip()
        if row == 0:
            yield GAP.join("-" * width for width in [*widths, *map(_width, values)])


def shown(cell: TableCell, column: Column) -> str:
    """Return a cell as text: the number, its interval in parentheses, its mark."""
    if cell.value is None:
        return f"{NONE} {cell.mark}".rstrip()
    form = f",.{column.digits}f"
    interval = ""
    if column.interval and cell.interval is not None:
        low, high = cell.interval
        interval = f" ({low:{form}} to {high:{form}})"
    return f"{cell.value:{form}}{interval} {cell.mark}".rstrip()


def comma_separated(table: Table) -> str:
    """Return the table as CSV; the interval, the cases and the mark of a number have columns of their own."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    used = [_parts_used([cells[place] for _, cells in table.rows]) for place in range(len(table.columns))]
    heads = [f"{column.heading}{part}" for column, parts in zip(table.columns, used, strict=True) for part in parts]
    writer.writerow([*table.words, *heads])
    for words, cells in table.rows:
        entries = [_entries(cell)[part] for cell, parts in zip(cells, used, strict=True) for part in parts]
        writer.writerow([*words, *entries])
    return buffer.getvalue()


def _parts_used(cells: list[TableCell]) -> list[str]:
    """Return the parts that any cell of the column has; the number itself always."""
    every = [_entries(cell) for cell in cells]
    return ["", *(part for part in (" low", " high", " cases", " mark") if any(entries[part] for entries in every))]


def _entries(cell: TableCell) -> dict[str, str]:
    low, high = cell.interval or (None, None)
    numbers = {"": cell.value, " low": low, " high": high, " cases": cell.cases}
    return {**{part: "" if n is None else f"{n:.10g}" for part, n in numbers.items()}, " mark": cell.mark}
