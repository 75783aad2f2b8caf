"""``counterec show`` and ``report``: lists and why each item is there, the data, the sentences behind a number."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from counterec.cli.options import Json, RunFolder, known_item, known_user
from counterec.cli.output import out, print_json
from counterec.cli.tables import changes_table, statistics_json, statistics_table, table_of_texts
from counterec.errors import UnknownIdError, UsageError

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
    aspects: Annotated[
        bool, typer.Option("--aspects", help="Instead: the size of the data, and all aspects with counts and examples.")
    ] = False,
    aspect: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Instead: the sentences behind a user's attention or an item's quality."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show a user's list and why each item is in it."""
    from counterec.pipeline.config import MASKED
    from counterec.run import open_run

    run = open_run(folder)
    if aspects:
        _show_aspects(run, as_json)
        return
    if aspect is not None:
        _show_sentences(run, aspect, user, item, as_json)
        return
    method = method or run.methods[0]
    user_id = run.space.users.texts[0] if user is None else known_user(run, user)
    rows = _rows_of(run, method, user_id, None if item is None else known_item(run, item))
    asked = replace(run.config.explain.constraints, masked=method.endswith(MASKED))
    print_answers(run, user_id, rows, as_json, asked)


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
    constraints: Constraints | None = None,
) -> None:
    """Print answers about one user: the list, then for each row the shopper's reason, its sentence and its changes.

    ``constraints`` are those that the question was asked with; by default the run's.
    """
    from counterec.wording import AnswerRecord

    records, listed = [_record(run, row, constraints) for row in rows], run.list_of(user_id)
    if as_json:
        found = [_with_sentences(run, row, record) for row, record in zip(rows, records, strict=True)]
        print_json({"user_id": user_id, "k": listed.k, "list": [asdict(item) for item in listed.items], "items": found})
        return
    out.print(_list_table(listed))
    for record in records:
        if isinstance(record, AnswerRecord):
            _print_answer(record)
        else:
            _print_history(record)


def _record(run: Run, row: Row, constraints: Constraints | None) -> AnswerRecord | HistoryRecord:
    return run.history_record(row) if row.get("by") == "history" else run.record(row, constraints)


def _print_history(record: HistoryRecord) -> None:
    from counterec.wording import reason, sentence

    out.print(Text.assemble(f"\n{record.row.position}. ", (record.item, "bold")))
    for said in (reason(record), sentence(record)):
        out.print(Padding(Text(said), INDENT))


def _print_answer(record: AnswerRecord) -> None:
    from counterec.wording import background, reason, sentence

    number = f"{record.row.position}. " if record.row.question == "why" else ""
    out.print(Text.assemble(f"\n{number}", (record.item, "bold")))
    for said in (reason(record), sentence(record)):
        out.print(Padding(Text(said), INDENT))
    if record.changes:
        if not record.explained:
            out.print(Padding(Text("What comes nearest:", style="dim"), INDENT))
        out.print(Padding(changes_table(record.changes), INDENT))
    if beside := background(record):
        out.print(Padding(Text(beside, style="dim"), INDENT))


def _with_sentences(run: Run, row: Row, record: AnswerRecord | HistoryRecord) -> Row:
    from counterec.wording import AnswerRecord, background, reason, sentence

    after = record.position_after if isinstance(record, AnswerRecord) else record.row.position_after
    return {
        **row,
        "position_after": after,
        "name": run.item_names.get(row["item_id"]),
        "reason": reason(record),
        "sentence": sentence(record),
        "background": background(record) if isinstance(record, AnswerRecord) else "",
    }


def _list_table(listed: UserList) -> Table:
    """Return a user's list with its scores, and the first item below it."""
    title = Text(f"The list of {listed.user_id}")
    table = table_of_texts("", "item", "id", "score", title=title, title_justify="left")
    for item in listed.items:
        below = item.position > listed.k
        place = "below" if below else str(item.position)
        table.add_row(place, Text(item.shown), Text(item.item_id), f"{item.score:.4f}", style="dim" if below else "")
    return table


