"""Options and arguments that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no tables: the path of the run alone.")]
Json = Annotated[bool, typer.Option("--json", help="Results as JSON on standard output.")]
Processes = Annotated[int, typer.Option(min=1, help="Processes that share the work of finding mentions.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="The one seed everything random is derived from.")]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")]
