"""``counterec evidence`` and ``counterec aspects``: the sentences behind the numbers, and the vocabulary."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from counterec.errors import UsageError
from counterec.pipeline.evidence import evidence, mentions_of, vocabulary
from counterec.run import Run, open_run

MERGED = 4
"""How many of the names merged into an aspect a table shows."""

_SIGNS = {1: ("+", "green"), -1: ("−", "red")}


def show_evidence(
    folder: Path, user: str | None, item: str | None, aspect: str, as_json: bool, console: Console
) -> None:
    """List the sentences behind a user's attention to an aspect, or behind an item's quality on it."""
    if (user is None) == (item is None):
        raise UsageError("whose evidence? Name a user by --user ID, or an item by --item ID: one of the two")
    run = open_run(folder)
    chosen = mentions_of(mentions_of(run.mentions, user, item), aspect=aspect)
    rows = evidence(chosen, run.reviews, run.split).to_dicts()
    value = _value(run, user, item, aspect)
    if as_json:
        _write({"user_id": user, "item_id": item, "aspect": aspect, "value": value, "mentions": rows}, console)
        return
    training = [row for row in rows if row["part"] == "train"]
    who = f"{user}'s attention to" if user is not None else f"the quality of {run.item_name(item or '')} on"
    number = "which the run has not kept" if value is None else f"{value:.3f}"
    console.print(Text(f"{who} {aspect}: {number}, from {len(training)} mentions in the training part"))
    for row in rows:
        console.print(_line(row, "item_id" if user is not None else "user_id"), soft_wrap=True)


def _value(run: Run, user: str | None, item: str | None, aspect: str) -> float | None:
    """Return the number in X or Y, or None where the aspect was too rare to be kept."""
    space = run.space
    if aspect not in space.aspects.texts:
        return None
    column = space.aspects.number(aspect)
    if user is not None:
        return float(space.user_attention[space.users.number(user), column])
    return float(space.item_quality[space.items.number(item or ""), column])


def _line(row: dict[str, Any], other: str) -> Text:
    sign, colour = _SIGNS[row["sentiment"]]
    aside = "" if row["part"] == "train" else f" ({row['part']}: not counted)"
    words = row["words"] if row["words"] is not None else "(no text)"
    return Text.assemble(
        (f"{sign} ", colour), (f"{row['opinion'] or ''} ", "bold"), (f"{row[other]}{aside} ", "dim"), words
    )


def show_vocabulary(folder: Path, most: int, as_json: bool, console: Console) -> None:
    """Show the aspects of a run, with the names merged into each, counts, share of praise and example sentences."""
    run = open_run(folder)
    kept = set(run.space.aspects.texts)
    found = vocabulary(run.mentions, run.reviews, run.split).to_dicts()
    rows = [{**row, "merged": run.merged_names.get(row["aspect"], [])} for row in found if row["aspect"] in kept][:most]
    if as_json:
        _write({"aspects": rows}, console)
        return
    table = Table(box=None, pad_edge=False)
    for name, justify in (("aspect", "left"), ("mentions", "right"), ("positive", "right"), ("examples", "left")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    for row in rows:
        examples = " / ".join(" ".join(example.split()) for example in row["examples"] or [])
        names = Text.assemble(row["aspect"], (_others(row["merged"]), "dim"))
        table.add_row(names, f"{row['mentions']:,}", f"{row['positive']:.0%}", Text(examples))
    console.print(table)


def _others(names: list[str]) -> str:
    """Return the names merged into an aspect, the first few of them."""
    return f" ({', '.join(names[:MERGED])}{', …' if len(names) > MERGED else ''})" if names else ""


def _write(value: dict[str, Any], console: Console) -> None:
    console.file.write(json.dumps(value, indent=2, ensure_ascii=False, default=str) + "\n")
