"""What a run will find in its sources, before any work: what is read, what is left out and why, and who stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import polars as pl

from counterec.data.filtering import PAIR, keep_active_users, keep_reviewed_items
from counterec.data.readers import FirstLook, Tally, first_look, read
from counterec.data.readers.problems import PROBLEMS
from counterec.data.splitting import least_reviews
from counterec.errors import EmptyDataError, InvalidValueError, ReadError
from counterec.extraction.language import is_foreign
from counterec.pipeline.config import RunConfig
from counterec.pipeline.run_time import estimated_seconds
from counterec.pipeline.stages.read import mentions_given, require_downloaded, source_of
from counterec.pipeline.thin_data import warn_of_few_reviews

TEXTS_JUDGED = 20_000
"""Number of texts by which the language is judged."""

SAME_AGAIN, EARLIER = "the same review again", "an earlier review of the same item"
MANY, HARDLY_ANY = 0.1, 0.95
"""Shares of texts that are not in English: from the first on it is warned of, from the second on refused."""
_READ_AS_LATIN_1 = "Latin-1 instead of UTF-8"


@dataclass(frozen=True)
class CheckedFile:
    """One of the sources, and what it shows."""

    path: Path
    format: str
    look: FirstLook
    rows: int
    problems: Mapping[str, int]

    @property
    def encoding(self) -> str:
        """Its encoding, with the lines that differ from it."""
        others = self.problems.get(_READ_AS_LATIN_1, 0)
        lines = "line" if others == 1 else "lines"
        return f"{self.look.encoding}, {others:,} {lines} Latin-1" if others else self.look.encoding


@dataclass(frozen=True)
class SourceReport:
    """What the sources of a run hold; rows read = rows kept + rows dropped."""

    files: tuple[CheckedFile, ...]
    rows: int
    """Rows read: reviews, or mentions if the sources hold these."""
    dropped: Mapping[str, int]
    """Reason → the rows that are left out for it; each row has one reason."""
    kept: int
    problems: Mapping[str, int]
    """Problem → how often it occurred in rows that are used in spite of it, with a gap or a repair."""
    warnings: tuple[str, ...]
    """One line per problem, with the place and value of the first."""
    users: int
    items: int
    reviews: int
    """Who and what stays after ``min_user_reviews``."""
    fewest: int
    """The reviews of the least active user who stays."""
    texts_judged: int
    not_english: int
    """Of the texts that were judged by their language, those that are not English; extraction leaves them out."""
    seconds: float
    """About how long a run will take: an estimate from the counts above."""
    refusal: str = ""
    """Why a run would be refused: nobody stays, or nothing can be read."""
    cautions: tuple[str, ...] = ()
    """Why much of it would not be explained, one line each."""
    aspects: frozenset[str] | None = field(default=None, repr=False)
    """The names of aspects, where the sources hold mentions."""

    def __post_init__(self) -> None:
        for name in ("dropped", "problems"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        if self.rows != self.kept + sum(self.dropped.values()):
            raise InvalidValueError(
                f"{self.rows} rows were read, but {self.kept} kept and {dict(self.dropped)} dropped"
            )


def check_sources(config: RunConfig, advance: Callable[[int], None] = lambda _: None) -> SourceReport:
    """Read the sources of a run once, without writing anything; refuse what the run itself would refuse.

    ``advance`` is called with the number of rows just read.
    """
    require_downloaded(config)
    given, tally = mentions_given(config), Tally()
    files, frames, judged = [], [], _Languages()
    for path in config.data.sources:
        source, own = source_of(config, path), Tally(parent=tally)
        look = first_look(source)
        frames += [judged.slim(chunk) for chunk in read(source, own, advance)]
        counts = {name: problem.count for name, problem in own.problems.items()}
        files.append(CheckedFile(path, source.format, look, own.rows, MappingProxyType(counts)))
    if not frames:
        raise ReadError("the sources hold no usable row; check the files and --format")
    table = pl.concat(frames)
    dropped, kept = (_mentions_left if given else _reviews_left)(table, config)
    reviews = kept.select(*PAIR).unique()
    used = {name: problem.count for name, problem in tally.problems.items() if PROBLEMS[name] != "skipped"}
    return SourceReport(
        files=tuple(files),
        rows=table.height + sum(tally.dropped.values()),
        dropped={**tally.dropped, **{reason: count for reason, count in dropped.items() if count}},
        kept=kept.height,
        problems=used,
        warnings=tuple(tally.warnings()),
        cautions=(*_short_of_items(reviews, config), *_few_reviews(table, reviews, config), *judged.cautions()),
        users=reviews["user_id"].n_unique(),
        items=reviews["item_id"].n_unique(),
        reviews=reviews.height,
        fewest=int(reviews["user_id"].value_counts()["count"].sort()[0]) if reviews.height else 0,
        texts_judged=judged.texts,
        not_english=judged.foreign,
        seconds=estimated_seconds(
            config,
            reviews["user_id"].n_unique(),
            reviews["item_id"].n_unique(),
            reviews.height,
            judged.characters * _count_extracted(table, kept, config) // table.height,
        ),
        refusal=_refusal(table.unique(PAIR, keep="any"), config) or judged.refusal(config),
        aspects=frozenset(table["aspect"].unique()) if given else None,
    )


def _count_extracted(table: pl.DataFrame, kept: pl.DataFrame, config: RunConfig) -> int:
    """Count the rows whose texts are extracted: those that are kept, and others about the same items."""
    if not config.aspects.everybody:
        return kept.height
    return table.select("item_id").join(kept.select("item_id").unique(), on="item_id", how="semi").height


class _Languages:
    """Judges the first texts that pass, and lets the rest of each row go on without its text."""

    def __init__(self) -> None:
        self.texts = self.foreign = self.characters = 0

    def slim(self, chunk: pl.DataFrame) -> pl.DataFrame:
        """Return what decides about the rows: ids, times, ratings, and a hash of the text or the aspect."""
        if "aspect" in chunk.columns:
            return chunk.select(*PAIR, "time", "rating", "aspect")
        texts = chunk["text"].drop_nulls()
        self.characters += int(texts.str.len_chars().sum())
        for text in islice(texts, max(0, TEXTS_JUDGED - self.texts)):
            self.texts += 1
            self.foreign += is_foreign(text)
        return chunk.select(*PAIR, "time", "rating", pl.col("text").hash().alias("content"))

    def refusal(self, config: RunConfig) -> str:
        """Say that there is nothing to extract aspects from, where nearly no text is in English."""
        if config.aspects.extractor != "grammar" or self.foreign < HARDLY_ANY * max(1, self.texts):
            return ""
        return (
            f"{self.foreign:,} of {self.texts:,} texts are not in English, and aspects are found in English reviews "
            "only; bring extracted mentions instead (--format mentions)"
        )

    def cautions(self) -> Iterator[str]:
        """Warn where many texts are not in English."""
        if MANY * self.texts <= self.foreign < HARDLY_ANY * self.texts:
            yield (
                f"{self.foreign:,} of {self.texts:,} texts are not in English: no aspects are looked for in them, "
                "and items with few others are hard to explain"
            )


def _reviews_left(reviews: pl.DataFrame, config: RunConfig) -> tuple[dict[str, int], pl.DataFrame]:
    """Drop equal rows, all but one review of each (user, item), and inactive users; return the counts and the rest."""
    distinct = reviews.unique()
    pairs = distinct.unique(PAIR, keep="any")
    known = _of_reviewed_items(pairs, config)
    kept = _of_active_users(known, config)
    return {
        SAME_AGAIN: reviews.height - distinct.height,
        EARLIER: distinct.height - pairs.height,
        _too_few("item", config): pairs.height - known.height,
        _too_few("user", config): known.height - kept.height,
    }, kept


def _mentions_left(mentions: pl.DataFrame, config: RunConfig) -> tuple[dict[str, int], pl.DataFrame]:
    """Drop the mentions of earlier reviews and of inactive users; return the counts and the rest."""
    latest = mentions.filter(pl.col("time").eq_missing(pl.col("time").max().over(PAIR)))
    pairs = _of_reviewed_items(latest.unique(PAIR, keep="any"), config)
    known = latest.join(pairs.select("item_id").unique(), on="item_id", how="semi")
    kept = known.join(_of_active_users(pairs, config).select("user_id").unique(), on="user_id", how="semi")
    return {
        EARLIER: mentions.height - latest.height,
        _too_few("item", config): latest.height - known.height,
        _too_few("user", config): known.height - kept.height,
    }, kept


def _of_reviewed_items(pairs: pl.DataFrame, config: RunConfig) -> pl.DataFrame:
    return pairs.filter(pl.len().over("item_id") >= config.data.min_item_reviews)


def _of_active_users(pairs: pl.DataFrame, config: RunConfig) -> pl.DataFrame:
    return pairs.filter(pl.len().over("user_id") >= config.data.min_user_reviews)


def _short_of_items(reviews: pl.DataFrame, config: RunConfig) -> Iterator[str]:
    """Warn of users whose lists hold everything that competes for them: nothing can leave such a list."""
    k, items, own = config.lists.k, reviews["item_id"].n_unique(), reviews["user_id"].value_counts()["count"]
    full = int((items - (own - config.split.held_out) <= k).sum()) if reviews.height else 0
    if full:
        yield (
            f"for {full:,} of {len(own):,} users no more than {k} of the {items:,} items compete for a list of {k}: "
            "nothing can leave it, and nothing is explained; pass a smaller --k, or bring more items"
        )


def _few_reviews(table: pl.DataFrame, reviews: pl.DataFrame, config: RunConfig) -> Iterator[str]:
    """Warn if the items that stay have too few reviews for reasons to mean much."""
    counted = reviews
    if config.aspects.everybody:
        counted = table.select(*PAIR).unique().join(reviews.select("item_id").unique(), on="item_id", how="semi")
    warning = warn_of_few_reviews(counted["item_id"].value_counts()["count"].to_numpy())
    if warning:
        yield warning


def _refusal(pairs: pl.DataFrame, config: RunConfig) -> str:
    """Say why nobody stays, in the words of the run itself; empty if somebody does."""
    least = least_reviews(config.split.held_out, config.split.validation)
    try:
        known = keep_reviewed_items(pairs, config.data.min_item_reviews)
        keep_active_users(known, config.data.min_user_reviews, least)
    except EmptyDataError as error:
        return str(error)
    return ""


def _too_few(whose: Literal["user", "item"], config: RunConfig) -> str:
    """Name the reason for leaving out what too few reviews are about, or by."""
    least = config.data.min_user_reviews if whose == "user" else config.data.min_item_reviews
    return f"{'a' if whose == 'user' else 'an'} {whose} with fewer than {least} reviews"
