"""Mentions by the aspects that they count for: several names may mean one thing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import polars as pl

Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)


def renamed(mentions: Frame, merged: Mapping[str, str]) -> Frame:
    """The mentions, each by the aspect that it counts for; ``merged`` maps other names to it."""
    return mentions.with_columns(pl.col("aspect").replace(dict(merged))) if merged else mentions
