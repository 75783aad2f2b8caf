"""Commands that look at a run: ``stats``, ``show``, ``evidence``, ``aspects``, ``bundle``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from counterec.cli.commands.parameters import Json, RunFolder
from counterec.cli.terminal import out, print_json


def stats(folder: RunFolder, as_json: Json = False) -> None:
    """Print the paper's Table 1 for a run's data: users, items, reviews, aspects, density."""
    from counterec.cli.tables import statistics_json, statistics_table
    from counterec.run import open_run

    opened = open_run(folder)
    if as_json:
        print_json(statistics_json(opened))
    else:
        out.print(statistics_table(opened))


def show(
    folder: RunFolder,
    user: Annotated[str | None, typer.Option(metavar="ID", help="The user; the first of the run by default.")] = None,
    item: Annotated[str | None, typer.Option(metavar="ID", help="One item of the list.")] = None,
    method: Annotated[str | None, typer.Option(help="Which explanations; the run's first by default.")] = None,
    as_json: Json = False,
) -> None:
    """Show a user's list and why each item is in it, as a sentence and as a table."""
    from counterec.cli import showing
    from counterec.run import open_run

    opened = open_run(folder)
    user_id = user if user is not None else opened.space.users.texts[0]
    rows = showing.rows_of(opened, method or opened.methods[0], user_id, item)
    if as_json:
        print_json(showing.as_json(opened, user_id, rows))
    else:
        showing.draw(opened, user_id, rows, out)


def evidence(
    folder: RunFolder,
    aspect: Annotated[str, typer.Option(metavar="NAME", help="The aspect.")],
    user: Annotated[str | None, typer.Option(metavar="ID", help="Whose attention to it.")] = None,
    item: Annotated[str | None, typer.Option(metavar="ID", help="Or whose quality on it.")] = None,
    as_json: Json = False,
) -> None:
    """List the sentences behind a number in X or Y."""
    from counterec.cli.evidence import show_evidence

    show_evidence(folder, user, item, aspect, as_json, out)


def aspects(
    folder: RunFolder,
    most: Annotated[int, typer.Option(min=1, help="How many.")] = 100,
    as_json: Json = False,
) -> None:
    """Show the aspects of a run: mentions in the training part, share of praise, example sentences."""
    from counterec.cli.evidence import show_vocabulary

    show_vocabulary(folder, most, as_json, out)


def bundle(
    folder: RunFolder,
    target: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The zip file. [RUN.zip, beside the run]")
    ] = None,
    as_json: Json = False,
) -> None:
    """Pack what a reader needs to repeat a run, without the text of any review."""
    from counterec.cli.bundling import bundle_run

    bundle_run(folder, target, as_json, out)
