"""Reviews → mentions; the extractor learns from the training part alone, and reads only what is in English."""

from __future__ import annotations

import polars as pl

from counterec.data import tables
from counterec.errors import EmptyDataError
from counterec.extraction.protocol import Extractor
from counterec.extraction.registry import extractor_code
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.english_reviews import EnglishReviews
from counterec.pipeline.files import write_json
from counterec.pipeline.mention_extraction import chosen_extractor, extracted, fitted
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
            "counterec.pipeline.english_reviews",
            "counterec.data",
            *extractor_code(config.aspects.extractor),
        ),
        work=_extract,
        sources=(words,) if words else (),
    )


def _extract(context: StageContext) -> None:
    aspects, reviews = context.config.aspects, EnglishReviews(context.folder.file(layout.REVIEWS))
    training = context.folder.split.filter(pl.col("part") == "train")
    words = next(iter(context.stage.sources), None)
    chosen = chosen_extractor(aspects.extractor, words, aspects.near_synonyms)
    with workers(context.options.processes) as share, guarded("extractor", aspects.extractor):
        others = EnglishReviews(context.folder.file(layout.OTHER_REVIEWS)) if aspects.everybody else None
        total = reviews.total + (others.total if others else 0)
        progress = CountedOnce(context.reporter, total, "reviews", total + len(training))
        extractor = fitted(chosen, lambda: reviews.of(training), share, progress.advance)
        mentions = found_mentions(extractor, reviews, progress, share)
        if not len(mentions):
            raise EmptyDataError("no opinion on any aspect was found in the texts; are they reviews in English?")
        write_table(mentions, context.new(layout.MENTIONS))
        context.counts |= {"mentions": len(mentions), "aspects": mentions["aspect"].n_unique()}
        context.counts["reviews_not_in_english"] = reviews.foreign
        if others is not None:
            of_others = found_mentions(extractor, others, progress, share)
            write_table(of_others, context.new(layout.OTHER_MENTIONS))
            context.counts |= {"mentions_of_others": len(of_others), "others_not_in_english": others.foreign}
    progress.finish()
    write_json(context.new(layout.LEARNED), extractor.learned())
    if reviews.foreign:
        context.warn(
            f"{reviews.foreign:,} of {reviews.total:,} reviews are not in English (no mentions are looked for)"
        )


def found_mentions(extractor: Extractor, reviews: EnglishReviews, progress: CountedOnce, share: Share) -> pl.DataFrame:
    """The mentions in these reviews."""
    found = extracted(extractor, reviews.all, progress.advance, share)
    return pl.concat([tables.empty(tables.MENTIONS), *found])
