"""Sources → reviews, and mentions where the sources hold them; and which are training, validation and test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import polars as pl

from counterec.data.files import guess_format
from counterec.data.prepare import (
    filtered_mentions,
    filtered_reviews,
    least_reviews,
    mentions_of_others,
    reviews_of_others,
    split_reviews,
)
from counterec.data.problems import Tally
from counterec.data.readers import read
from counterec.data.source import Source, is_mentions
from counterec.errors import ConfigError, ReadError
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig, world_seed
from counterec.pipeline.files import write_table
from counterec.pipeline.stage import Stage, StageContext
from counterec.synthetic.reviews import synthetic_reviews
from counterec.synthetic.world import synthetic_world


def mentions_given(config: RunConfig) -> bool:
    """Whether the sources hold mentions, so that nothing has to be extracted."""
    kinds = {is_mentions(_format(config, path)) for path in config.data.sources}
    if len(kinds) > 1:
        names = ", ".join(path.name for path in config.data.sources)
        raise ConfigError(f"{names}: some hold reviews and some mentions; run them separately")
    return kinds == {True}


def source_of(config: RunConfig, path: Path) -> Source:
    """One of the files to read, as the configuration describes it."""
    return Source(path, _format(config, path), config.data.columns, config.data.dates)


def _format(config: RunConfig, path: Path) -> str:
    return config.data.format or guess_format(path)


def read_stage(config: RunConfig) -> Stage:
    """Sources → reviews: earlier duplicates and inactive users dropped."""
    require_downloaded(config)
    given, everybody = mentions_given(config), config.aspects.everybody
    data = ("data.format", "data.columns", "data.dates", "data.min_user_reviews", "data.min_item_reviews", "data.world")
    return Stage(
        name="read",
        config=config,
        settings=(*data, "aspects.everybody", "split", *world_seed(config)),
        inputs=(),
        outputs=(
            layout.REVIEWS,
            *((layout.MENTIONS,) if given else ()),
            *layout.other_files(everybody, layout.OTHER_REVIEWS, *((layout.OTHER_MENTIONS,) if given else ())),
        ),
        code=("counterec.data", "counterec.synthetic"),
        work=_read,
        sources=config.data.sources,
    )


def _read(context: StageContext) -> None:
    config = context.config
    tally, data = Tally(), config.data
    limits = data.min_user_reviews, least_reviews(config.split.held_out, config.split.validation), data.min_item_reviews
    parts = spooled(context, _chunks(context, tally))
    if layout.MENTIONS in context.stage.outputs:
        reviews, mentions, counts = filtered_mentions(parts, *limits)
        write_table(mentions, context.new(layout.MENTIONS))
    else:
        reviews, counts = filtered_reviews(parts, *limits)
    write_table(reviews, context.new(layout.REVIEWS))
    if config.aspects.everybody:
        _write_others(context, parts)
    context.counts |= {**counts, **tally.as_dict()}
    for warning in [*tally.warnings(), *_left_out(counts, data.min_user_reviews, data.min_item_reviews)]:
        context.warn(warning)


def _write_others(context: StageContext, parts: pl.LazyFrame) -> None:
    """Write the reviews of the catalogue's items by people who are not among the users."""
    data = context.config.data
    limits = data.min_user_reviews, _catalogue(context), data.min_item_reviews
    if layout.MENTIONS in context.stage.outputs:
        reviews, mentions = mentions_of_others(parts, *limits)
        write_table(mentions, context.new(layout.OTHER_MENTIONS))
    else:
        reviews = reviews_of_others(parts, *limits)
    write_table(reviews, context.new(layout.OTHER_REVIEWS))
    written = pl.scan_parquet(context.new(layout.OTHER_REVIEWS))
    context.counts["reviews_of_others"] = written.select(pl.len()).collect().item()


def _catalogue(context: StageContext) -> pl.DataFrame:
    """The items that the users have reviewed."""
    return pl.scan_parquet(context.new(layout.REVIEWS)).select("item_id").unique().collect()


def require_downloaded(config: RunConfig) -> None:
    """Say what to download where a published dataset is missing: "check the path" would help nobody."""
    for path in config.data.sources:
        if config.dataset and not path.exists():
            raise ReadError(config.dataset.how_to_get(path))


def _left_out(counts: Mapping[str, int], min_reviews: int, min_item_reviews: int) -> Iterator[str]:
    """One line for each thing that the filters dropped."""
    if counts["earlier_reviews_dropped"]:
        yield f"{counts['earlier_reviews_dropped']:,} earlier reviews of an item by the same user (dropped)"
    if counts["items_dropped"]:
        found = f"{counts['items_dropped']:,} of {counts['items_read']:,} items"
        yield f"{found} have fewer than {min_item_reviews} reviews (left out; --min-item-reviews)"
    if counts["users_dropped"]:
        found = f"{counts['users_dropped']:,} of {counts['users_read']:,} users"
        yield f"{found} have fewer than {min_reviews} reviews (left out; --min-user-reviews)"


def _chunks(context: StageContext, tally: Tally) -> Iterator[pl.DataFrame]:
    config, advance = context.config, context.reporter.advance
    context.reporter.total(0, "rows")
    if config.data.world:
        made = synthetic_reviews(synthetic_world(config.data.world, config.seed), config.seed)
        advance(len(made))
        yield made
    for path in context.stage.sources:
        yield from read(source_of(config, path), tally, advance)


def spooled(context: StageContext, chunks: Iterable[pl.DataFrame]) -> pl.LazyFrame:
    """Write the chunks to files as they come and scan them lazily, so that no text waits in memory."""
    folder = context.scratch("spool/0.parquet").parent
    for old in folder.glob("*.parquet"):
        old.unlink()
    count = 0
    for number, chunk in enumerate(chunks):
        write_table(chunk, folder / f"{number}.parquet")
        count += len(chunk)
    if not count:
        raise ReadError("the sources hold no usable row; check the files and --format")
    return pl.scan_parquet(sorted(folder.glob("*.parquet"), key=lambda path: int(path.stem)))


def split_stage(config: RunConfig) -> Stage:
    """Reviews → their parts."""
    return Stage(
        name="split",
        config=config,
        settings=("split", "seed"),
        inputs=(layout.REVIEWS,),
        outputs=(layout.SPLIT,),
        code=("counterec.data", "counterec.synthetic"),
        work=_split,
    )


def _split(context: StageContext) -> None:
    settings = context.config.split
    reviews = context.folder.table(layout.REVIEWS, ["user_id", "item_id", "time"])
    split, how = split_reviews(reviews, settings.held_out, settings.validation, seed=context.config.seed)
    write_table(split, context.new(layout.SPLIT))
    parts = split["part"].value_counts()
    context.counts |= {**how, **dict(zip(parts["part"], parts["count"], strict=True))}
    if how["order"] != "time":
        context.warn("no review has a time: the held-out reviews were drawn by the seed")
    elif how["rows_without_time"]:
        context.warn(f"{how['rows_without_time']} reviews have no time and count as the earliest of their user")
