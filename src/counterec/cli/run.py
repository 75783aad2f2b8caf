"""``counterec run``: the whole pipeline on data of your own, and a summary of what came out."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from counterec.cli.options import (
    Address,
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
    NearSynonyms,
    Processes,
    Quiet,
    Sources,
    Words,
    chosen_processes,
    source_settings,
)
from counterec.cli.report import print_where
from counterec.cli.show import print_examples
from counterec.cli.streams import err, out, print_json, print_line
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
    min_aspect_mentions: Annotated[
        int | None, typer.Option(help="Leave out aspects with fewer mentions in the training part. [5]")
    ] = None,
    most_aspects: Annotated[
        int | None,
        typer.Option(help="Number of aspects: those that most users mention about most items. [20, 40 or 80, chosen]"),
    ] = None,
    extractor: ExtractorName = None,
    aspects: Words = None,
    near_synonyms: NearSynonyms = False,
    held_out: Annotated[
        int | None,
        typer.Option(help="Last reviews per user that are held out for the test; 0 to train on everything. [5]"),
    ] = None,
    validation: Annotated[
        int | None, typer.Option(help="Reviews per user before those, on which settings are chosen. [1]")
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
    address: Address = None,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Make every N-th piece of the stage that is next, from the I-th on: 0/16 …"),
    ] = None,
    until: Annotated[str | None, typer.Option(metavar="STAGE", help="End after this stage.")] = None,
    force: Force = [],  # noqa: B006
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Run the whole pipeline on your data."""
    options = {
        ("aspects", "min_mentions"): min_aspect_mentions,
        ("aspects", "most"): most_aspects,
        ("aspects", "extractor"): extractor,
        ("aspects", "words"): aspects and str(aspects),
        ("aspects", "near_synonyms"): near_synonyms or None,
        ("split", "held_out"): held_out,
        ("split", "validation"): validation,
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
    if shard is not None or until is not None:
        require_no_engine(engine, address)
        made = make_part(config, folder, quiet or as_json, shared, shard, until, force)
        print_part(folder, made, quiet, as_json)
    else:
        make_and_print(config, folder, quiet, as_json, shared, force, engine=engine, address=address)


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
    address: str | None = None,
    with_report: bool = False,
) -> None:
    """Bring the run up to date and print its tables and a few sentences, or where it is; perhaps write its report."""
    done = make(config, folder, quiet or as_json, processes, force, engine, address)
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


def require_no_engine(engine: str, address: str | None) -> None:
    """Refuse an engine that makes all pieces, and where it would be, for a part of a run."""
    from counterec.pipeline.stage import RunOptions

    RunOptions(engine=engine, address=address)  # refuses an engine that there is not, and an address without one
    if engine != "local":
        raise UsageError(f"--engine {engine} makes all pieces by itself; leave out --shard and --until")


def make_part(
    config: RunConfig,
    folder: Path,
    quiet: bool,
    processes: int,
    shard: str | None,
    until: str | None,
    force: Collection[str],
) -> list[Incomplete] | None:
    """Make one shard's pieces of what is next, and return how far each stage is; or the run up to some stage."""
    from counterec.cli.progress import TerminalReporter
    from counterec.pipeline.shards import Shard
    from counterec.shards import make_beginning, make_share

    if force or (shard is not None and until is not None):
        raise UsageError("--shard, --until and --force do not go together; give one of them")
    with TerminalReporter(err, quiet) as reporter:
        if shard is None:
            make_beginning(config, folder, until or "", reporter, processes)
            return None
        return make_share(config, folder, Shard.of(shard), reporter, processes)


def print_part(folder: Path, made: list[Incomplete] | None, quiet: bool, as_json: bool) -> None:
    """Print how far the stages are that a shard worked on; of a run up to some stage, only where it is."""
    if as_json:
        stages = [
            {"stage": found.stage, "step": found.step.name, "made": found.made, "missing": len(found.missing)}
            for found in made or ()
        ]
        print_json({"run": str(folder), **({} if made is None else {"stages": stages})})
    if made is None or quiet or as_json:
        return
    for found in made:
        print_line(f"{found.stage} ({found.step.name}): {found.made} pieces made, {len(found.missing)} still missing")
    if not made:
        print_line("nothing is left to make in shards")


def make(
    config: RunConfig,
    folder: Path,
    quiet: bool,
    processes: int = 1,
    force: Collection[str] = (),
    engine: str = "local",
    address: str | None = None,
) -> Run:
    """Bring the run up to date, reporting its stages, and open it."""
    from counterec.cli.progress import TerminalReporter
    from counterec.run import make_run

    with TerminalReporter(err, quiet) as reporter:
        return make_run(config, folder, reporter, processes=processes, force=force, engine=engine, address=address)


def _print_summary(done: Run) -> None:
    out.print(statistics_table(done.path, done.manifest))
    out.print(ranking_table(done.evaluation))
    out.print(explanations_table(done.evaluation))
    out.print()
    print_examples(done, done.methods[0])
    out.print(Text.assemble("\nThe run is in ", (str(done.path), "bold")), soft_wrap=True)
