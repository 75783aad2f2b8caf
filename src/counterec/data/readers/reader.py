"""Reads any source as a stream of frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import polars as pl

from counterec.data.readers.chunks import mention_chunks, review_chunks
from counterec.data.readers.conventions import Conventions
from counterec.data.readers.csv_table import csv_records
from counterec.data.readers.fact_lines import fact_records
from counterec.data.readers.files import first_bytes
from counterec.data.readers.format_detection import container
from counterec.data.readers.json_lines import json_records
from counterec.data.readers.parquet import parquet_records
from counterec.data.readers.problems import Tally
from counterec.data.readers.row_builder import Row, RowBuilder, Triple
from counterec.data.readers.safe_pickle import pickle_records
from counterec.data.readers.source import Record, Records, Source, is_mentions
from counterec.data.readers.value_parsing import DATES
from counterec.errors import ReadError

EARLY = 1_000
"""A source that is nearly all unusable is refused after this many rows, without reading the rest."""
ROWS_BETWEEN_NEWS = 500
"""After so many rows, progress is told."""


def read(source: Source, tally: Tally, advance: Callable[[int], None] = lambda _: None) -> Iterator[pl.DataFrame]:
    """Stream a source as frames of bounded size, counting its problems in the tally.

    Reviews have the columns of ``REVIEWS``; mentions have those of ``MENTIONS`` and, last, ``rating``. ``advance`` is
    called with the number of rows just read, more often than a frame is full.
    """
    first_bytes(source.path)
    rows = _rows(source, Tally(parent=tally), advance)
    yield from mention_chunks(rows) if is_mentions(source.format) else review_chunks(rows)


def _rows(source: Source, tally: Tally, advance: Callable[[int], None]) -> Iterator[Row]:
    """Yield every usable row; raise if fewer than half of the rows are usable."""
    rows_of = _converter(source, tally)
    unusable = timeless = 0
    for where, record in records_of(source, tally):
        tally.row()
        rows = [] if record is None else rows_of(where, record)
        yield from rows
        timeless += bool(rows) and rows[0][2] is None
        if not rows:
            unusable += 1
            tally.drop()
        if tally.rows % ROWS_BETWEEN_NEWS == 0:
            advance(ROWS_BETWEEN_NEWS)
        if tally.rows == EARLY and unusable > 0.95 * EARLY:
            raise _too_few(source, tally, unusable)
    advance(tally.rows % ROWS_BETWEEN_NEWS)
    if tally.rows == 0:
        raise ReadError(f"{source.path} has no rows; check that it is the right file and was fully written")
    if unusable > 0.5 * tally.rows:
        raise _too_few(source, tally, unusable)
    _require_named_columns(source, tally, tally.rows - unusable)
    _require_times(source, tally, tally.rows - unusable, timeless)


def records_of(source: Source, tally: Tally) -> Records:
    """Stream the records of a source as its file has them."""
    stored_as = container(source.path) if source.format == "mentions" else source.format
    match stored_as:
        case "csv":
            return csv_records(source.path, tally, source.fields)
        case "parquet":
            return parquet_records(source.path, source.fields)
        case "pickle":
            return pickle_records(source.path, tally)
        case "fact":
            return fact_records(source.path, tally)
    return json_records(source.path, tally)


def column_values(source: Source) -> Iterator[tuple[object, object]]:
    """Yield the time and the rating of every record, for what only the whole column can tell."""
    value = source.fields.value
    for _, record in records_of(source, Tally()):
        if record is not None:
            yield value(record, "time"), value(record, "rating")


def _converter(source: Source, tally: Tally) -> Callable[[str, Record], list[Row]]:
    """Return the function that makes rows from a record of this source."""
    builder = RowBuilder(
        source.fields, tally, Conventions(source.dates, lambda: column_values(source), str(source.path))
    )
    if not is_mentions(source.format):
        return builder.review_rows
    triples = {"mentions": _table_triples(source), "pickle": _template_triples, "fact": _paired_triples}[source.format]
    return lambda where, record: builder.mention_rows(where, record, triples(record))


def _table_triples(source: Source) -> Callable[[Record], list[Triple]]:
    value = source.fields.value
    return lambda record: [(value(record, "aspect"), value(record, "opinion"), value(record, "sentiment"))]


def _template_triples(record: Record) -> list[Triple]:
    """Return the one mention of a pickled record: ``template`` is (aspect, opinion, sentence, sentiment)."""
    match record.get("template"):
        case [aspect, opinion, _, sentiment, *_]:
            return [(aspect, opinion, sentiment)]
    return []


def _paired_triples(record: Record) -> list[Triple]:
    pairs = record["pairs"]
    assert isinstance(pairs, list)
    return [(aspect, None, sentiment) for aspect, sentiment in pairs]


def _too_few(source: Source, tally: Tally, unusable: int) -> ReadError:
    return ReadError(
        f"{source.path}: {unusable:,} of {tally.rows:,} rows cannot be used as {source.format}; "
        f"the first at {tally.first_skipped()}; check --format and --columns"
    )


def _require_named_columns(source: Source, tally: Tally, usable: int) -> None:
    """Refuse a column that the caller named and no record has: that is a typo, not a gap in the data."""
    for column, name in source.columns.items():
        if tally.count(f"no {column}") >= usable:
            raise ReadError(f"{source.path}: no record has the {column} as {name!r}; check --columns {column}={name}")
    if not is_mentions(source.format) and tally.count("no text") >= usable:
        names = " or ".join(map(repr, source.fields.names["text"]))
        raise ReadError(
            f"{source.path}: no record has a text under {names}, where opinions are found: pass --columns text=NAME"
        )


def _require_times(source: Source, tally: Tally, usable: int, timeless: int) -> None:
    """Refuse times most of which cannot be read: a split by time would be a guess."""
    for problem in ("time cannot be read", "time out of range"):
        if timeless > 0.5 * usable and tally.count(problem):
            first = tally.problems[problem]
            raise ReadError(
                f"{source.path}: {timeless:,} of {usable:,} rows have no usable time to split the reviews by; "
                f"the first at {first.where}: {problem}, {first.value}; pass --dates {'|'.join(DATES[:-1])}, or "
                "--dates none to let the seed draw the held-out reviews"
            )
