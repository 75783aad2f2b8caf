"""``counterec whatif``: the new ranking, had items had other values."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from counterec.cli.options import each_once, named_number
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.what_if import Reranking
from counterec.errors import UsageError
from counterec.run import Run
from counterec.wording import engineer_sentence, reranking_records, sentence

FURTHER = 3
"""How many items below the list are shown."""


def changes_from(run: Run, item: str | None, settings: Iterable[str]) -> dict[str, dict[str, float]]:
    """Item → aspect → value; ``aspect=value`` is of the item of ``--item``, ``ITEM:aspect=value`` of another one."""
    given: dict[str, list[tuple[str, float | None]]] = {}
    for text in settings:
        name, value = named_number("--set", text)
        owner, aspect = item, name
        if name not in run.space.aspects and ":" in name:
            owner, _, aspect = name.rpartition(":")
        if owner is None:
            raise UsageError(f"--set {text!r}: of which item? Name it with --item, or write ITEM:aspect=value")
        given.setdefault(owner, []).append((aspect, value))
    if not given:
        raise UsageError("what if what? Say so with --set, such as --set battery=2.1")
    if item is not None and item not in given:
        raise UsageError(f"--item {item}: no --set changes it; write --set aspect=value")
    return {owner: each_once(f"--set, of {owner}", values) for owner, values in given.items()}


def suppose(
    run: Run,
    user: str,
    changes: dict[str, dict[str, float]],
    constraints: Constraints,
    language: str,
    as_json: bool,
    console: Console,
) -> None:
    """Rank anew and print the list as it was and as it would be."""
    found = run.what_if(user, changes, constraints=constraints)
    records = reranking_records(run.space, found, run.item_names)
    if as_json:
        items = [_row(run, found, at) for at in range(len(found.items))]
        said = [sentence(record, language) for record in records]
        result = {"user_id": user, "k": found.k, "items": items, "sentences": said}
        console.file.write(json.dumps(result, indent=2, ensure_ascii=False) + "\n")
        return
    console.print(_table(run, user, found))
    if not records:
        console.print("Nothing changes: these are the values that the items have.")
    for record in records:
        console.print(Text(f"\n{sentence(record, language)}"))
        console.print(Text(engineer_sentence(record, language), style="dim"))


def _row(run: Run, found: Reranking, at: int) -> dict[str, Any]:
    item_id = run.space.items.texts[found.items[at]]
    return {
        "position": at + 1,
        "position_before": int(found.positions_before[at]),
        "item_id": item_id,
        "name": run.item_names.get(item_id),
        "score": float(found.scores_after[at]),
        "score_before": float(found.scores_before[at]),
        "changed": bool(found.items[at] in found.changed),
    }


def _table(run: Run, user: str, found: Reranking) -> Table:
    """The new list, a few items below it, and wherever the changed items ended."""
    table = Table(title=Text(f"The list of {user}, had it been so"), title_justify="left")
    for heading in ("", "was", "item", "id", "score"):
        table.add_column(heading, overflow="fold")
    shown = set(range(found.k + FURTHER)) | {found.place(item) - 1 for item in found.changed.tolist()}
    shown |= {found.place(item) - 1 for item in found.left.tolist()}
    for at in sorted(place for place in shown if place < len(found.items)):
        row = _row(run, found, at)
        before, after = f"{row['score_before']:.4f}", f"{row['score']:.4f}"
        score = after if before == after else f"{before} → {after}"
        style = ("bold " if row["changed"] else "") + ("dim" if at >= found.k else "")
        place = str(at + 1) if at < found.k else f"({at + 1})"
        name = run.item_name(row["item_id"])
        table.add_row(place, str(row["position_before"]), Text(name), Text(row["item_id"]), score, style=style.strip())
    return table
