"""What a run will find in its sources, before any work: what is read, what is left out and why, and who stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import MappingProxyType

import polars as pl

from counterec.data.filtering import PAIR, keep_active_users
from counterec.data.readers import FirstLook, Tally, first_look, read, read_item_names
from counterec.data.readers.problems import PROBLEMS
from counterec.data.splitting import least_reviews
from counterec.errors import ConfigError, EmptyDataError, InvalidValueError, ReadError
from counterec.extraction.curation import load_aspect_words
from counterec.extraction.language import is_foreign
from counterec.pipeline.config import RunConfig
from counterec.pipeline.run_time import estimated_seconds
from counterec.pipeline.stages.read import mentions_given, require_downloaded, source_of

TEXTS_JUDGED = 20_000
"""The language is judged by so many texts at most."""

SAME_AGAIN, EARLIER = "the same review again", "an earlier review of the same item"
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
        return f"{self.look.encoding}, {others:,} lines Latin-1" if others else self.look.encoding


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
    """Why a run would be refused, if nobody stays."""
    aspects: frozenset[str] | None = field(default=None, repr=False)
    """The names of aspects, where the sources hold mentions."""

    def __post_init__(self) -> None:
        for name in ("dropped", "problems"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        if self.rows != self.kept + sum(self.dropped.values()):
            raise InvalidValueError(
                f"{self.rows} rows were read, but {self.kept} kept and {dict(self.dropped)} dropped"
            )


def check_sources(config: RunConfig) -> SourceReport:
    """Read the sources of a run once, without writing anything; refuse what the run itself would refuse."""
    require_downloaded(config)
    given, tally = mentions_given(config), Tally()
    files, frames, judged = [], [], _Languages()
    for path in config.data.sources:
        source, own = source_of(config, path), Tally(parent=tally)
        look = first_look(source)
        frames += [judged.slim(chunk) for chunk in read(source, own)]
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
        users=reviews["user_id"].n_unique(),
        items=reviews["item_id"].n_unique(),
        reviews=reviews.height,
        fewest=int(reviews["user_id"].value_counts()["count"].sort()[0]) if reviews.height else 0,
        texts_judged=judged.texts,
        not_english=judged.foreign,
        seconds=estimated_seconds(
            config, reviews["user_id"].n_unique(), reviews.height, judged.characters * kept.height // table.height
        ),
        refusal=_refusal(table.unique(PAIR, keep="any"), config),
        aspects=frozenset(table["aspect"].unique()) if given else None,
    )


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


def _reviews_left(reviews: pl.DataFrame, config: RunConfig) -> tuple[dict[str, int], pl.DataFrame]:
    """Drop equal rows, all but one review of each (user, item), and inactive users; return the counts and the rest."""
    distinct = reviews.unique()
    pairs = distinct.unique(PAIR, keep="any")
    kept = _of_active_users(pairs, config)
    return {
        SAME_AGAIN: reviews.height - distinct.height,
        EARLIER: distinct.height - pairs.height,
        _too_few(config): pairs.height - kept.height,
    }, kept


def _mentions_left(mentions: pl.DataFrame, config: RunConfig) -> tuple[dict[str, int], pl.DataFrame]:
    """Drop the mentions of earlier reviews and of inactive users; return the counts and the rest."""
    latest = mentions.filter(pl.col("time").eq_missing(pl.col("time").max().over(PAIR)))
    active = _of_active_users(latest.unique(PAIR, keep="any"), config).select("user_id").unique()
    kept = latest.join(active, on="user_id", how="semi")
    return {EARLIER: mentions.height - latest.height, _too_few(config): latest.height - kept.height}, kept


def _of_active_users(pairs: pl.DataFrame, config: RunConfig) -> pl.DataFrame:
    return pairs.filter(pl.len().over("user_id") >= config.data.min_user_reviews)


def _refusal(pairs: pl.DataFrame, config: RunConfig) -> str:
    """Say why nobody stays, in the words of the run itself; empty if somebody does."""
    least = least_reviews(config.split.held_out, config.split.validation)
    try:
        keep_active_users(pairs, config.data.min_user_reviews, least)
    except EmptyDataError as error:
        return str(error)
    return ""


def _too_few(config: RunConfig) -> str:
    return f"a user with fewer than {config.data.min_user_reviews} reviews"


def check_files(config: RunConfig) -> None:
    """Refuse files that a configuration names and that cannot be used: item names and own words."""
    if config.data.items is not None:
        read_item_names(config.data.items, Tally())
    if config.aspects.words is not None:
        load_aspect_words(config.aspects.words)


def check_settings(config: RunConfig, report: SourceReport) -> None:
    """Refuse settings that the sources cannot meet: lists that are too long, aspects that are not there."""
    if report.refusal:
        raise EmptyDataError(report.refusal)
    compete = _most_candidates(config, report)
    if config.lists.k >= compete:
        raise ConfigError(
            f"--k {config.lists.k}: of {report.items:,} items, at most {compete:,} compete for a list, and one has to "
            f"stay below it; pass at most {max(1, compete - 1):,}"
        )
    known = _known_aspects(config, report)
    for name in _named_aspects(config):
        if known is not None and name not in known:
            some = ", ".join(sorted(known)[:8]) + (" and others" if len(known) > 8 else "")
            raise ConfigError(f"explain.constraints: there is no aspect {name!r}; there are {some}")


def _most_candidates(config: RunConfig, report: SourceReport) -> int:
    """The most items that compete for a user's list: all but those that the user has, apart from the held-out ones."""
    most = report.items - (report.fewest - config.split.held_out)
    return min(most, config.split.held_out + config.lists.negatives) if config.lists.protocol == "sampled" else most


def _named_aspects(config: RunConfig) -> Iterator[str]:
    limits = config.explain.constraints
    yield from dict.fromkeys([*limits.keep, *limits.lowest, *limits.highest, *limits.costs])


def _known_aspects(config: RunConfig, report: SourceReport) -> frozenset[str] | None:
    """The aspects that may be found, where that can be known without extracting: mentions, or a list of one's own."""
    if report.aspects is not None:
        return report.aspects
    listed = load_aspect_words(config.aspects.words).aspects if config.aspects.words else frozenset()
    return listed or None


def check_run(config: RunConfig) -> SourceReport | None:
    """Check everything that a configuration names, before any work; None for the built-in world, which has no files."""
    check_files(config)
    if config.data.world is not None:
        return None
    report = check_sources(config)
    check_settings(config, report)
    return report
