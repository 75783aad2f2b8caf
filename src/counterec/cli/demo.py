"""``counterec demo``: the whole pipeline on the built-in world."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from counterec.cli.options import Force, Json, Quiet
from counterec.cli.run import make_and_print

EPOCHS = 30
"""Enough for the built-in world, and short enough for a first look."""


def demo(
    out_dir: Annotated[Path, typer.Option("--out", metavar="DIR", help="The run folder.")] = Path("runs/demo"),
    seed: Annotated[int, typer.Option(min=0, help="The seed of everything random.")] = 0,
    force: Force = [],  # noqa: B006
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Run the whole pipeline on the built-in world of phones."""
    from counterec.pipeline.config import make_config

    config = make_config({"data": {"world": {}}, "training": {"epochs": EPOCHS, "search": False}, "seed": seed}, "demo")
    make_and_print(config, out_dir, quiet, as_json, force=force)
