"""Reviews → mentions; the extractor learns from the training part alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from counterec.data import tables
from counterec.errors import EmptyDataError
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import write_json
from counterec.pipeline.mention_extraction import TEXTS_AT_ONCE, chosen_extractor, extracted, fitted
from counterec.pipeline.processes import workers
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import Stage, StageContext


def extract_stage(config: RunConfig) -> Stage:
    """Reviews → mentions."""
    words = config.aspects.words
    return Stage(
        name="extract",
        config=config,
        settings=("aspects.extractor", "aspects.near_synonyms"),
        inputs=(layout.REVIEWS, layout.SPLIT),
        outputs=(layout.MENTIONS, layout.LEARNED),
        code=("counterec.extraction", "counterec.pipeline.mention_extraction", "counterec.data"),
        work=_extract,
        sources=(words,) if words else (),
    )


def _extract(context: StageContext) -> None:
    aspects, reviews = context.config.aspects, context.folder.file(layout.REVIEWS)
    total = pl.scan_parquet(reviews).select(pl.len()).collect().item()
    context.reporter.total(total, "reviews")
    training = context.folder.split.filter(pl.col("part") == "train")
    words = next(iter(context.stage.sources), None)
    chosen = chosen_extractor(aspects.extractor, words, aspects.near_synonyms)
    with workers(context.options.processes) as share:
        extractor = fitted(chosen, lambda: _batches(reviews, total, training), share)
        found = extracted(extractor, lambda: _batches(reviews, total), context.reporter.advance, share)
        mentions = pl.concat([tables.empty(tables.MENTIONS), *found])
    if not len(mentions):
        raise EmptyDataError("no opinion on any aspect was found in the texts; are they reviews in English?")
    write_table(mentions, context.new(layout.MENTIONS))
    write_json(context.new(layout.LEARNED), extractor.learned())
    context.counts |= {"mentions": len(mentions), "aspects": mentions["aspect"].n_unique()}


def _batches(reviews: Path, total: int, chosen: pl.DataFrame | None = None) -> Iterator[pl.DataFrame]:
    """Read the reviews, or the chosen ones among them, one batch at a time: the text in memory stays bounded."""
    for start in range(0, total, TEXTS_AT_ONCE):
        batch = pl.scan_parquet(reviews).slice(start, TEXTS_AT_ONCE).collect()
        yield batch if chosen is None else batch.join(chosen, on=["user_id", "item_id"], how="semi")
