"""The reviews of a run that are in English: nothing is looked for in the others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from counterec.extraction.language import is_foreign
from counterec.pipeline.mention_extraction import TEXTS_AT_ONCE


class EnglishReviews:
    """Reviews, read one batch at a time, so that the text in memory stays bounded; those not in English lose it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.total: int = pl.scan_parquet(path).select(pl.len()).collect().item()
        self._is_foreign = pl.Series(
            [bool(text) and is_foreign(text) for batch in self._batches() for text in batch["text"]], dtype=pl.Boolean
        )
        self.foreign = int(self._is_foreign.sum())

    def all(self) -> Iterator[pl.DataFrame]:
        """All reviews: of those in another language, without the text, so that rows keep their numbers."""
        for number, batch in enumerate(self._batches()):
            foreign = self._is_foreign[number * TEXTS_AT_ONCE : number * TEXTS_AT_ONCE + len(batch)]
            text = pl.when(foreign).then(None).otherwise(pl.col("text")).alias("text")
            yield batch.with_columns(text) if foreign.any() else batch

    def of(self, chosen: pl.DataFrame) -> Iterator[pl.DataFrame]:
        """The chosen ones among those in English."""
        for number, batch in enumerate(self._batches()):
            foreign = self._is_foreign[number * TEXTS_AT_ONCE : number * TEXTS_AT_ONCE + len(batch)]
            yield batch.filter(~foreign).join(chosen, on=["user_id", "item_id"], how="semi", maintain_order="left")

    def _batches(self) -> Iterator[pl.DataFrame]:
        for start in range(0, self.total, TEXTS_AT_ONCE):
            yield pl.scan_parquet(self._path).slice(start, TEXTS_AT_ONCE).collect()
