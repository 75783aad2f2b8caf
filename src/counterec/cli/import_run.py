"""``counterec import``: a run from tables and a model that was trained elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from counterec.cli.options import Force, Json, Quiet
from counterec.cli.run import make_and_print
from counterec.errors import UsageError


def import_run(
    config_file: Annotated[
        Path, typer.Argument(metavar="CONFIG.toml", help="Names the tables of users and items, and the model.")
    ],
    out_dir: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="The run folder. [runs/CONFIG]")] = None,
    force: Force = [],  # noqa: B006
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make a run from tables and a model of your own."""
    from counterec.pipeline.config import load_settings, make_import_config

    if config_file.suffix != ".toml":
        raise UsageError(f"{config_file}: an import is described in a TOML file; docs/own-models.md shows one")
    config = make_import_config(load_settings(config_file), str(config_file))
    folder = out_dir or Path("runs") / config_file.stem
    make_and_print(config, folder, quiet, as_json, force=force)
