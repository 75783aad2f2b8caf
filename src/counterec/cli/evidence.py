"""``counterec evidence``: the sentences behind one number of X or Y."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.text import Text

from counterec.cli.known_ids import known_item, known_user
from counterec.cli.options import Json, Quiet, RunFolder
from counterec.cli.streams import out, print_json
from counterec.errors import UsageError

SIGNS = {1: ("+", "green"), -1: ("−", "red")}


def evidence(
    folder: RunFolder,
    aspect: Annotated[str, typer.Option(metavar="NAME", help="The aspect.")],
    user: Annotated[str | None, typer.Option(metavar="ID", help="The user whose attention it is.")] = None,
    item: Annotated[str | None, typer.Option(metavar="ID", help="Or the item whose quality it is.")] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """List the sentences behind an attention or a quality."""
    from counterec.pipeline.evidence import COUNTED, evidence_of
    from counterec.run import open_run

    if (user is None) == (item is None):
        both = "not both" if user is not None else "one of them is needed"
        raise UsageError(f"pass either --user ID or --item ID; {both}")
    run = open_run(folder)
    user = None if user is None else known_user(run, user)
    item = None if item is None else known_item(run, item)
    found = evidence_of(run, aspect, user, item)
    aspect, value, rows = found.aspect, found.value, found.mentions
    if as_json:
        print_json({"user_id": user, "item_id": item, "aspect": aspect, "value": value, "mentions": rows})
        return
    if quiet:
        return
    training = [row for row in rows if row["part"] in COUNTED]
    whose = f"{user}'s attention to" if user is not None else f"the quality of {run.item_name(item or '')} on"
    number = "not kept in the run" if value is None else f"{value:.3f}"
    out.print(Text(f"{whose} {aspect}: {number}, from {len(training)} mentions in the training part"))
    for row in rows:
        counts = row["part"] in COUNTED
        out.print(_line(row, "item_id" if user is not None else "user_id", counts), soft_wrap=True)


def _line(row: dict[str, Any], other: str, counts: bool) -> Text:
    sign, colour = SIGNS[row["sentiment"]]
    aside = "" if counts else f" ({row['part']}: not counted)"
    words = row["words"] if row["words"] is not None else "(no text)"
    return Text.assemble(
        (f"{sign} ", colour), (f"{row['opinion'] or ''} ", "bold"), (f"{row[other]}{aside} ", "dim"), words
    )
