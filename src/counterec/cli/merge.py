"""``counterec merge``: what shards made, checked and put together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from counterec.cli.options import Processes, Quiet, chosen_processes
from counterec.cli.run import print_done
from counterec.cli.streams import err, out


def merge(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="RUN…", help="The run folder, and other folders with pieces of the same run."),
    ],
    processes: Processes = None,
    quiet: Quiet = False,
) -> None:
    """Put together what shards made, and go on.

    The pieces of the other folders are moved into the first, and the run goes on to the next stage in pieces. Nothing
    is moved if a piece is missing, there twice, or of another run.
    """
    from counterec.cli.progress import TerminalReporter
    from counterec.run import Run
    from counterec.shards import merge_shares

    with TerminalReporter(err, quiet) as reporter:
        found = merge_shares(folders, reporter, chosen_processes(processes))
    if isinstance(found, Run):
        print_done(found, quiet, False)
        return
    pieces = len(found.step.pieces)
    if not quiet:
        out.print(f"next: {found.stage}, {pieces:,} pieces of {found.step.of}; run its shards", highlight=False)
