"""``counterec bundle``: a run as one file, with a page that says how to repeat it."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from counterec.cli.options import Json, Quiet, RunFolder
from counterec.cli.output_files import checked_file
from counterec.cli.stats import statistics_table
from counterec.cli.streams import out, print_json, print_line
from counterec.cli.tables import explanations_table, ranking_table

if TYPE_CHECKING:
    from counterec.run import Run

WIDTH = 200
"""Characters per line of the tables, which need not fit into a terminal."""


def bundle(
    folder: RunFolder,
    target: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The zip file. [RUN.zip beside the run]")
    ] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Pack what is needed to repeat a run, without review text."""
    from counterec.pipeline.bundle import pack
    from counterec.pipeline.files import sha256
    from counterec.run import open_run

    run = open_run(folder)
    target = target or folder.parent / f"{folder.resolve().name}.zip"
    checked_file(target, (".zip",))
    names = pack(folder, run.manifest, run.config, {"README.txt": _readme(run), "tables.txt": _tables(run)}, target)
    if as_json:
        print_json({"file": str(target), "sha256": sha256(target), "names": names})
    elif quiet:
        print_line(str(target))
    else:
        out.print(f"{len(names)} files, without any review text, packed into {target}", highlight=False, soft_wrap=True)


def _tables(run: Run) -> str:
    text = io.StringIO()
    console = Console(file=text, width=WIDTH, force_terminal=False, color_system=None)
    console.print(statistics_table(run.path, run.manifest))
    console.print(ranking_table(run.evaluation))
    console.print(explanations_table(run.evaluation))
    return text.getvalue()


def _updates(run: Run) -> str:
    """How to repeat the updates of a run, in their order; nothing where there are none."""
    from counterec.pipeline.manifest import SOURCE
    from counterec.pipeline.update_plan import update_inputs

    lines = []
    for inputs in update_inputs(run.manifest):
        files = {name.partition(": ")[2]: sha for name, sha in inputs.items() if name.startswith(SOURCE)}
        lines.append(
            f"   counterec update again, with {', '.join(f'{name} (sha256 {sha})' for name, sha in files.items())}"
        )
    return "".join(f"{line}\n" for line in lines)


def _readme(run: Run) -> str:
    from counterec.pipeline.bundle import CHECKSUMS, ENVIRONMENT
    from counterec.pipeline.portable_config import CONFIG, outside_files

    made_with, dataset = run.manifest.made_with, run.config.dataset
    needed = [f"   {name}  sha256 {sha}" for name, (_, sha) in outside_files(run.config, run.manifest).items()]
    source = f" They are from {dataset.page} ({dataset.name})." if dataset else ""
    bring = f"1. Put these files beside {CONFIG}, unless they are already there.{source}\n" + "\n".join(needed)
    return f"""A run of CountERec {made_with["counterec"]}, packed so that it can be repeated. It holds no review text.

{bring if needed else "1. No files are needed: the data is the built-in world."}

2. Install counterec {made_with["counterec"]}; {ENVIRONMENT} lists the versions of everything else.

3. counterec run {CONFIG} --out again
{_updates(run)}
4. counterec bundle again --out again.zip, and compare its {CHECKSUMS} with this one.
   With the same versions on the same kind of machine they are equal. A processor that rounds differently
   may train another model; then compare tables.txt and evaluation.json.

In {CHECKSUMS}, "run" lists what each stage read and wrote, including files that are not packed, and "bundle"
lists what is packed. Every explanation can be checked without the reviews: re-score the item with the values
in explanations/, using aspects.safetensors, vocabulary.json and model.safetensors.
"""
