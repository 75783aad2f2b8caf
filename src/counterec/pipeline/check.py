"""Refuse a run that cannot end well: before any work, or as soon as its aspects are known.

The sources are read once: what is read, what is left out and why, who stays, and about how long the run will take.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import polars as pl

from counterec.core.compute_limits import available_cores
from counterec.core.scorers.settings import EPOCH_SAMPLES, VALIDATION_USERS
from counterec.data.prepare import PAIR, keep_active_users, keep_reviewed_items, least_reviews
from counterec.data.problems import PROBLEMS, Tally
from counterec.data.readers import FirstLook, first_look, read, read_item_names
from counterec.errors import ConfigError, EmptyDataError, InvalidValueError, ReadError
from counterec.extraction.language import is_foreign
from counterec.extraction.protocol import load_aspect_words
from counterec.pipeline.config import RunConfig
from counterec.pipeline.evidence import warn_of_few_reviews
from counterec.pipeline.files import sha256
from counterec.pipeline.folder import RunFolder
from counterec.pipeline.layout import MANIFEST
from counterec.pipeline.manifest import Manifest
from counterec.pipeline.stage import Reporter
from counterec.pipeline.stages.build import CHOOSING_NETS, MOST_INTERACTIONS, RULES, SIZES
from counterec.pipeline.stages.read import mentions_given, require_downloaded, source_of
from counterec.synthetic.world import WorldSize

MOST_NAMES = 8
"""An error lists at most so many aspects that there are."""


def check_run(config: RunConfig, folder: Path, reporter: Reporter) -> None:
    """Check everything that a configuration names, before any work; the reporter hears what the sources hold.

    Sources that were read into the folder were checked then, and need no second look.
    """
    check_files(config)
    if config.data.world is not None:
        _check_world(config, config.data.world)
    elif config.data.tables is None and not _was_read(config, folder):  # frames are checked as they are read
        reporter.begin("check")
        reporter.total(0, "rows")
        report = check_sources(config, reporter.advance)
        check_settings(config, report)
        reporter.checked(report)


def _check_world(config: RunConfig, size: WorldSize) -> None:
    """Refuse lists that are longer than what the built-in world has for them."""
    _check_length(config, size.items, max(size.min_reviews, config.data.min_user_reviews))


def _was_read(config: RunConfig, folder: Path) -> bool:
    """Whether the folder holds what was read from these very files by the same settings: then it was checked, too."""
    if not (folder / MANIFEST).exists():
        return False
    before, now = Manifest.load(folder), config.model_dump(mode="json")
    same = all(before.config.get(part) == now[part] for part in ("data", "split", "aspects", "lists", "explain"))
    if not same or "read" not in before.stages or not all(path.is_file() for path in config.data.sources):
        return False
    return list(before.stages["read"].inputs.values()) == [sha256(path) for path in config.data.sources]


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
    _check_length(config, report.items, report.fewest)
    known = _known_aspects(config, report)
    for name in _named_aspects(config):
        if known is not None and name not in known:
            raise _no_aspect(name, known)


def check_aspects(config: RunConfig, folder: RunFolder) -> None:
    """Refuse constraints on aspects that the run does not have, or that contradict their scale.

    Of reviews this is known after the stage *build*: it chooses the aspects among the names that were found.
    """
    named = list(_named_aspects(config))
    for name in named:
        if name in folder.space.aspects:
            continue
        if name in folder.aspect_of_name:
            aspect = folder.aspect_of_name[name]
            raise ConfigError(f"explain.constraints: {name!r} counts as {aspect!r} in these reviews; name that instead")
        raise _no_aspect(name, folder.space.aspects.texts)
    if named:
        config.explain.constraints.check(folder.space)


def _no_aspect(name: str, known: Collection[str]) -> ConfigError:
    """The error about an aspect that is not there, with those that may be meant."""
    near = difflib.get_close_matches(name, known)
    if near:
        return ConfigError(f"explain.constraints: there is no aspect {name!r}; did you mean {' or '.join(near)}?")
    some = ", ".join(sorted(known)[:MOST_NAMES]) + (" and others" if len(known) > MOST_NAMES else "")
    return ConfigError(f"explain.constraints: there is no aspect {name!r}; there are {some}")


def _check_length(config: RunConfig, items: int, fewest: int) -> None:
    """Refuse lists as long as all that competes for them; ``fewest`` are the reviews of the least active user.

    All items compete but those that the user has, apart from the held-out ones.
    """
    compete = items - (fewest - config.split.held_out)
    if config.lists.protocol == "sampled":
        compete = min(compete, config.split.held_out + config.lists.negatives)
    if config.lists.k >= compete:
        raise ConfigError(
            f"--k {config.lists.k}: of {items:,} items, at most {compete:,} compete for a list, and one has to "
            f"stay below it; pass at most {max(1, compete - 1):,}"
        )


def _named_aspects(config: RunConfig) -> Iterator[str]:
    limits = config.explain.constraints
    yield from dict.fromkeys([*limits.keep, *limits.lowest, *limits.highest, *limits.costs])


def _known_aspects(config: RunConfig, report: SourceReport) -> frozenset[str] | None:
    """The aspects that may be found, where that can be known without extracting: mentions, or a list of one's own."""
    if report.aspects is not None:
        return report.aspects
    listed = load_aspect_words(config.aspects.words).aspects if config.aspects.words else frozenset()
    return listed or None


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


