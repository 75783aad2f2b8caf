"""``counterec whatif``: the new ranking if items had other values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from counterec.cli.options import (
    Json,
    PossibleValues,
    RunFolder,
    constrained,
    each_once,
    known_item,
    known_user,
    named_number,
)
from counterec.cli.output import out, print_json
from counterec.cli.tables import table_of_texts
from counterec.errors import UsageError

if TYPE_CHECKING:
    from counterec.core.explainers.what_if import Reranking
    from counterec.run import Run

BELOW = 3
"""How many items below the list are shown."""


def whatif(
    folder: RunFolder,
    user: Annotated[str, typer.Option(metavar="ID", help="The user whose list it is.")],
    settings: Annotated[
        list[str],
        typer.Option("--set", metavar="ASPECT=VALUE", help="A new value; ITEM:ASPECT=VALUE for other items."),
    ] = [],  # noqa: B006
    item: Annotated[str | None, typer.Option(metavar="ID", help="The item that changes.")] = None,
    values: PossibleValues = None,
    as_json: Json = False,
) -> None:
    """Re-rank a user's candidates as if items had other values."""
    from counterec.core.explainers.constraints import Constraints
    from counterec.run import open_run
    from counterec.wording import reranking_records, sentence

    run = open_run(folder)
    allowed = constrained(Constraints(), values=values)
    user, item = known_user(run, user), None if item is None else known_item(run, item)
    found = run.what_if(user, _changes(run, item, settings), constraints=allowed)
    records = reranking_records(run.space, found, run.item_names)
    if as_json:
        items = [_row(run, found, at) for at in range(len(found.items))]
        sentences = [sentence(record) for record in records]
        print_json({"user_id": user, "k": found.k, "items": items, "sentences": sentences})
        return
    out.print(_ranking_table(run, user, found))
    if not records:
        out.print(Text("Nothing changes: the items already have these values."))
    for record in records:
        out.print(Text(f"\n{sentence(record)}"))


def _changes(run: Run, item: str | None, settings: Iterable[str]) -> dict[str, dict[str, float | str | bool]]:
    """Parse ``--set`` into item → aspect → value; a setting without an item is about that of ``--item``."""
    given: dict[str, list[tuple[str, float | str | bool]]] = {}
    for text in settings:
        name, value = named_number("--set", text) if run.space.schema is None else _named_value(text)
        owner, aspect = item, name
        if name not in run.space.aspects and ":" in name:
            owner, _, aspect = name.rpartition(":")
        if owner is None:
            raise UsageError(f"--set {text!r} names no item; pass --item ID or write ITEM:aspect=value")
        given.setdefault(owner, []).append((aspect, value))
    if not given:
        raise UsageError("nothing to change; pass --set, such as --set battery=2.1")
    if item is not None and item not in given:
        raise UsageError(f"--item {item}: no --set changes this item; pass --set aspect=value")
    return {owner: each_once(f"--set of {owner}", values) for owner, values in given.items()}


def _named_value(text: str) -> tuple[str, float | str | bool]:
    """Parse ``attribute=value``: a number, yes or no, absent, or else a category."""
    name, _, said = (part.strip() for part in text.rpartition("="))
    if not (name and said):
        raise UsageError(f"--set {text!r}: write attribute=value, such as price=120, wifi=no or genre=drama")
    words = {"yes": True, "true": True, "no": False, "false": False, "absent": float("nan")}
    if said.lower() in words:
        return name, words[said.lower()]
    try:
        return name, float(said)
    except ValueError:
        return name, said


def _row(run: Run, found: Reranking, at: int) -> dict[str, Any]:
    from counterec.pipeline.asked_pairs import reranked_item

    return asdict(reranked_item(run, found, at))


def _ranking_table(run: Run, user: str, found: Reranking) -> Table:
    """Return the new list, a few items below it, and every item that was changed or has left the list."""
    title = Text(f"The list of {user} after the change")
    table = table_of_texts("", "was", "item", "id", "score", title=title, title_justify="left")
    shown = set(range(found.k + BELOW)) | {found.place(item) - 1 for item in found.changed.tolist()}
    shown |= {found.place(item) - 1 for item in found.left.tolist()}
    for at in sorted(place for place in shown if place < len(found.items)):
        row = _row(run, found, at)
        before, after = (f"{row[name]:.4f}" for name in ("score_before", "score"))
        score = after if before == after else f"{before} → {after}"
        style = ("bold " if row["changed"] else "") + ("dim" if at >= found.k else "")
        position = str(at + 1) if at < found.k else f"({at + 1})"
        name, was = run.item_name(row["item_id"]), str(row["position_before"])
        table.add_row(position, was, Text(name), Text(row["item_id"]), score, style=style.strip())
    return table
