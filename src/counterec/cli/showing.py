"""``counterec show``: one user's list and why each item is in it."""

from __future__ import annotations

from typing import Any

import polars as pl
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from counterec.cli.tables import changes_table, list_table
from counterec.errors import UnknownIdError
from counterec.run import Run
from counterec.wording import engineer_sentence, sentence

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


def as_json(run: Run, user_id: str, rows: list[Row], language: str = "en") -> Row:
    """The same for machines."""
    items = []
    for row in rows:
        record = run.record(row)
        said = {"sentence": sentence(record, language), "engineer": engineer_sentence(record, language)}
        items.append(
            {**row, "position_after": record.position_after, "name": run.item_names.get(row["item_id"]), **said}
        )
    return {"user_id": user_id, "items": items}


def draw(run: Run, user_id: str, rows: list[Row], console: Console, language: str = "en") -> None:
    """The list, then for each item its sentence and its changes."""
    console.print(list_table(run, user_id))
    for row in rows:
        record = run.record(row)
        number = f"{row['position']}. " if row["question"] == "why" else ""
        console.print(Text(f"\n{number}{sentence(record, language)}"))
        if record.changes:
            if not record.explained:
                console.print("   [dim]The nearest miss:[/dim]")
            console.print(Padding(changes_table(record.changes), (0, 0, 0, 3)))
        console.print(Padding(Text(engineer_sentence(record, language), style="dim"), (0, 0, 0, 3)))
