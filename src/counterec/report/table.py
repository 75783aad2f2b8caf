"""A table as a value: what it is called, its columns, and cells that know their cases and interval."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from counterec.core.arrays import require
from counterec.core.evaluation.comparison import Difference
from counterec.core.evaluation.measure import Measure


@dataclass(frozen=True)
class Cell:
    """A number in the unit of its column, or none; ``mark`` is a short remark that stands behind it."""

    value: float | None
    interval: tuple[float, float] | None = None
    cases: int | None = None
    mark: str = ""

    @classmethod
    def of(cls, measure: Measure | Difference, scale: float = 1.0, mark: str = "") -> Cell:
        """A measure as a cell; ``scale`` is 100 where the column is in percent."""
        value = None if measure.value is None else measure.value * scale
        interval = measure.interval and (measure.interval[0] * scale, measure.interval[1] * scale)
        return cls(value, interval, measure.cases, mark)


EMPTY = Cell(None)
HUNDRED = 100.0
"""The scale of a column in percent."""


@dataclass(frozen=True)
class Column:
    """A heading, the decimals its numbers are shown with, and whether the interval is shown or left to the CSV."""

    heading: str
    digits: int = 2
    interval: bool = True


@dataclass(frozen=True)
class Table:
    """Rows of cells under columns, the first of them words; ``notes`` say what a reader must know, gaps among them."""

    name: str
    title: str
    words: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[tuple[tuple[str, ...], tuple[Cell, ...]], ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for words, cells in self.rows:
            fits = len(words) == len(self.words) and len(cells) == len(self.columns)
            require(fits, f"table {self.name}: a row of {len(words)} words and {len(cells)} cells does not fit")


def number(value: float | None) -> Cell:
    """A cell that is a plain number, such as a count or a number of the paper."""
    return Cell(None if value is None else float(value))


def plain(headings: Iterable[str], digits: int = 2) -> tuple[Column, ...]:
    """Columns of bare numbers."""
    return tuple(Column(heading, digits, interval=False) for heading in headings)
