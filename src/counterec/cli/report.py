"""``counterec report``: everything there is to see of a run, in one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from counterec.cli.options import Json, Quiet, RunFolder
from counterec.cli.streams import out, print_json, print_line

NoText = Annotated[
    bool, typer.Option("--no-text", help="Without any review text, and with pseudonyms in place of user ids.")
]


def report(
    folder: RunFolder,
    out_file: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to write it. [RUN/report.html]")
    ] = None,
    no_text: NoText = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Write a report of a run as one HTML file."""
    from counterec.run import open_run

    written = open_run(folder).report(out_file, text=not no_text)
    if as_json:
        print_json({"report": str(written), "bytes": written.stat().st_size})
    elif quiet:
        print_line(str(written))
    else:
        print_where(written)


def print_where(written: Path) -> None:
    """Say where the report is."""
    out.print(Text.assemble("The report is in ", (str(written), "bold")), soft_wrap=True)
