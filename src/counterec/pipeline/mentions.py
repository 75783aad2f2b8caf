"""From tables of reviews to tables of mentions, a batch at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import polars as pl

from counterec.data import tables
from counterec.extraction.curation import CuratedExtractor, load_aspect_words
from counterec.extraction.protocol import Extractor, Mention
from counterec.extraction.registry import make_extractor

TEXTS_AT_ONCE = 2_000
"""Reviews extracted together: what bounds the text held in memory."""

Batches = Callable[[], Iterable[pl.DataFrame]]
"""Reads tables of reviews from their beginning, as often as it is asked."""

_COLUMNS = ("aspect", "opinion", "sentiment", "sentence", "start", "end", "sentence_start", "sentence_end")


def chosen_extractor(name: str, words: Path | None = None, near_synonyms: bool = False) -> Extractor:
    """Return the extractor of this name, which heeds a person's own words where there is a file of them."""
    extractor = make_extractor(name, near_synonyms)
    return CuratedExtractor(extractor, load_aspect_words(words)) if words else extractor


def fitted(extractor: Extractor, batches: Batches) -> Extractor:
    """Return an extractor that has learned from reviews: from their texts and, if it asks for them, their ratings."""
    texts = (text or "" for batch in batches() for text in batch["text"])
    ratings = (rating for batch in batches() for rating in batch["rating"])
    return extractor.fitted(texts, ratings)


def extracted(
    extractor: Extractor, batches: Batches, advance: Callable[[int], None] = lambda _: None, processes: int = 1
) -> Iterator[pl.DataFrame]:
    """Yield the mentions of each table; reviews are numbered through, and processes change nothing but the time."""
    first = 0
    for batch, found in _alone(extractor, batches()) if processes == 1 else _shared(extractor, batches(), processes):
        yield _frame(batch, found, first)
        first += len(batch)
        advance(len(batch))


Found = Iterator[tuple[pl.DataFrame, list[list[Mention]]]]


def _texts(batch: pl.DataFrame) -> list[str]:
    return [text or "" for text in batch["text"]]


def _alone(extractor: Extractor, batches: Iterable[pl.DataFrame]) -> Found:
    for batch in batches:
        yield batch, extractor.extract(_texts(batch))


def _shared(extractor: Extractor, batches: Iterable[pl.DataFrame], processes: int) -> Found:
    """Extract in several processes; only a few batches wait, so that memory stays bounded."""
    waiting: deque[tuple[pl.DataFrame, Future[list[list[Mention]]]]] = deque()
    # Spawned, not forked: the threads of Polars do not survive a fork.
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        for batch in batches:
            waiting.append((batch, pool.submit(extractor.extract, _texts(batch))))
            if len(waiting) > processes:
                done, future = waiting.popleft()
                yield done, future.result()
        for done, future in waiting:
            yield done, future.result()


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
