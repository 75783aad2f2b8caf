"""``counterec run``, ``demo`` and ``merge``: the whole pipeline, and a summary of what came out."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from counterec.cli.options import (
    Columns,
    Dates,
    Engine,
    ExtractorName,
    Force,
    Format,
    Items,
    Json,
    MinItemReviews,
    MinUserReviews,
    Processes,
    Quiet,
    Sources,
    Words,
    chosen_processes,
    source_settings,
)
from counterec.cli.output import err, out, print_json, print_line
from counterec.cli.show import print_examples, print_where
from counterec.cli.tables import explanations_table, ranking_table, statistics_json, statistics_table
from counterec.errors import UsageError

if TYPE_CHECKING:
    from counterec.pipeline.config import RunConfig
    from counterec.pipeline.pieces import Incomplete
    from counterec.run import Run


def run(
    sources: Sources,
    format_: Format = None,
    columns: Columns = None,
    dates: Dates = None,
    items: Items = None,
    min_user_reviews: MinUserReviews = None,
    min_item_reviews: MinItemReviews = None,
    most_aspects: Annotated[
        int | None,
        typer.Option(help="Number of aspects: those that most users mention about most items. [20, 40 or 80, chosen]"),
    ] = None,
    extractor: ExtractorName = None,
    aspects: Words = None,
    held_out: Annotated[
        int | None,
        typer.Option(help="Last reviews per user that are held out for the test; 0 to train on everything. [5]"),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="The kind of model: hybrid, net or one of your own. [hybrid]")
    ] = None,
    epochs: Annotated[int | None, typer.Option(help="Maximum number of training epochs.")] = None,
    protocol: Annotated[str | None, typer.Option(help="full (the whole catalogue) or sampled. [full]")] = None,
    k: Annotated[int | None, typer.Option("--k", help="Length of a list. [5]")] = None,
    seed: Annotated[int | None, typer.Option(help="The seed of everything random. [0]")] = None,
    out_dir: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="The run folder. [runs/SOURCE]")] = None,
    processes: Processes = None,
    engine: Engine = "local",
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Make every N-th piece of the stage that is next, from the I-th on: 0/16 …"),
    ] = None,
    force: Force = [],  # noqa: B006
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Run the whole pipeline on your data."""
    options = {
        ("aspects", "most"): most_aspects,
        ("aspects", "extractor"): extractor,
        ("aspects", "words"): aspects and str(aspects),
        ("split", "held_out"): held_out,
        ("model", "kind"): model,
        ("training", "epochs"): epochs,
        ("lists", "protocol"): protocol,
        ("lists", "k"): k,
        ("seed",): seed,
    }
    given = {place: value for place, value in options.items() if value is not None}
    config = config_from(
        sources, source_settings(format_, columns, dates, items, min_user_reviews, min_item_reviews) | given
    )
    folder, shared = out_dir or default_folder(sources[0], config), chosen_processes(processes)
    if shard is not None:
        require_no_engine(engine)
        made = make_part(config, folder, quiet or as_json, shared, shard, force)
        print_part(folder, made, quiet, as_json)
    else:
        make_and_print(config, folder, quiet, as_json, shared, force, engine=engine)


def config_from(sources: list[Path], options: dict[tuple[str, ...], Any]) -> RunConfig:
    """Return the configuration of a config file, or the default one, overridden by source files and options."""
    from counterec.pipeline.config import load_settings, make_config

    configs = [source for source in sources if source.suffix == ".toml"]
    files = [str(source) for source in sources if source.suffix != ".toml"]
    if len(configs) > 1:
        raise UsageError(f"{configs[0]} and {configs[1]} are both config files; name one")
    settings, origin = (load_settings(configs[0]), str(configs[0])) if configs else ({}, "options")
    if files and isinstance(settings.setdefault("data", {}), dict):
        settings["data"]["sources"] = files
    for place, value in options.items():
        part = settings
        for name in place[:-1]:
            part = part.setdefault(name, {})
        if isinstance(part, dict):  # else the file itself is wrong, which its check says
            part[place[-1]] = value
    return make_config(settings, origin)


def default_folder(source: Path, config: RunConfig) -> Path:
    """Return the folder named after the source, unless it holds a run on other files.

    Of sources that are not there the check will say so: that is the first thing to mend.
    """
    from counterec.pipeline.layout import MANIFEST
    from counterec.pipeline.manifest import Manifest

    folder = Path("runs") / source.name.split(".")[0]
    if (folder / MANIFEST).exists() and all(path.is_file() for path in config.data.sources):
        before = Manifest.load(folder).config.get("data", {}).get("sources")
        if before != config.model_dump(mode="json")["data"]["sources"]:
            raise UsageError(f"{folder} holds a run on other files; choose a folder with --out")
    return folder


