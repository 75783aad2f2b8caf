"""``counterec run`` and ``counterec demo``: what the options ask for, where it goes, and what is said of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from counterec.cli.progress import TerminalReporter
from counterec.cli.tables import (
    example_rows,
    explanations_table,
    ranking_table,
    sentence_of,
    statistics_json,
    statistics_table,
)
from counterec.cli.terminal import print_json, print_plain
from counterec.errors import UsageError
from counterec.pipeline.config import RunConfig, load_config, make_config
from counterec.pipeline.manifest import NAME, Manifest
from counterec.run import Run, make_run


def config_of(sources: list[Path], options: dict[tuple[str, ...], Any]) -> RunConfig:
    """The configuration a command line asks for: a config file or defaults, overridden by the options given."""
    if len(sources) == 1 and sources[0].suffix == ".toml":
        settings = load_config(sources[0]).model_dump(mode="json")
        origin = str(sources[0])
    else:
        settings, origin = {"data": {"sources": [str(source) for source in sources]}}, "options"
    for place, value in options.items():
        part = settings
        for name in place[:-1]:
            part = part.setdefault(name, {})
        part[place[-1]] = value
    return make_config(settings, origin)


def free_folder(source: Path, config: RunConfig) -> Path:
    """The folder named after the source, unless it holds a run on something else."""
    folder = Path("runs") / source.name.split(".")[0]
    if (folder / NAME).exists():
        before = Manifest.load(folder).config.get("data", {}).get("sources")
        if before != config.model_dump(mode="json")["data"]["sources"]:
            raise UsageError(f"{folder} holds a run on other files; choose a folder with --out")
    return folder


def column_map(text: str | None) -> dict[str, str] | None:
    """What ``--columns`` says: the name in the file by ours."""
    if text is None:
        return None
    found = {}
    for part in text.split(","):
        ours, _, theirs = (name.strip() for name in part.partition("="))
        if not (ours and theirs):
            raise UsageError(f"--columns {text!r}: write ours=theirs pairs, such as user=reviewer,text=body")
        found[ours] = theirs
    return found


def run(
    config: RunConfig, folder: Path, quiet: bool, as_json: bool, out: Console, err: Console, processes: int = 1
) -> None:
    """Make the run and print its tables and examples, or where it is."""
    done = made(config, folder, quiet or as_json, err, processes)
    if as_json:
        print_json({"run": str(folder), "statistics": statistics_json(done), "evaluation": done.evaluation})
    elif quiet:
        print_plain(str(folder))
    else:
        _summary(done, out)


def made(config: RunConfig, folder: Path, quiet: bool, err: Console, processes: int = 1) -> Run:
    """The run, up to date; its stages are reported as they pass."""
    with TerminalReporter(err, quiet) as reporter:
        return make_run(config, folder, reporter, processes=processes)


def _summary(done: Run, out: Console) -> None:
    for table in (statistics_table(done), ranking_table(done.evaluation), explanations_table(done.evaluation)):
        out.print(table)
    out.print()
    for row in example_rows(done, done.methods[0], 5):
        out.print(Text.assemble((f"To {row['user_id']}:", "dim"), " ", sentence_of(done, row)))
    out.print(Text.assemble("\nThe run is in ", (str(done.folder), "bold")), soft_wrap=True)
