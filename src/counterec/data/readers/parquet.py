"""Parquet tables as a stream of records."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from counterec.data.readers.chunks import MOST_CHARACTERS, MOST_ROWS
from counterec.data.readers.files import FAILURES, unpacked, unreadable
from counterec.data.readers.source import Fields, Record, Records
from counterec.errors import ReadError


@contextmanager
def scanned(path: Path) -> Iterator[pl.LazyFrame]:
    """Give a Parquet file as a lazy table; any failure while it is in use counts as an unreadable file."""
    try:
        with unpacked(path) as plain:
            yield pl.scan_parquet(plain)
    except FAILURES as error:
        raise unreadable(path, error) from None
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        reason = str(error).splitlines()[0]
        raise ReadError(f"{path} is not a readable Parquet file: {reason}; copy or download it again") from None


def parquet_records(path: Path, fields: Fields) -> Records:
    """Yield each row of a Parquet file, with only the columns that may be needed."""
    with scanned(path) as table:
        found = table.collect_schema().names()
        fields.require(path, found)
        for number, record in enumerate(_sliced(table.select(fields.present(found))), start=1):
            yield f"{path.name} row {number}", record


def _sliced(table: pl.LazyFrame) -> Iterator[Record]:
    """Read a table in slices of bounded size; Polars' own batches hold several row groups of any size at once."""
    start, size = 0, 1_000
    while (part := table.slice(start, size).collect()).height:
        yield from part.iter_rows(named=True)
        start += part.height
        # Next, as many rows of this size as fill a chunk.
        fitting = part.height * MOST_CHARACTERS // max(1, int(part.estimated_size()))
        size = min(max(1, fitting), MOST_ROWS)
