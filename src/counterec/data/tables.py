"""The tables that travel between stages: their columns, and a check that a frame is what it claims to be."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import polars as pl

from counterec.errors import InvalidValueError

Schema = Mapping[str, pl.DataType]

REVIEWS: Schema = MappingProxyType(
    {
        "user_id": pl.String(),
        "item_id": pl.String(),
        "time": pl.Datetime("us"),
        "rating": pl.Float64(),
        "text": pl.String(),
    }
)
"""One row a review. ``time``, ``rating`` and ``text`` are null where the source has none."""

MENTIONS: Schema = MappingProxyType(
    {
        "user_id": pl.String(),
        "item_id": pl.String(),
        "time": pl.Datetime("us"),
        "aspect": pl.String(),
        "opinion": pl.String(),
        "sentiment": pl.Int8(),
        "review": pl.Int64(),
        "sentence": pl.Int64(),
        "start": pl.Int64(),
        "end": pl.Int64(),
        "sentence_start": pl.Int64(),
        "sentence_end": pl.Int64(),
    }
)
"""One row a mention. ``review`` is the row of the reviews table; ``start`` and ``end`` are the characters of the
aspect word in its text, ``sentence`` the number of the sentence in it, ``sentence_start`` and ``sentence_end`` its
characters; null where a source brought mentions alone."""

SPLIT: Schema = MappingProxyType({"user_id": pl.String(), "item_id": pl.String(), "part": pl.String()})
"""One row a (user, item): its part, one of ``PARTS``."""

PARTS = ("train", "validation", "test")


def checked(frame: pl.DataFrame, schema: Schema, name: str) -> pl.DataFrame:
    """Return the frame if its columns are the schema's, in order and in type; raise otherwise."""
    if dict(frame.schema) != dict(schema):
        wanted = ", ".join(f"{column} {dtype}" for column, dtype in schema.items())
        found = ", ".join(f"{column} {dtype}" for column, dtype in frame.schema.items())
        raise InvalidValueError(f"the {name} table has columns {found}; expected {wanted}")
    return frame


def empty(schema: Schema) -> pl.DataFrame:
    """Return a table of this schema without rows."""
    return pl.DataFrame(schema=dict(schema))
