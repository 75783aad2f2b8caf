"""From tables of reviews to tables of mentions, one batch at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from counterec.data import tables
from counterec.extraction.extractor import make_extractor
from counterec.extraction.language import is_foreign
from counterec.extraction.protocol import CuratedExtractor, Extractor, LearnsInParts, Mention, load_aspect_words
from counterec.pipeline.executors import Share

TEXTS_AT_ONCE = 2_000
"""Reviews read together: what bounds the text held in memory."""
TEXTS_PER_PIECE = 100
"""Reviews that are worked on together: so often progress is told, and so soon the work can be interrupted."""

Batches = Callable[[], Iterable[pl.DataFrame]]
"""Reads tables of reviews from their beginning, as often as it is asked."""

Advance = Callable[[int], None]
Made = TypeVar("Made")
_COLUMNS = ("aspect", "opinion", "sentiment", "sentence", "start", "end", "sentence_start", "sentence_end")


def _nothing(_: int) -> None:
    """Report nothing."""


def chosen_extractor(name: str, words: Path | None = None) -> Extractor:
    """Return the extractor of this name; it follows the user's own words where there is a file of them."""
    extractor = make_extractor(name)
    return CuratedExtractor(extractor, load_aspect_words(words)) if words else extractor


def fitted(extractor: Extractor, batches: Batches, share: Share = map, advance: Advance = _nothing) -> Extractor:
    """Return an extractor that has learned from reviews: from their texts and, if it asks for them, their ratings.

    What is learned does not depend on how the work is shared. ``advance`` takes the number of reviews just read.
    """
    if isinstance(extractor, CuratedExtractor):
        return CuratedExtractor(fitted(extractor.extractor, batches, share, advance), extractor.words)
    if isinstance(extractor, LearnsInParts):
        return extractor.concluded(_advancing(share(partial(_counted, extractor), _pieces(batches())), advance))
    read = _advancing(((len(batch), batch) for batch in _pieces(batches())), advance)
    texts = (text for batch in read for text in texts_of(batch))
    ratings = (rating for batch in batches() for rating in batch["rating"])
    return extractor.fitted(texts, ratings)


def extracted(
    extractor: Extractor, batches: Batches, advance: Advance = _nothing, share: Share = map
) -> Iterator[pl.DataFrame]:
    """Yield the mentions of each table; reviews are numbered consecutively, and sharing changes only the time."""
    yield from _advancing(share(partial(_mentions, extractor), _numbered(_pieces(batches()))), advance)


def _advancing(counted: Iterable[tuple[int, Made]], advance: Advance) -> Iterator[Made]:
    """Yield what was made of each table, and report its number of reviews."""
    for reviews, made in counted:
        yield made
        advance(reviews)


def _pieces(batches: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Cut tables into pieces; what is learned and found depends on each text alone, and not on the cut."""
    for batch in batches:
        yield from batch.iter_slices(TEXTS_PER_PIECE)


def texts_of(batch: pl.DataFrame) -> list[str]:
    """The texts of reviews; empty where there is none."""
    return [text or "" for text in batch["text"]]


def _counted(extractor: LearnsInParts, batch: pl.DataFrame) -> tuple[int, Any]:
    return len(batch), extractor.counted(texts_of(batch), batch["rating"])


def _numbered(batches: Iterable[pl.DataFrame]) -> Iterator[tuple[int, pl.DataFrame]]:
    """Yield each table with the number of its first review."""
    first = 0
    for batch in batches:
        yield first, batch
        first += len(batch)


def _mentions(extractor: Extractor, numbered: tuple[int, pl.DataFrame]) -> tuple[int, pl.DataFrame]:
    """Return the number of reviews in a table, and their mentions."""
    first, batch = numbered
    return len(batch), mentions_of(extractor, batch, first)


def mentions_of(extractor: Extractor, reviews: pl.DataFrame, first: int) -> pl.DataFrame:
    """The mentions in a table of reviews, the first of which has this number."""
    return _frame(reviews, extractor.extract(texts_of(reviews)), first)


def _frame(batch: pl.DataFrame, found: list[list[Mention]], first: int) -> pl.DataFrame:
    owners = [row for row, mentions in enumerate(found) for _ in mentions]
    flat = [mention for mentions in found for mention in mentions]
    frame = (
        batch[owners]
        .select("user_id", "item_id", "time")
        .with_columns(
            pl.Series("review", [first + row for row in owners], dtype=pl.Int64),
            *(
                pl.Series(name, [getattr(mention, name) for mention in flat], dtype=tables.MENTIONS[name])
                for name in _COLUMNS
            ),
        )
    )
    return tables.checked(frame.select(*tables.MENTIONS), tables.MENTIONS, "mentions")


def number_of_reviews(path: Path) -> int:
    """How many reviews a table holds."""
    total: int = pl.scan_parquet(path).select(pl.len()).collect().item()
    return total


def reviews_between(path: Path, start: int, stop: int) -> tuple[pl.DataFrame, pl.Series]:
    """Some rows of a table of reviews, and which of them are in another language: nothing is looked for in these."""
    rows = pl.scan_parquet(path).slice(start, stop - start).collect()
    return rows, pl.Series([bool(text) and is_foreign(text) for text in rows["text"]], dtype=pl.Boolean)
