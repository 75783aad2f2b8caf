"""``counterec extract``: reviews in, mentions out, without a run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl
from rich.console import Console

from counterec.cli.progress import TerminalReporter
from counterec.data import tables
from counterec.data.readers import Source, Tally, guess_format, is_mentions, read
from counterec.errors import EmptyDataError, UsageError
from counterec.extraction.registry import check_extractor_name
from counterec.pipeline import serialization
from counterec.pipeline.files import write_json
from counterec.pipeline.mention_extraction import TEXTS_AT_ONCE, chosen_extractor, extracted, fitted
from counterec.pipeline.processes import workers


def extract(
    sources: list[Path],
    target: Path,
    format_: str | None,
    columns: dict[str, str],
    extractor: str,
    words: Path | None,
    near_synonyms: bool,
    processes: int,
    as_json: bool,
    quiet: bool,
    console: Console,
    progress: Console,
) -> None:
    """Extract the mentions of all reviews, having learned from all of them, and say what was found."""
    check_extractor_name(extractor)
    if target.suffix != ".parquet":
        raise UsageError(f"-o {target}: name a .parquet file")
    opened = [Source(path, format_ or guess_format(path), columns) for path in sources]
    for source in opened:
        if is_mentions(source.format):
            raise UsageError(f"{source.path}: holds mentions already; name files of reviews")
    with TerminalReporter(progress, quiet or as_json) as reporter, workers(processes) as share:
        tally = Tally()
        reporter.begin("extract")
        reporter.total(0, "reviews")
        learned = fitted(chosen_extractor(extractor, words, near_synonyms), lambda: _batches(opened, tally), share)
        found = extracted(learned, lambda: _batches(opened, Tally()), reporter.advance, share)
        mentions = pl.concat([tables.empty(tables.MENTIONS), *found])
        for warning in tally.warnings():
            reporter.warn(warning)
        reporter.end("extract", False)
    if not len(mentions):
        raise EmptyDataError("no opinion on any aspect was found in the texts; are they reviews in English?")
    target.parent.mkdir(parents=True, exist_ok=True)
    serialization.write_table(mentions, target)
    write_json(target.with_suffix(".learned.json"), learned.learned())
    summary = {"mentions": len(mentions), "aspects": mentions["aspect"].n_unique(), "file": str(target)}
    if as_json:
        console.file.write(json.dumps(summary, indent=2) + "\n")
    elif quiet:
        console.file.write(f"{target}\n")
    else:
        console.print(f"{len(mentions):,} mentions of {summary['aspects']:,} aspects are in {target}", highlight=False)


def _batches(sources: list[Source], tally: Tally) -> Iterator[pl.DataFrame]:
    """Read the reviews a batch at a time, small enough for several processes to share."""
    for source in sources:
        for chunk in read(source, tally):
            yield from chunk.iter_slices(TEXTS_AT_ONCE)
