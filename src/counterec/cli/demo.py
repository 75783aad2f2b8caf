"""``counterec demo``: the whole pipeline on the built-in world."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from counterec.cli.options import Force, Json, Processes, Quiet, chosen_processes
from counterec.cli.run import make_and_print

EPOCHS = 30
"""Enough for the built-in world, and short enough for a first look."""
SMALL = {"users": 40, "items": 80, "aspects": 8}
SMALL_EPOCHS = 8
"""A world that takes seconds, to see whether everything works."""


def demo(
    out_dir: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="The run folder. [runs/demo]")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The seed of everything random.")] = 0,
    small: Annotated[
        bool, typer.Option("--small", help="A small world, in a few seconds: to see whether everything works.")
    ] = False,
    processes: Processes = None,
    force: Force = [],  # noqa: B006
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Run the whole pipeline on the built-in world of phones."""
    from counterec.pipeline.config import make_config

    world, epochs = (SMALL, SMALL_EPOCHS) if small else ({}, EPOCHS)
    config = make_config({"data": {"world": world}, "training": {"epochs": epochs}, "seed": seed}, "demo")
    folder = out_dir or Path("runs/demo-small" if small else "runs/demo")
    make_and_print(config, folder, quiet, as_json, chosen_processes(processes), force, with_report=True)
