"""The reviews of an update → their mentions, by what the extractor learned when the run was made."""

from __future__ import annotations

import polars as pl

from counterec.extraction.registry import extractor_code
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.english_reviews import EnglishReviews
from counterec.pipeline.manifest import UPDATE
from counterec.pipeline.mention_extraction import chosen_extractor, fitted
from counterec.pipeline.processes import workers
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import CountedOnce, Stage, StageContext
from counterec.pipeline.stages.extract import found_mentions
from counterec.plugins import guarded


def update_extract_stage(config: RunConfig, number: int) -> Stage:
    """The reviews of an update → their mentions, by what the extractor learned when the run was made."""
    words = config.aspects.words
    return Stage(
        name=f"{UPDATE} {number}: extract",
        config=config,
        settings=("aspects.extractor", "aspects.near_synonyms"),
        inputs=(layout.REVIEWS, layout.SPLIT, layout.of_update(number, layout.REVIEWS)),
        outputs=(layout.of_update(number, layout.MENTIONS),),
        code=(
            "counterec.extraction",
            "counterec.pipeline.mention_extraction",
            "counterec.pipeline.english_reviews",
            "counterec.pipeline.stages.extract",
            "counterec.data",
            *extractor_code(config.aspects.extractor),
        ),
        work=lambda context: _extract(context, number),
        sources=(words,) if words else (),
    )


def _extract(context: StageContext, number: int) -> None:
    """Let the extractor learn from the run's training part, as it did before, and read the new reviews."""
    aspects, folder = context.config.aspects, context.folder
    trained = EnglishReviews(folder.file(layout.REVIEWS))
    new = EnglishReviews(folder.file(layout.of_update(number, layout.REVIEWS)))
    training = folder.split.filter(pl.col("part") == "train")
    words = next(iter(context.stage.sources), None)
    chosen = chosen_extractor(aspects.extractor, words, aspects.near_synonyms)
    with workers(context.options.processes) as share, guarded("extractor", aspects.extractor):
        progress = CountedOnce(context.reporter, new.total, "reviews", new.total + len(training))
        extractor = fitted(chosen, lambda: trained.of(training), share, progress.advance)
        mentions = found_mentions(extractor, new, progress, share)
    progress.finish()
    write_table(mentions, context.new(layout.of_update(number, layout.MENTIONS)))
    context.counts |= {"mentions": len(mentions), "reviews_not_in_english": new.foreign}
