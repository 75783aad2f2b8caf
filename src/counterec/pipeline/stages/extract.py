"""Reviews → mentions; the extractor learns from the training part alone, and reads only what is in English."""

from __future__ import annotations

from counterec.errors import EmptyDataError
from counterec.extraction.extractor import extractor_code
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.english_reviews import number_of_reviews
from counterec.pipeline.extraction_pieces import (
    extraction_progress,
    learned_extractor,
    mention_pieces,
    not_in_english,
    write_mentions,
)
from counterec.pipeline.files import write_json
from counterec.pipeline.mention_extraction import chosen_extractor
from counterec.pipeline.stage import Stage, StageContext
from counterec.references import guarded


def extract_stage(config: RunConfig) -> Stage:
    """Reviews → mentions."""
    words, everybody = config.aspects.words, config.aspects.everybody
    return Stage(
        name="extract",
        config=config,
        settings=("aspects.extractor", "aspects.everybody"),
        inputs=(layout.REVIEWS, layout.SPLIT, *layout.other_files(everybody, layout.OTHER_REVIEWS)),
        outputs=(layout.MENTIONS, layout.LEARNED, *layout.other_files(everybody, layout.OTHER_MENTIONS)),
        code=(
            "counterec.extraction",
            "counterec.pipeline.mention_extraction",
            "counterec.pipeline.extraction_pieces",
            "counterec.pipeline.english_reviews",
            "counterec.data",
            *extractor_code(config.aspects.extractor),
        ),
        work=_extract,
        in_pieces=True,
        sources=(words,) if words else (),
    )


def _extract(context: StageContext) -> None:
    aspects, files = context.config.aspects, [layout.REVIEWS]
    if aspects.everybody:
        files.append(layout.OTHER_REVIEWS)
    words = next(iter(context.stage.sources), None)
    progress = extraction_progress(context, files)
    advance = None if progress is None else progress.advance
    with guarded("extractor", aspects.extractor):
        chosen = chosen_extractor(aspects.extractor, words)
        extractor = learned_extractor(context, chosen, advance)
    found, *others = mention_pieces(context, files, extractor, advance)
    write_json(context.new(layout.LEARNED), extractor.learned())
    for of_others in others:
        mentions, _ = write_mentions(of_others, context.new(layout.OTHER_MENTIONS))
        context.counts |= {"mentions_of_others": mentions, "others_not_in_english": not_in_english(of_others)}
    mentions, names = write_mentions(found, context.new(layout.MENTIONS))
    if not mentions:
        raise EmptyDataError("no opinion on any aspect was found in the texts; are they reviews in English?")
    foreign, total = not_in_english(found), number_of_reviews(context.inputs.file(layout.REVIEWS))
    context.counts |= {"mentions": mentions, "aspects": names, "reviews_not_in_english": foreign}
    if progress is not None:
        progress.finish()
    if foreign:
        context.warn(f"{foreign:,} of {total:,} reviews are not in English (no mentions are looked for)")
