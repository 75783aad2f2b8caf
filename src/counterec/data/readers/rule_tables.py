"""The tables behind the rules of lists: groups of items, boosts of items, and what users have seen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from counterec.errors import ReadError

COLUMNS = {"groups": ("item", "group"), "boosts": ("item", "boost"), "seen": ("user", "item")}
"""The columns that a table of each kind needs."""


def read_rule_table(kind: str, path: Path) -> pl.DataFrame:
    """Read a CSV or Parquet file with the columns of its kind, all of them text; an empty cell is an error."""
    columns = list(COLUMNS[kind])
    try:
        table = pl.read_parquet(path) if path.suffix == ".parquet" else pl.read_csv(path, infer_schema=False)
    except OSError as error:
        raise ReadError(f"{path}: cannot be read ({error.strerror or error}); check the path") from None
    except pl.exceptions.PolarsError as error:
        raise ReadError(f"{path}: not a table ({str(error).splitlines()[0]}); write CSV or Parquet") from None
    for missing in [name for name in columns if name not in table.columns]:
        found = ", ".join(table.columns)
        raise ReadError(f"{path}: has no column {missing!r}, but {found}; a table of {kind} needs {', '.join(columns)}")
    table = table.select(pl.col(columns).cast(pl.String))
    for line, row in _empty(table):
        raise ReadError(f"{path}: row {line} has an empty cell: {row}; fill it or leave the row out")
    return table


def boosts_of(table: pl.DataFrame, path: Path) -> list[float]:
    """The boosts as finite numbers."""
    numbers = table["boost"].cast(pl.Float64, strict=False)
    for line in range(len(table)):
        if numbers[line] is None or not abs(numbers[line]) < float("inf"):
            raise ReadError(f"{path}: row {line + 1} boosts by {table['boost'][line]!r}; a boost is a finite number")
    return numbers.to_list()


def _empty(table: pl.DataFrame) -> Iterator[tuple[int, tuple[str | None, ...]]]:
    for line, row in enumerate(table.iter_rows(), start=1):
        if None in row:
            yield line, row