START_SECONDS = 3.0
"""Seconds that every run takes."""
CHARACTERS = 550_000
"""Characters of text per second and core: learning and extraction."""
EPOCHS = 25
"""Epochs that a net usually takes."""
INTERACTIONS = 220_000
"""Training interactions per second of an epoch."""
VALIDATED = 110_000_000
"""Scores per second of a validation, which ranks the catalogue for some users."""
OPERATIONS = 1.5e10
"""Operations per second and core of the item-to-item regression, for a few λ."""
MOST_ITEMS = 20_000
"""The regression is over at most this many users or items."""
ANSWERS = 100
"""Users per second and core whose lists are explained by one method."""


def estimated_seconds(config: RunConfig, users: int, items: int, reviews: int, characters: int) -> float:
    """Return the expected seconds of a run on this machine.

    ``reviews`` are those of the users who stay; ``characters`` is the length of all texts that are extracted.
    """
    cores = available_cores()
    interactions = max(users, reviews - users * (config.split.held_out + config.split.validation))
    validation = min(users, VALIDATION_USERS) * items / VALIDATED

    def train(nets: int, most: int) -> float:
        return nets * EPOCHS * (min(interactions, most) / INTERACTIONS + validation)

    chosen = (0 if config.aspects.most else len(SIZES)) + (len(RULES) - 1 if config.aspects.quality == "auto" else 0)
    training = train(chosen * CHOOSING_NETS, MOST_INTERACTIONS)
    if config.model.kind == "hybrid":
        training += train(config.model.hybrid.nets, EPOCH_SAMPLES // 5)
        training += min(users, items, MOST_ITEMS) ** 3 / OPERATIONS / cores
    else:
        training += train(1, EPOCH_SAMPLES // 5)
    texts = characters / CHARACTERS / cores
    return START_SECONDS + texts + training + users * len(config.explain.methods) / ANSWERS / cores


def in_words(seconds: float) -> str:
    """Return a duration to one digit, as an estimate deserves."""
    if seconds < 50:
        return "less than a minute"
    if seconds < 5_400:
        return f"about {_round(seconds / 60)} minutes" if seconds > 90 else "about a minute"
    return f"about {_round(seconds / 3_600)} hours"


def _round(value: float) -> int:
    step = 10 ** (len(str(int(value))) - 1)
    return int(round(value / step) * step)
