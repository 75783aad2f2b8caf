"""The reviews of an update → their mentions, by what the extractor learned when the run was made."""

from __future__ import annotations

from counterec.extraction.registry import extractor_code
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.extraction_pieces import (
    extraction_progress,
    learned_extractor,
    mention_pieces,
    not_in_english,
    write_mentions,
)
from counterec.pipeline.manifest import UPDATE
from counterec.pipeline.mention_extraction import chosen_extractor
from counterec.pipeline.stage import Stage, StageContext
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
            "counterec.pipeline.extraction_pieces",
            "counterec.pipeline.english_reviews",
            "counterec.data",
            *extractor_code(config.aspects.extractor),
        ),
        work=lambda context: _extract(context, number),
        sources=(words,) if words else (),
    )


def _extract(context: StageContext, number: int) -> None:
    """Let the extractor learn from the run's training part, as it did before, and read the new reviews."""
    aspects, new = context.config.aspects, layout.of_update(number, layout.REVIEWS)
    words = next(iter(context.stage.sources), None)
    progress = extraction_progress(context, [new])
    advance = None if progress is None else progress.advance
    with guarded("extractor", aspects.extractor):
        chosen = chosen_extractor(aspects.extractor, words, aspects.near_synonyms)
        extractor = learned_extractor(context, chosen, advance)
    (found,) = mention_pieces(context, [new], extractor, advance)
    mentions, _ = write_mentions(found, context.new(layout.of_update(number, layout.MENTIONS)))
    context.counts |= {"mentions": mentions, "reviews_not_in_english": not_in_english(found)}
    if progress is not None:
        progress.finish()
