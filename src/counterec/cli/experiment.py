"""``counterec experiment``: every method measured on a run, and what comes of the paper's claims."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from counterec.cli.options import Force, Json, Processes, Quiet, chosen_processes
from counterec.cli.output import err, out, print_json, print_line
from counterec.cli.run import config_from, default_folder, make
from counterec.errors import UsageError

if TYPE_CHECKING:
    from counterec.pipeline.config import ExperimentSettings
    from counterec.run import Run


def experiment(
    source: Annotated[Path, typer.Argument(metavar="RUN|CONFIG", help="A run folder, or a config file to run first.")],
    seeds: Annotated[int | None, typer.Option(min=1, help="Repeat everything random with this many seeds. [1]")] = None,
    models: Annotated[
        list[str], typer.Option("--models", metavar="KIND…", help="The kinds of model, such as net hybrid. [net]")
    ] = [],  # noqa: B006
    protocol: Annotated[str | None, typer.Option(help="full or sampled. [both]")] = None,
    users: Annotated[
        int | None, typer.Option(min=1, help="Explain the lists of at most this many users per seed. [all]")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A table in minutes, of some users; it says what it leaves out.")
    ] = False,
    most_minutes: Annotated[
        float | None, typer.Option(min=0, help="Begin nothing more after this time; the same command goes on.")
    ] = None,
    out_dir: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="With CONFIG: the run folder.")] = None,
    processes: Processes = None,
    force: Force = [],  # noqa: B006
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Measure every method on a run and judge the paper's claims."""
    from counterec.cli.progress import TerminalReporter
    from counterec.run import open_run

    folder = source
    if source.suffix == ".toml":
        config = config_from([source], {})
        folder = out_dir or default_folder(source, config)
        make(config, folder, quiet or as_json, chosen_processes(processes))
    elif out_dir is not None:
        raise UsageError(f"--out is for a config file; an experiment on the run {source} is written into that folder")
    run = open_run(folder)
    settings = _settings(run, seeds, models, protocol, users, quick)
    with TerminalReporter(err, quiet or as_json) as reporter:
        shared = chosen_processes(processes)
        written = run.experiment(
            settings, reporter, force=force, processes=shared, at_once=shared, minutes=most_minutes
        )
    _say_what_is_left(run, settings, written)
    if as_json:
        print_json({folder: json.loads((at / "evaluation.json").read_text()) for folder, at in written.items()})
        return
    for name, at in written.items():
        if quiet:
            print_line(str(at))
        else:
            _print_report(name, at)


def _settings(
    run: Run,
    seeds: int | None,
    models: list[str],
    protocol: str | None,
    users: int | None,
    quick: bool,
) -> ExperimentSettings:
    """Return the run's settings of an experiment, overridden by the options; ``quick`` overrides what they leave."""
    from counterec.experiment.plan import QUICK
    from counterec.pipeline.config import NET_AS_PUBLISHED, PROTOCOLS
    from counterec.pipeline.models import model_names
    from counterec.references import is_reference, trust

    if protocol is not None and protocol not in PROTOCOLS:
        raise UsageError(f"--protocol {protocol!r}: use {' or '.join(PROTOCOLS)}; both by default")
    for kind in models:
        if kind not in (known := [*model_names(), NET_AS_PUBLISHED]) and not is_reference(kind):
            raise UsageError(f"--models {kind!r}: there are {', '.join(known)}, or module:attribute")
    trust(models)
    given: dict[str, Any] = {
        "seeds": seeds,
        "models": tuple(dict.fromkeys(models)) or None,
        "protocols": protocol and (protocol,),
        "users": users,
    }
    base = replace(run.config.experiment, **QUICK) if quick else run.config.experiment
    return replace(base, **{name: value for name, value in given.items() if value is not None})


def _say_what_is_left(run: Run, settings: ExperimentSettings, written: dict[str, Path]) -> None:
    """Name the reports that are still to come, where the time was up."""
    from counterec.experiment.plan import list_cells

    cells = list_cells(run.config.model_copy(update={"experiment": settings}))
    missing = [folder for folder in dict.fromkeys(cell.folder for cell in cells) if folder not in written]
    if missing:
        line = f"the time was up before all was measured: {', '.join(missing)}; the same command goes on from there"
        err.print(Text(line), soft_wrap=True)


def _print_report(name: str, folder: Path) -> None:
    model, protocol = name.split("/")[-2:]
    out.print(Text(f"\nProtocol {protocol}, model {model}", style="bold"))
    tables = sorted((folder / "tables").glob("*.txt"))
    for file in [*tables, folder / "claims.txt"]:
        out.print(Text(file.read_text(encoding="utf-8")), soft_wrap=True)
    out.print(Text.assemble("Tables, figures and claims are in ", (str(folder), "bold")), soft_wrap=True)
