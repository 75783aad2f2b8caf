"""Rows collected into frames of bounded size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import polars as pl

from counterec.data.readers.row_builder import Row
from counterec.data.tables import MENTIONS, REVIEWS, Schema

MOST_ROWS = 20_000
MOST_CHARACTERS = 16 << 20
"""The most rows, and the most text, held at once."""

MENTION_ROWS: Schema = {**MENTIONS, "rating": pl.Float64()}
"""The columns of a source of mentions: the mention, and the rating of its review."""

_MENTION_VALUES = ("user_id", "item_id", "time", "aspect", "opinion", "sentiment", "rating")


def review_chunks(rows: Iterable[Row]) -> Iterator[pl.DataFrame]:
    """Yield the rows of reviews as frames of schema ``REVIEWS``."""
    return (_frame(chunk, tuple(REVIEWS), REVIEWS) for chunk in _chunks(rows))


def mention_chunks(rows: Iterable[Row]) -> Iterator[pl.DataFrame]:
    """Yield the rows of mentions as frames of schema ``MENTION_ROWS``."""
    return (_frame(chunk, _MENTION_VALUES, MENTION_ROWS) for chunk in _chunks(rows))


def _chunks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Cut by rows and by characters, so that neither many rows nor long texts fill up memory."""
    chunk: list[Row] = []
    characters = 0
    for row in rows:
        chunk.append(row)
        characters += sum(len(value) for value in row if isinstance(value, str))
        if len(chunk) >= MOST_ROWS or characters >= MOST_CHARACTERS:
            yield chunk
            chunk, characters = [], 0
    if chunk:
        yield chunk


def _frame(rows: list[Row], columns: tuple[str, ...], schema: Schema) -> pl.DataFrame:
    """Make a frame column by column; columns that the rows lack are null."""
    values = dict(zip(columns, zip(*rows, strict=True), strict=True))
    nothing = (None,) * len(rows)
    return pl.DataFrame([_series(name, values.get(name, nothing), dtype) for name, dtype in schema.items()])


def _series(name: str, values: tuple[object, ...], dtype: pl.DataType) -> pl.Series:
    if isinstance(dtype, pl.Datetime):  # times come as microseconds
        return pl.Series(name, values, dtype=pl.Int64()).cast(dtype)
    return pl.Series(name, values, dtype=dtype)
