"""``counterec evidence``: the sentences behind one number of X or Y."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from counterec.cli.known_ids import known_item, known_user
from counterec.cli.options import Json, Quiet, RunFolder
from counterec.cli.streams import out, print_json
from counterec.errors import UsageError

if TYPE_CHECKING:
    from counterec.run import Run

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
    from counterec.pipeline.evidence import mentions_of
    from counterec.report.review_sentences import COUNTED, review_sentences
    from counterec.run import open_run

    if (user is None) == (item is None):
        both = "not both" if user is not None else "one of them is needed"
        raise UsageError(f"pass either --user ID or --item ID; {both}")
    run = open_run(folder)
    user = None if user is None else known_user(run, user)
    item = None if item is None else known_item(run, item)
    aspect = run.aspect_of_name.get(aspect, aspect)
    mentions_of(mentions_of(run.aspect_mentions, user, item), aspect=aspect)  # says so where there are none
    rows = review_sentences(run, aspect, user_id=user, item_id=item).to_dicts()
    value = _value(run, user, item, aspect)
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
        other = "item_id" if user is not None else "user_id"
        out.print(_line(row, other, counted=row["part"] in COUNTED), soft_wrap=True)


def _value(run: Run, user: str | None, item: str | None, aspect: str) -> float | None:
    """Return the number in X or Y, or None if the aspect was too rare to be kept."""
    space = run.space
    if aspect not in space.aspects.texts:
        return None
    column = space.aspects.number(aspect)
    if user is not None:
        return float(space.user_attention[space.users.number(user), column])
    return float(space.item_quality[space.items.number(item or ""), column])


def _line(row: dict[str, Any], other: str, *, counted: bool) -> Text:
    sign, colour = SIGNS[row["sentiment"]]
    aside = "" if counted else f" ({row['part']}: not counted)"
    words = row["words"] if row["words"] is not None else "(no text)"
    return Text.assemble(
        (f"{sign} ", colour), (f"{row['opinion'] or ''} ", "bold"), (f"{row[other]}{aside} ", "dim"), words
    )
