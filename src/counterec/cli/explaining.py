"""``counterec explain``: one pair, one user's list, an audience, or the whole run, by any question and goal."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from counterec.cli import showing
from counterec.cli.progress import TerminalReporter
from counterec.cli.tables import changes_table, example_rows, explanations_table, sentence_of
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.goals import Goal
from counterec.core.explainers.question import Kind
from counterec.errors import ReadError, StoreError, UnknownIdError, UsageError
from counterec.pipeline import serialization
from counterec.pipeline.config import MASKED
from counterec.run import Run
from counterec.wording import audience_record, engineer_sentence, sentence


@dataclass(frozen=True)
class Asked:
    """What the command line asks for."""

    question: Kind
    goal: Goal
    user: str | None
    item: str | None
    versus: str | None
    constraints: Constraints
    language: str
    as_json: bool
    out: Path | None
    audience: Path | None
    at_least: int | None
    quiet: bool


def answer(run: Run, asked: Asked, console: Console, progress: Console) -> None:
    """Answer what is asked about: an audience, one user, or the whole run."""
    if asked.audience is not None:
        an_audience(run, asked, asked.audience, 1 if asked.at_least is None else asked.at_least, console)
    elif asked.at_least is not None:
        raise UsageError("--at-least goes with --audience: of which users?")
    elif asked.user is not None:
        one_list(run, asked, console)
    elif asked.item is not None or asked.versus is not None or asked.question != "why":
        raise UsageError("--user is missing: whose list is it about?")
    elif asked.out is not None:
        into_a_file(run, asked, asked.out, console)
    elif replace(asked.constraints, masked=False) != run.config.explain.constraints:
        raise UsageError("explanations within constraints of their own are not kept in the run: name a file with --out")
    else:
        whole_run(run, asked, console, progress)


def one_list(run: Run, asked: Asked, console: Console) -> None:
    """Answer a question about one user and print it; nothing is written but what ``--out`` asks for."""
    table = run.explain(
        asked.user,
        asked.item,
        question=asked.question,
        versus=asked.versus,
        goal=asked.goal,
        constraints=asked.constraints,
    )
    if asked.out is not None:
        _write(table, asked.out)
    rows = table.to_dicts()
    if asked.as_json:
        found = showing.as_json(run, asked.user or "", rows, asked.language)
        console.file.write(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    else:
        showing.draw(run, asked.user or "", rows, console, asked.language)


def into_a_file(run: Run, asked: Asked, out: Path, console: Console) -> None:
    """Explain every recommended item of a run within constraints of its own, into a file outside the folder."""
    table = run.explain(goal=asked.goal, constraints=asked.constraints)
    _write(table, out)
    counts = {row["status"]: row["count"] for row in table["status"].value_counts(sort=True).to_dicts()}
    if asked.as_json:
        console.file.write(json.dumps({"file": str(out), "pairs": len(table), "statuses": counts}, indent=2) + "\n")
    else:
        listed = ", ".join(f"{count:,} {status}" for status, count in counts.items())
        console.print(
            f"{len(table):,} pairs ({listed}) written to {out}", highlight=False, markup=False, soft_wrap=True
        )


def _write(table: pl.DataFrame, file: Path) -> None:
    try:
        serialization.write_table(table, file)
    except OSError as error:
        reason = str(error).splitlines()[0] or error.strerror
        raise StoreError(f"{file}: cannot be written ({reason}); name another file with --out") from None


def an_audience(run: Run, asked: Asked, users: Path, at_least: int, console: Console) -> None:
    """Answer a seller: what brings the item into the lists of enough of these users."""
    if asked.item is None:
        raise UsageError("--audience needs --item: which item is to enter their lists?")
    if asked.question != "why_not" or asked.goal != "minimal":
        raise UsageError("--audience goes with --question why_not and --goal minimal: the fewest improvements for all")
    if at_least < 1:
        raise UsageError(f"--at-least {at_least}: 1 or more")
    for option, value in (("--user", asked.user), ("--versus", asked.versus), ("--out", asked.out)):
        if value is not None:
            raise UsageError(f"{option} does not go with --audience, which is about one item and many users")
    user_ids = _users_in(users, run)
    answer = run.why_not_for_all(asked.item, user_ids, at_least, constraints=asked.constraints)
    left_out = len(set(user_ids)) - len(answer.users)
    record = audience_record(run.space, answer, run.item_names)
    if asked.as_json:
        found = {
            "item_id": asked.item,
            "status": record.status,
            "asked": record.asked,
            "left_out": left_out,
            "wanted": record.wanted,
            "entered": [run.space.users.texts[user] for user in answer.users[answer.entered]],
            "had_it": record.had_it,
            "kept_it": record.kept_it,
            "changes": {change.aspect: [change.before, change.after] for change in record.changes},
            "proof": record.proof,
            "sentence": sentence(record, asked.language),
        }
        console.file.write(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
        return
    console.print(Text(sentence(record, asked.language)))
    if record.changes:
        console.print(Padding(changes_table(record.changes), (0, 0, 0, 3)))
    console.print(Text(engineer_sentence(record, asked.language), style="dim"))
    if left_out:
        who = "1 user of the file is" if left_out == 1 else f"{left_out:,} users of the file are"
        console.print(Text(f"{who} left out: {asked.item} is not among their candidates.", style="dim"))


def _users_in(path: Path, run: Run) -> list[str]:
    """The user ids of a file, one a line."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise ReadError(f"{path}: cannot be read ({error.strerror}); name a file of user ids, one a line") from None
    except UnicodeDecodeError:
        raise ReadError(f"{path}: is not text in UTF-8; name a file of user ids, one a line") from None
    users = []
    for number, line in enumerate(lines, start=1):
        if user := line.strip():
            try:
                run.space.users.number(user)
            except UnknownIdError as error:
                raise UnknownIdError(f"{path}, line {number}: {error}") from None
            users.append(user)
    if not users:
        raise ReadError(f"{path}: no user id in it; write one a line")
    return users


def whole_run(run: Run, asked: Asked, console: Console, progress: Console) -> None:
    """Explain every recommended item of a run, write it into the folder, and evaluate it."""
    method = f"{asked.goal}{MASKED if asked.constraints.masked else ''}"
    with TerminalReporter(progress, asked.quiet or asked.as_json) as reporter:
        run = run.with_method(method, reporter, run.device)
    evaluation = {**run.evaluation, "explanations": {method: run.evaluation["explanations"][method]}}
    if asked.as_json:
        console.file.write(json.dumps({"run": str(run.folder), "evaluation": evaluation}, indent=2) + "\n")
    elif asked.quiet:
        console.file.write(f"{run.folder}\n")
    else:
        console.print(explanations_table(evaluation))
        for row in example_rows(run, method, 5):
            text = sentence_of(run, row, asked.language)
            console.print(f"To {row['user_id']}: {text}", highlight=False, markup=False)
