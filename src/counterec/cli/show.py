"""``counterec show``: one user's list, and why each item is in it."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from counterec.cli.known_ids import known_item, known_user
from counterec.cli.options import Json, Language, Quiet, RunFolder
from counterec.cli.streams import out, print_json
from counterec.cli.tables import changes_table, table_of_texts
from counterec.errors import UnknownIdError

if TYPE_CHECKING:
    from counterec.core.explainers.constraints import Constraints
    from counterec.report.user_list import UserList
    from counterec.run import Run
    from counterec.wording import AnswerRecord, HistoryRecord

INDENT = (0, 0, 0, 3)
"""The padding of what belongs to one item."""

Row = dict[str, Any]
"""One row of an explanations table."""


def show(
    folder: RunFolder,
    user: Annotated[str | None, typer.Option(metavar="ID", help="The user. [the first of the run]")] = None,
    item: Annotated[str | None, typer.Option(metavar="ID", help="One item of the list. [all]")] = None,
    method: Annotated[str | None, typer.Option(help="Whose explanations. [the first method of the run]")] = None,
    language: Language = "en",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Show a user's list and why each item is in it."""
    from counterec.pipeline.config import MASKED
    from counterec.run import open_run
    from counterec.wording import catalogue

    catalogue(language)
    run = open_run(folder)
    method = method or run.methods[0]
    user_id = run.space.users.texts[0] if user is None else known_user(run, user)
    rows = _rows_of(run, method, user_id, None if item is None else known_item(run, item))
    asked = replace(run.config.explain.constraints, masked=method.endswith(MASKED))
    if as_json or not quiet:
        print_answers(run, user_id, rows, as_json, language, asked)


def _rows_of(run: Run, method: str, user_id: str, item_id: str | None) -> list[Row]:
    """Return the explanations of a user's list, or of one item in it."""
    rows = run.explanations_table(method).filter(user_id=user_id).sort("position").to_dicts()
    if item_id is None:
        return rows
    chosen = [row for row in rows if row["item_id"] == item_id]
    if not chosen:
        listed = ", ".join(row["item_id"] for row in rows)
        raise UnknownIdError(f"{item_id} is not in the list of {user_id}, which holds {listed}")
    return chosen


def print_answers(
    run: Run,
    user_id: str,
    rows: list[Row],
    as_json: bool,
    language: str = "en",
    constraints: Constraints | None = None,
) -> None:
    """Print answers about one user: the list, then for each row the shopper's reason, its sentence and its changes.

    ``constraints`` are those that the question was asked with; by default the run's.
    """
    from counterec.wording import AnswerRecord

    records, listed = [_record(run, row, constraints) for row in rows], run.list_of(user_id)
    if as_json:
        found = [_with_sentences(run, row, record, language) for row, record in zip(rows, records, strict=True)]
        print_json({"user_id": user_id, "k": listed.k, "list": [asdict(item) for item in listed.items], "items": found})
        return
    out.print(_list_table(listed, language))
    for record in records:
        if isinstance(record, AnswerRecord):
            _print_answer(record, language)
        else:
            _print_history(record, language)


def _record(run: Run, row: Row, constraints: Constraints | None) -> AnswerRecord | HistoryRecord:
    return run.history_record(row) if row.get("by") == "history" else run.record(row, constraints)


def _print_history(record: HistoryRecord, language: str) -> None:
    from counterec.wording import engineer_sentence, reason, sentence

    out.print(Text.assemble(f"\n{record.row.position}. ", (record.item, "bold")))
    for said in (reason(record, language), sentence(record, language)):
        out.print(Padding(Text(said), INDENT))
    out.print(Padding(Text(engineer_sentence(record, language), style="dim"), INDENT))


def _print_answer(record: AnswerRecord, language: str) -> None:
    from counterec.wording import background, catalogue, engineer_sentence, reason, sentence

    number = f"{record.row.position}. " if record.row.question == "why" else ""
    out.print(Text.assemble(f"\n{number}", (record.item, "bold")))
    for said in (reason(record, language), sentence(record, language)):
        out.print(Padding(Text(said), INDENT))
    if record.changes:
        if not record.explained:
            out.print(Padding(Text(catalogue(language).say("heading.nearest"), style="dim"), INDENT))
        out.print(Padding(changes_table(record.changes, language), INDENT))
    for said in (background(record, language), engineer_sentence(record, language)):
        if said:
            out.print(Padding(Text(said, style="dim"), INDENT))


def _with_sentences(run: Run, row: Row, record: AnswerRecord | HistoryRecord, language: str) -> Row:
    from counterec.wording import AnswerRecord, background, engineer_sentence, reason, sentence

    after = record.position_after if isinstance(record, AnswerRecord) else record.row.position_after
    return {
        **row,
        "position_after": after,
        "name": run.item_names.get(row["item_id"]),
        "reason": reason(record, language),
        "sentence": sentence(record, language),
        "background": background(record, language) if isinstance(record, AnswerRecord) else "",
        "engineer": engineer_sentence(record, language),
    }


def _list_table(listed: UserList, language: str) -> Table:
    """Return a user's list with its scores, and the first item below it."""
    from counterec.wording import catalogue

    words = catalogue(language)
    headings = ("", *(words.say(f"heading.{name}") for name in ("item", "id", "score")))
    title = Text(words.say("heading.list_of", user=listed.user_id))
    table = table_of_texts(*headings, title=title, title_justify="left")
    for item in listed.items:
        below = item.position > listed.k
        place = words.say("heading.below") if below else str(item.position)
        shown = words.number(f"{item.score:.4f}")
        table.add_row(place, Text(item.shown), Text(item.item_id), shown, style="dim" if below else "")
    return table


def print_examples(run: Run, method: str, language: str = "en", count: int = 5) -> None:
    """Print reasons and sentences of a few explained rows of different users, spread evenly over the run."""
    from counterec.wording import catalogue, reason, sentence

    explained = run.explanations_table(method).filter(status="explained")
    first = explained.unique("user_id", keep="first", maintain_order=True)
    step = max(1, len(first) // count)
    for row in first[::step].head(count).to_dicts():
        to = catalogue(language).say("heading.to", user=row["user_id"])
        record = run.record(row)
        out.print(Text.assemble((to, "dim"), " ", reason(record, language), " ", sentence(record, language)))