def print_examples(run: Run, method: str, count: int = 5) -> None:
    """Print reasons and sentences of a few explained rows of different users, spread evenly over the run."""
    from counterec.wording import reason, sentence

    explained = run.explanations_table(method).filter(status="explained")
    first = explained.unique("user_id", keep="first", maintain_order=True)
    step = max(1, len(first) // count)
    for row in first[::step].head(count).to_dicts():
        record = run.record(row)
        out.print(Text.assemble((f"To {row['user_id']}:", "dim"), " ", reason(record), " ", sentence(record)))


MERGED = 4
"""How many of the names merged into an aspect the table shows."""


def _show_aspects(run: Run, as_json: bool) -> None:
    """Print the size of the data and the aspects of a run, with counts, share of praise and examples."""
    from counterec.pipeline.evidence import vocabulary

    kept = set(run.space.aspects.texts)
    found = vocabulary(run.aspect_mentions, run.reviews, run.split).to_dicts()
    rows = [{**row, "merged": run.merged_names.get(row["aspect"], [])} for row in found if row["aspect"] in kept]
    if as_json:
        print_json({"statistics": statistics_json(run.path, run.manifest), "aspects": rows})
    else:
        out.print(statistics_table(run.path, run.manifest))
        out.print(_aspects_table(rows))


def _aspects_table(rows: list[Row]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("aspect")
    table.add_column("mentions", justify="right")
    table.add_column("positive", justify="right")
    table.add_column("examples")
    for row in rows:
        examples = " / ".join(" ".join(example.split()) for example in row["examples"] or [])
        names = Text.assemble(row["aspect"], (_other_names(row["merged"]), "dim"))
        table.add_row(names, f"{row['mentions']:,}", f"{row['positive']:.0%}", Text(examples))
    return table


def _other_names(names: list[str]) -> str:
    """Return the first few of the names merged into an aspect, in brackets."""
    return f" ({', '.join(names[:MERGED])}{', …' if len(names) > MERGED else ''})" if names else ""


SIGNS = {1: ("+", "green"), -1: ("−", "red")}


def _show_sentences(run: Run, aspect: str, user: str | None, item: str | None, as_json: bool) -> None:
    """Print the review sentences behind a user's attention to an aspect, or behind an item's quality."""
    from counterec.pipeline.evidence import COUNTED, evidence_of

    if (user is None) == (item is None):
        both = "not both" if user is not None else "one of them is needed"
        raise UsageError(f"--aspect {aspect}: pass either --user ID or --item ID; {both}")
    user = None if user is None else known_user(run, user)
    item = None if item is None else known_item(run, item)
    found = evidence_of(run, aspect, user, item)
    aspect, value, rows = found.aspect, found.value, found.mentions
    if as_json:
        print_json({"user_id": user, "item_id": item, "aspect": aspect, "value": value, "mentions": rows})
        return
    training = [row for row in rows if row["part"] in COUNTED]
    whose = f"{user}'s attention to" if user is not None else f"the quality of {run.item_name(item or '')} on"
    number = "not kept in the run" if value is None else f"{value:.3f}"
    out.print(Text(f"{whose} {aspect}: {number}, from {len(training)} mentions in the training part"))
    for row in rows:
        out.print(
            _sentence_line(row, "item_id" if user is not None else "user_id", row["part"] in COUNTED), soft_wrap=True
        )


def _sentence_line(row: Row, other: str, counts: bool) -> Text:
    sign, colour = SIGNS[row["sentiment"]]
    aside = "" if counts else f" ({row['part']}: not counted)"
    words = row["words"] if row["words"] is not None else "(no text)"
    return Text.assemble(
        (f"{sign} ", colour), (f"{row['opinion'] or ''} ", "bold"), (f"{row[other]}{aside} ", "dim"), words
    )


NoText = Annotated[
    bool, typer.Option("--no-text", help="Without any review text, and with pseudonyms in place of user ids.")
]


def report(
    folder: RunFolder,
    out_file: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to write it. [RUN/report.html]")
    ] = None,
    no_text: NoText = False,
) -> None:
    """Write a report of a run as one HTML file."""
    from counterec.run import open_run

    written = open_run(folder).report(out_file, text=not no_text)
    print_where(written)


def print_where(written: Path) -> None:
    """Say where the report is."""
    out.print(Text.assemble("The report is in ", (str(written), "bold")), soft_wrap=True)
