"""The tables that stages exchange: their columns, and a check that a frame has them."""

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
"""One row per review. ``time``, ``rating`` and ``text`` are null if the source has none."""

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
"""One row per mention. ``review`` is the row of the reviews table; ``start`` and ``end`` are the characters of the
aspect in its text; ``sentence`` is the number of its sentence there, ``sentence_start`` and ``sentence_end`` are the
sentence's characters. All of these are null if the source had mentions only."""

SPLIT: Schema = MappingProxyType({"user_id": pl.String(), "item_id": pl.String(), "part": pl.String()})
"""One row per (user, item): its part, one of ``PARTS``."""

PARTS = ("train", "validation", "test")


def checked(frame: pl.DataFrame, schema: Schema, name: str) -> pl.DataFrame:
    """Return the frame if its columns match the schema in name, order and type; raise otherwise."""
    if dict(frame.schema) != dict(schema):
        wanted = ", ".join(f"{column} {dtype}" for column, dtype in schema.items())
        found = ", ".join(f"{column} {dtype}" for column, dtype in frame.schema.items())
        raise InvalidValueError(f"the {name} table has columns {found}; expected {wanted}")
    return frame


def empty(schema: Schema) -> pl.DataFrame:
    return pl.DataFrame(schema=dict(schema))
