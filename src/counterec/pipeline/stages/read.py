"""Sources → reviews, and which of them are training, validation and test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import polars as pl

from counterec.data.filtering import filtered_mentions, filtered_reviews
from counterec.data.readers import Source, Tally, guess_format, is_mentions, read
from counterec.data.splitting import least_reviews, split_reviews
from counterec.errors import ConfigError, ReadError
from counterec.pipeline import serialization
from counterec.pipeline.config import RunConfig
from counterec.pipeline.engine import Stage, StageContext
from counterec.synthetic.matrices import synthetic_world
from counterec.synthetic.reviews import synthetic_reviews


def mentions_given(config: RunConfig) -> bool:
    """Whether the sources hold mentions, so that nothing has to be extracted."""
    formats = {is_mentions(_format(config, path)) for path in config.data.sources}
    if len(formats) > 1:
        names = ", ".join(path.name for path in config.data.sources)
        raise ConfigError(f"{names}: some hold reviews and some mentions; run them apart")
    return formats == {True}


def _format(config: RunConfig, path: Path) -> str:
    return config.data.format or guess_format(path)


def read_stage(config: RunConfig) -> Stage:
    """Sources → reviews (and mentions, where the sources hold them): earlier duplicates and inactive users dropped."""
    _require_downloaded(config)
    data, has_mentions = config.data, mentions_given(config)
    formats = [_format(config, path) for path in data.sources]
    world = data.world and [vars(data.world), config.seed]
    settings = [formats, data.columns, data.min_user_reviews, config.split.model_dump(), world]
    outputs = (serialization.REVIEWS, serialization.MENTIONS) if has_mentions else (serialization.REVIEWS,)
    least = least_reviews(config.split.held_out, config.split.validation)

    def work(context: StageContext) -> None:
        tally = Tally()
        parts = _spooled(context, _chunks(config, formats, tally))
        if has_mentions:
            reviews, mentions, counts = filtered_mentions(parts, data.min_user_reviews, least)
            serialization.write_table(mentions, context.new(serialization.MENTIONS))
        else:
            reviews, counts = filtered_reviews(parts, data.min_user_reviews, least)
        serialization.write_table(reviews, context.new(serialization.REVIEWS))
        context.counts |= {**counts, **tally.as_dict()}
        for warning in [*tally.warnings(), *_left_out(counts, data.min_user_reviews)]:
            context.warn(warning)

    return Stage("read", (), outputs, settings, work, sources=data.sources)


def _require_downloaded(config: RunConfig) -> None:
    """Say what to download where a published dataset is not there yet: "check the path" would help nobody."""
    for path in config.data.sources:
        if config.dataset and not path.exists():
            raise ReadError(config.dataset.how_to_get(path))


def _left_out(counts: Mapping[str, int], min_reviews: int) -> Iterator[str]:
    """What the filters dropped, a line each."""
    if counts["earlier_reviews_dropped"]:
        yield f"{counts['earlier_reviews_dropped']:,} earlier reviews of an item by the same user (dropped)"
    if counts["users_dropped"]:
        found = f"{counts['users_dropped']:,} of {counts['users_read']:,} users"
        yield f"{found} have fewer than {min_reviews} reviews (left out; --min-user-reviews)"


def _chunks(config: RunConfig, formats: list[str], tally: Tally) -> Iterator[pl.DataFrame]:
    if config.data.world:
        yield synthetic_reviews(synthetic_world(config.data.world, config.seed), config.seed)
    for path, format_ in zip(config.data.sources, formats, strict=True):
        yield from read(Source(path, format_, config.data.columns), tally)


def _spooled(context: StageContext, chunks: Iterable[pl.DataFrame]) -> pl.LazyFrame:
    """Write the chunks to files as they come and look at them lazily, so that no text waits in memory."""
    folder = context.new("spool/0.parquet").parent
    for old in folder.glob("*.parquet"):
        old.unlink()
    context.reporter.total(0, "rows")
    count = 0
    for number, chunk in enumerate(chunks):
        serialization.write_table(chunk, folder / f"{number}.parquet")
        context.reporter.advance(len(chunk))
        count += len(chunk)
    if not count:
        raise ReadError("the sources hold no usable row; check the files and --format")
    return pl.scan_parquet(sorted(folder.glob("*.parquet"), key=lambda path: int(path.stem)))


def split_stage(config: RunConfig) -> Stage:
    """Reviews → which of them are training, validation and test, before anything is extracted."""

    def work(context: StageContext) -> None:
        reviews = serialization.read_table(context.path(serialization.REVIEWS), ["user_id", "item_id", "time"])
        split, how = split_reviews(reviews, config.split.held_out, config.split.validation, seed=config.seed)
        serialization.write_table(split, context.new(serialization.SPLIT))
        parts = split["part"].value_counts()
        context.counts |= {**how, **dict(zip(parts["part"], parts["count"], strict=True))}
        if how["order"] != "time":
            context.warn("no review has a time: which are held out was drawn by the seed")
        elif how["rows_without_time"]:
            context.warn(f"{how['rows_without_time']} reviews have no time and count as the earliest of their user")

    return Stage(
        "split", (serialization.REVIEWS,), (serialization.SPLIT,), [config.split.model_dump(), config.seed], work
    )
