"""``counterec bundle``: a run as one file for a reader, with a page that says how to repeat it."""

from __future__ import annotations

import io
import json
from pathlib import Path

from rich.console import Console

from counterec.cli.tables import explanations_table, ranking_table, statistics_table
from counterec.errors import UsageError
from counterec.pipeline.bundle import CHECKSUMS, ENVIRONMENT, pack
from counterec.pipeline.files import sha256
from counterec.pipeline.portable_config import CONFIG, outside_files
from counterec.run import Run, open_run

WIDTH = 200
"""Characters a line of the tables: a paper is not as narrow as a terminal."""


def bundle_run(folder: Path, target: Path | None, as_json: bool, console: Console) -> None:
    """Pack a run and say what the bundle holds."""
    run = open_run(folder)
    target = target or folder.parent / f"{folder.resolve().name}.zip"
    if target.suffix != ".zip":
        raise UsageError(f"--out {target}: name a .zip file")
    names = pack(folder, run.manifest, run.config, {"README.txt": _readme(run), "tables.txt": _tables(run)}, target)
    if as_json:
        console.file.write(json.dumps({"file": str(target), "sha256": sha256(target), "names": names}, indent=2) + "\n")
    else:
        console.print(f"{len(names)} files, and no review text, are in {target}", highlight=False, soft_wrap=True)


def _tables(run: Run) -> str:
    text = io.StringIO()
    console = Console(file=text, width=WIDTH, force_terminal=False, color_system=None)
    for table in (statistics_table(run), ranking_table(run.evaluation), explanations_table(run.evaluation)):
        console.print(table)
    return text.getvalue()


def _readme(run: Run) -> str:
    made_with, dataset = run.manifest.made_with, run.config.dataset
    needed = [f"   {name}  sha256 {sha}" for name, (_, sha) in outside_files(run.config, run.manifest).items()]
    source = f" They are from {dataset.page} ({dataset.name})." if dataset else ""
    bring = f"1. Put these files beside {CONFIG}, unless they are there already.{source}\n" + "\n".join(needed)
    return f"""A run of CountERec {made_with["counterec"]}, packed to be repeated. It holds no review text.

{bring if needed else "1. No file is needed: the data is the built-in world."}

2. Install counterec {made_with["counterec"]}; {ENVIRONMENT} has the versions of everything else.

3. counterec run {CONFIG} --out again

4. counterec bundle again --out again.zip, and compare its {CHECKSUMS} with this one.
   On a machine of the same kind, with the same versions, they are the same. A processor that rounds
   differently may lead the training somewhere else; then compare tables.txt and evaluation.json.

{CHECKSUMS} says under "run" what was made from what, also of the files that are not packed here, and
under "bundle" what lies here. Without the reviews, every explanation can still be checked: score an item
anew with the values in explanations/, from aspects.safetensors, vocabulary.json and model.safetensors.
"""
