"""Reviews → mentions; the extractor learns from the training part alone, and reads only what is in English.

Reviews are read in pieces, so that no more text is in memory than a piece has. What is learned of a piece is counted,
and the counts of all pieces are put together. An extractor that cannot do so reads the training reviews in one go, in
whichever process needs it.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl

from counterec.errors import EmptyDataError
from counterec.extraction.extractor import extractor_code
from counterec.extraction.protocol import CuratedExtractor, Extractor, KeepsCounts
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import table_bytes, write_json, write_table
from counterec.pipeline.mention_extraction import (
    chosen_extractor,
    fitted,
    mentions_of,
    number_of_reviews,
    reviews_between,
    texts_of,
)
from counterec.pipeline.piece_store import Made, Piece, StoredPiece
from counterec.pipeline.pieces import Step, cut, made_in_pieces, made_together
from counterec.pipeline.stage import CountedOnce, Stage, StageContext, StageInputs
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


REVIEWS_PER_PIECE = 5_000
"""Reviews that are counted or looked through as one piece: seconds of work, and a few megabytes of text."""

Advance = Callable[[int], None]


def learned_extractor(context: StageContext, extractor: Extractor, advance: Advance | None) -> Extractor:
    """The extractor after it has learned from the training reviews that are in English."""
    if isinstance(extractor, CuratedExtractor):
        return CuratedExtractor(learned_extractor(context, extractor.extractor, advance), extractor.words)
    total = number_of_reviews(context.inputs.file(layout.REVIEWS))
    if not isinstance(extractor, KeepsCounts):
        pieces = cut(total, REVIEWS_PER_PIECE)
        return fitted(extractor, lambda: (training_reviews(context.inputs, piece) for piece in pieces))
    step = Step("counts", _count, total, REVIEWS_PER_PIECE, "reviews", ".gz")
    pieces_of_counts = made_in_pieces(context, step, extractor, advance)
    return extractor.concluded(extractor.counts_from(_read(piece.path)) for piece in pieces_of_counts)


def training_reviews(inputs: StageInputs, piece: Piece) -> pl.DataFrame:
    """The reviews of a piece from which an extractor learns: those of the training part that are in English."""
    rows, is_foreign = reviews_between(inputs.file(layout.REVIEWS), piece.start, piece.stop)
    training = inputs.folder.split.filter(pl.col("part") == "train")
    return rows.filter(~is_foreign).join(training, on=["user_id", "item_id"], how="semi", maintain_order="left")


def _count(inputs: StageInputs, piece: Piece, extractor: KeepsCounts) -> Made:
    """The counts of the training reviews of a piece."""
    rows = training_reviews(inputs, piece)
    with guarded("extractor", inputs.config.aspects.extractor):
        plain = extractor.plain_counts(extractor.counted(texts_of(rows), rows["rating"]))
    return Made(gzip.compress(json.dumps(plain).encode(), compresslevel=1, mtime=0))


def _read(path: Path) -> object:
    return json.loads(gzip.decompress(path.read_bytes()))


def mention_pieces(
    context: StageContext, files: Sequence[str], extractor: Extractor, advance: Advance | None
) -> list[list[StoredPiece]]:
    """Of each file, tables of the mentions in its reviews, in order; each has noted how many were not in English."""
    steps = [_finding(context.inputs, number, file) for number, file in enumerate(files)]
    shared = [(file, extractor) for file in files]
    return made_together(context, list(zip(steps, shared, strict=True)), advance)


def _finding(inputs: StageInputs, number: int, file: str) -> Step:
    total = number_of_reviews(inputs.file(file))
    return Step(f"mentions-{number}", _find, total, REVIEWS_PER_PIECE, "reviews", ".parquet")


def _find(inputs: StageInputs, piece: Piece, shared: tuple[str, Extractor]) -> Made:
    """The mentions in the reviews of a piece, numbered as in the whole file."""
    file, extractor = shared
    rows, is_foreign = reviews_between(inputs.file(file), piece.start, piece.stop)
    text = pl.when(is_foreign).then(None).otherwise(pl.col("text")).alias("text")
    with guarded("extractor", inputs.config.aspects.extractor):
        found = mentions_of(extractor, rows.with_columns(text), piece.start)
    return Made(table_bytes(found), {"not_in_english": int(is_foreign.sum())})


def write_mentions(pieces: list[StoredPiece], path: Path) -> tuple[int, int]:
    """Write all mentions, in order, without holding them in memory; return how many there are, of how many aspects."""
    write_table(pl.concat([pl.scan_parquet(piece.path) for piece in pieces]), path)
    counts = pl.scan_parquet(path).select(pl.len(), pl.col("aspect").n_unique()).collect(engine="streaming")
    mentions, aspects = counts.row(0)
    return mentions, aspects


def not_in_english(pieces: list[StoredPiece]) -> int:
    """How many reviews were not in English."""
    return sum(piece.notes["not_in_english"] for piece in pieces)


def extraction_progress(context: StageContext, files: Sequence[str]) -> CountedOnce | None:
    """Progress over the reviews of these files, though those of the run are looked at twice: to learn, and to find.

    None for a shard, of whose steps each has a progress of its own.
    """
    if context.options.shard is not None:
        return None
    found = [number_of_reviews(context.inputs.file(file)) for file in files]
    learning = number_of_reviews(context.inputs.file(layout.REVIEWS))
    return CountedOnce(context.reporter, sum(found), "reviews", sum(found) + learning)
