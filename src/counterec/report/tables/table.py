"""A table as a value: its name, its columns, and cells with their number of cases and their interval."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

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
