"""``counterec extract``: reviews in, mentions out, without a run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from counterec.cli.options import (
    Columns,
    Dates,
    ExtractorName,
    Format,
    Processes,
    Quiet,
    Words,
    chosen_processes,
    column_map,
)
from counterec.cli.output import checked_file, err, out, print_line, write_rows
from counterec.errors import EmptyDataError, UsageError

if TYPE_CHECKING:
    import polars as pl

    from counterec.data.problems import Tally
    from counterec.data.source import Source
    from counterec.extraction.protocol import Extractor

WORTH_SHARING = 4_000_000
"""Bytes of files from which on several processes are worth their start, if their number is not given."""


def extract(
    sources: Annotated[list[Path], typer.Argument(metavar="SOURCE…", help="Review files.")],
    target: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The mentions: .parquet, .csv, .jsonl.")
    ] = Path("mentions.parquet"),
    format_: Format = None,
    columns: Columns = None,
    dates: Dates = None,
    extractor: ExtractorName = None,
    aspects: Words = None,
    processes: Processes = None,
    quiet: Quiet = False,
) -> None:
    """Extract mentions (aspect, opinion, sentiment) from reviews."""
    from counterec.pipeline.files import write_json

    checked_file(target)
    chosen = _chosen_extractor(extractor, aspects)
    reviews = _review_sources(sources, format_, column_map(columns) or {}, dates)
    shared = processes or (chosen_processes(None) if _size(sources) > WORTH_SHARING else 1)
    mentions, learned = _extract_all(chosen, reviews, shared, quiet)
    write_rows(mentions, target)
    write_json(target.with_suffix(".learned.json"), learned.learned())
    found = mentions["aspect"].n_unique()
    if quiet:
        print_line(str(target))
    else:
        out.print(
            f"{len(mentions):,} mentions of {found:,} aspects written to {target}", highlight=False, soft_wrap=True
        )


def _chosen_extractor(name: str | None, words: Path | None) -> Extractor:
    from counterec.extraction.extractor import EXTRACTORS
    from counterec.pipeline.mention_extraction import chosen_extractor
    from counterec.references import trust

    name = name or EXTRACTORS[0]
    trust([name])
    return chosen_extractor(name, words)


def _review_sources(paths: list[Path], format_: str | None, columns: dict[str, str], dates: str | None) -> list[Source]:
    from counterec.data.files import guess_format
    from counterec.data.source import Source, is_mentions

    sources = [Source(path, format_ or guess_format(path), columns, dates) for path in paths]
    for source in sources:
        if is_mentions(source.format):
            raise UsageError(f"{source.path} already holds mentions; name review files")
    return sources


def _extract_all(
    extractor: Extractor, sources: list[Source], processes: int, quiet: bool
) -> tuple[pl.DataFrame, Extractor]:
    """Let the extractor learn from all reviews, then return their mentions and what it has become."""
    import polars as pl

    from counterec.cli.progress import TerminalReporter
    from counterec.data import tables
    from counterec.data.problems import Tally
    from counterec.pipeline.executors import workers
    from counterec.pipeline.mention_extraction import extracted, fitted

    with TerminalReporter(err, quiet, keeps_stages=False) as reporter, workers(processes) as share:
        tally = Tally()
        reporter.plan(2)
        reporter.begin("learn")
        reporter.total(0, "reviews")
        read: list[int] = []

        def advance(reviews: int) -> None:
            read.append(reviews)
            reporter.advance(reviews)

        learned = fitted(extractor, lambda: _batches(sources, tally), share, advance)
        reporter.end("learn", False)
        reporter.begin("extract")
        reporter.total(sum(read), "reviews")
        found = extracted(learned, lambda: _batches(sources, Tally()), reporter.advance, share)
        mentions = pl.concat([tables.empty(tables.MENTIONS), *found])
        for warning in tally.warnings():
            reporter.warn(warning)
        reporter.end("extract", False)
    if not len(mentions):
        raise EmptyDataError("no opinion on any aspect was found in the texts; are they reviews in English?")
    return mentions, learned


def _size(sources: list[Path]) -> int:
    return sum(path.stat().st_size for path in sources)


def _batches(sources: list[Source], tally: Tally) -> Iterator[pl.DataFrame]:
    """Read the reviews in batches small enough for several processes to share."""
    from counterec.data.readers import read
    from counterec.pipeline.mention_extraction import TEXTS_AT_ONCE

    for source in sources:
        for chunk in read(source, tally):
            yield from chunk.iter_slices(TEXTS_AT_ONCE)