def make_and_print(
    config: RunConfig,
    folder: Path,
    quiet: bool,
    as_json: bool,
    processes: int = 1,
    force: Collection[str] = (),
    *,
    engine: str = "local",
    with_report: bool = False,
) -> None:
    """Bring the run up to date and print its tables and a few sentences, or where it is; perhaps write its report."""
    done = make(config, folder, quiet or as_json, processes, force, engine)
    print_done(done, quiet, as_json, done.report() if with_report else None)


def print_done(done: Run, quiet: bool, as_json: bool, written: Path | None = None) -> None:
    """Print what came out of a run, or where it is; and where its report was written, if it was."""
    if as_json:
        statistics = statistics_json(done.path, done.manifest)
        place = {} if written is None else {"report": str(written)}
        print_json({"run": str(done.path), **place, "statistics": statistics, "evaluation": done.evaluation})
    elif quiet:
        print_line(str(done.path))
    else:
        _print_summary(done)
        if written is not None:
            print_where(written)


def require_no_engine(engine: str) -> None:
    """Refuse an engine that makes all pieces for a part of a run."""
    from counterec.pipeline.stage import RunOptions

    RunOptions(engine=engine)  # refuses an engine that there is not
    if engine != "local":
        raise UsageError(f"--engine {engine} makes all pieces by itself; leave out --shard")


def make_part(
    config: RunConfig, folder: Path, quiet: bool, processes: int, shard: str, force: Collection[str]
) -> list[Incomplete]:
    """Make one shard's pieces of what is next, and return how far each stage is."""
    from counterec.cli.progress import TerminalReporter
    from counterec.pipeline.stage import Shard
    from counterec.shards import make_share

    if force:
        raise UsageError("--shard and --force do not go together; give one of them")
    with TerminalReporter(err, quiet) as reporter:
        return make_share(config, folder, Shard.of(shard), reporter, processes)


def print_part(folder: Path, made: list[Incomplete], quiet: bool, as_json: bool) -> None:
    """Print how far the stages are that a shard worked on."""
    if as_json:
        stages = [
            {"stage": found.stage, "step": found.step.name, "made": found.made, "missing": len(found.missing)}
            for found in made
        ]
        print_json({"run": str(folder), "stages": stages})
    elif not quiet:
        for found in made:
            print_line(
                f"{found.stage} ({found.step.name}): {found.made} pieces made, {len(found.missing)} still missing"
            )
        if not made:
            print_line("nothing is left to make in shards")


def make(
    config: RunConfig,
    folder: Path,
    quiet: bool,
    processes: int = 1,
    force: Collection[str] = (),
    engine: str = "local",
) -> Run:
    """Bring the run up to date, reporting its stages, and open it."""
    from counterec.cli.progress import TerminalReporter
    from counterec.run import make_run

    with TerminalReporter(err, quiet) as reporter:
        return make_run(config, folder, reporter, processes=processes, force=force, engine=engine)


def _print_summary(done: Run) -> None:
    out.print(statistics_table(done.path, done.manifest))
    out.print(ranking_table(done.evaluation))
    out.print(explanations_table(done.evaluation))
    out.print()
    print_examples(done, done.methods[0])
    out.print(Text.assemble("\nThe run is in ", (str(done.path), "bold")), soft_wrap=True)


EPOCHS = 30
"""Enough for the built-in world, and short enough for a first look."""
SMALL = {"users": 40, "items": 80, "aspects": 8}
SMALL_EPOCHS = 8
"""A world that takes seconds, to see whether everything works."""


def demo(
    out_dir: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="The run folder. [runs/demo]")] = None,
    small: Annotated[
        bool, typer.Option("--small", help="A small world, in a few seconds: to see whether everything works.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Run the whole pipeline on the built-in world of phones."""
    from counterec.core.compute_limits import available_cores
    from counterec.pipeline.config import make_config

    world, epochs = (SMALL, SMALL_EPOCHS) if small else ({}, EPOCHS)
    config = make_config({"data": {"world": world}, "training": {"epochs": epochs}}, "demo")
    folder = out_dir or Path("runs/demo-small" if small else "runs/demo")
    make_and_print(config, folder, quiet, False, available_cores(), with_report=True)


def merge(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="RUN…", help="The run folder, and other folders with pieces of the same run."),
    ],
    processes: Processes = None,
    quiet: Quiet = False,
) -> None:
    """Put together what shards made, and go on.

    The pieces of the other folders are moved into the first, and the run goes on to the next stage in pieces. Nothing
    is moved if a piece is missing, there twice, or of another run.
    """
    from counterec.cli.progress import TerminalReporter
    from counterec.run import Run
    from counterec.shards import merge_shares

    with TerminalReporter(err, quiet) as reporter:
        found = merge_shares(folders, reporter, chosen_processes(processes))
    if isinstance(found, Run):
        print_done(found, quiet, False)
        return
    pieces = len(found.step.pieces)
    if not quiet:
        out.print(f"next: {found.stage}, {pieces:,} pieces of {found.step.of}; run its shards", highlight=False)
