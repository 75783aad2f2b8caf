"""Reviews → mentions; the extractor learns from the training part alone, and reads only what is in English."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from counterec.data import tables
from counterec.errors import EmptyDataError
from counterec.extraction.language import is_foreign
from counterec.extraction.protocol import Extractor
from counterec.extraction.registry import extractor_code
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import write_json
from counterec.pipeline.mention_extraction import TEXTS_AT_ONCE, chosen_extractor, extracted, fitted
from counterec.pipeline.processes import Share, workers
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import CountedOnce, Stage, StageContext
from counterec.plugins import guarded


def extract_stage(config: RunConfig) -> Stage:
    """Reviews → mentions."""
    words, everybody = config.aspects.words, config.aspects.everybody
    return Stage(
        name="extract",
        config=config,
        settings=("aspects.extractor", "aspects.near_synonyms", "aspects.everybody"),
        inputs=(layout.REVIEWS, layout.SPLIT, *layout.other_files(everybody, layout.OTHER_REVIEWS)),
        outputs=(layout.MENTIONS, layout.LEARNED, *layout.other_files(everybody, layout.OTHER_MENTIONS)),
        code=(
            "counterec.extraction",
            "counterec.pipeline.mention_extraction",
            "counterec.data",
            *extractor_code(config.aspects.extractor),
        ),
        work=_extract,
        sources=(words,) if words else (),
    )


def _extract(context: StageContext) -> None:
    aspects, reviews = context.config.aspects, _EnglishReviews(context.folder.file(layout.REVIEWS))
    training = context.folder.split.filter(pl.col("part") == "train")
    words = next(iter(context.stage.sources), None)
    chosen = chosen_extractor(aspects.extractor, words, aspects.near_synonyms)
    with workers(context.options.processes) as share, guarded("extractor", aspects.extractor):
        others = _EnglishReviews(context.folder.file(layout.OTHER_REVIEWS)) if aspects.everybody else None
        total = reviews.total + (others.total if others else 0)
        progress = CountedOnce(context.reporter, total, "reviews", total + len(training))
        extractor = fitted(chosen, lambda: reviews.of(training), share, progress.advance)
        mentions = _found(extractor, reviews, progress, share)
        if not len(mentions):
            raise EmptyDataError("no opinion on any aspect was found in the texts; are they reviews in English?")
        write_table(mentions, context.new(layout.MENTIONS))
        context.counts |= {"mentions": len(mentions), "aspects": mentions["aspect"].n_unique()}
        context.counts["reviews_not_in_english"] = reviews.foreign
        if others is not None:
            of_others = _found(extractor, others, progress, share)
            write_table(of_others, context.new(layout.OTHER_MENTIONS))
            context.counts |= {"mentions_of_others": len(of_others), "others_not_in_english": others.foreign}
    progress.finish()
    write_json(context.new(layout.LEARNED), extractor.learned())
    if reviews.foreign:
        context.warn(
            f"{reviews.foreign:,} of {reviews.total:,} reviews are not in English (no mentions are looked for)"
        )


class _EnglishReviews:
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


def _found(extractor: Extractor, reviews: _EnglishReviews, progress: CountedOnce, share: Share) -> pl.DataFrame:
    """The mentions in these reviews."""
    found = extracted(extractor, reviews.all, progress.advance, share)
    return pl.concat([tables.empty(tables.MENTIONS), *found])
