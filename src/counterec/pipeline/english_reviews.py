"""Reviews of a run, some rows at a time, so that the text in memory stays bounded; with which are not in English."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from counterec.extraction.language import is_foreign


def number_of_reviews(path: Path) -> int:
    """How many reviews a table holds."""
    total: int = pl.scan_parquet(path).select(pl.len()).collect().item()
    return total


def reviews_between(path: Path, start: int, stop: int) -> tuple[pl.DataFrame, pl.Series]:
    """Some rows of a table of reviews, and which of them are in another language: nothing is looked for in these."""
    rows = pl.scan_parquet(path).slice(start, stop - start).collect()
    return rows, pl.Series([bool(text) and is_foreign(text) for text in rows["text"]], dtype=pl.Boolean)
