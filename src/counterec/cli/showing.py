"""``counterec show``: one user's list and why each item is in it."""

from __future__ import annotations

from typing import Any

import polars as pl
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from counterec.cli.tables import change_table, list_table, sentence_of
from counterec.errors import UnknownIdError
from counterec.run import Run

Row = dict[str, Any]


def rows_of(run: Run, method: str, user_id: str, item_id: str | None) -> list[Row]:
    """The explanations of a user's list, or of one item in it."""
    run.space.users.number(user_id)
    rows = run.explanations_table(method).filter(pl.col("user_id") == user_id).sort("position").to_dicts()
    if item_id is None:
        return rows
    run.space.items.number(item_id)
    chosen = [row for row in rows if row["item_id"] == item_id]
    if not chosen:
        listed = ", ".join(row["item_id"] for row in rows)
        raise UnknownIdError(f"{item_id} is not in the list of {user_id}, which holds {listed}")
    return chosen


def as_json(run: Run, user_id: str, rows: list[Row]) -> Row:
    """The same for machines."""
    items = [{**row, "name": run.item_names.get(row["item_id"]), "sentence": sentence_of(run, row)} for row in rows]
    return {"user_id": user_id, "items": items}


def draw(run: Run, user_id: str, rows: list[Row], console: Console) -> None:
    """The list, then for each item its sentence and its changes."""
    console.print(list_table(run, user_id))
    for row in rows:
        console.print(Text(f"\n{row['position']}. {sentence_of(run, row)}"))
        if row["aspects"]:
            if row["status"] != "explained":
                console.print("   [dim]The nearest miss:[/dim]")
            console.print(Padding(change_table(run, row), (0, 0, 0, 3)))
            console.print(
                f"   [dim]score {row['score_before']:.4f} → {row['score_after']:.4f}, "
                f"to fall below {row['target']:.4f}[/dim]",
                highlight=False,
            )
