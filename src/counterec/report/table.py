"""A table as a value: its cells with cases and intervals; as text, as CSV, and as JSON."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Iterable
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
"""The width of the notes below a table."""
GAP = "  "


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

    def text(self) -> str:
        """Return the table in columns, its notes below."""
        columns = list(zip(self.head, *self.rows, strict=True))
        widths = [max(map(len, column)) for column in columns]
        rule = GAP.join("-" * width for width in widths)
        head, *rows = (self._align(line, widths) for line in (self.head, *self.rows))
        notes = [textwrap.fill(note, WIDTH, initial_indent="* ", subsequent_indent=GAP) for note in self.notes]
        return "\n".join([self.title, "", head, rule, *rows, "", *notes]).rstrip() + "\n"

    def _align(self, line: tuple[str, ...], widths: list[int]) -> str:
        """Put words at the left of their column, and numbers at the right."""
        sides = ["<" if place < self.words else ">" for place in range(len(widths))]
        cells = zip(line, widths, sides, strict=True)
        return GAP.join(f"{cell:{side}{width}}" for cell, width, side in cells).rstrip()


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
