"""``counterec explain``: answer any question about one user, an audience or the whole run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.padding import Padding
from rich.text import Text

from counterec.cli.options import (
    Bounds,
    Json,
    Keep,
    Most,
    OnlyMentioned,
    PossibleValues,
    Processes,
    Quiet,
    RunFolder,
    checked_by,
    checked_goal,
    checked_question,
    chosen_processes,
    constrained,
    known_item,
    known_user,
)
from counterec.cli.output import checked_file, err, out, print_json, print_path, write_rows
from counterec.cli.show import print_answers, print_examples
from counterec.cli.tables import changes_table, explanations_table
from counterec.errors import ReadError, UnknownIdError, UsageError

if TYPE_CHECKING:
    from counterec.core.explainers.constraints import Constraints
    from counterec.core.explainers.goal_names import Goal
    from counterec.core.explainers.history.answer_row import By
    from counterec.core.explainers.question import Kind
    from counterec.run import Run
    from counterec.wording import AudienceRecord


@dataclass(frozen=True)
class Request:
    """A question, how it is to be answered, and how the answer is printed."""

    question: Kind
    goal: Goal
    by: By
    user: str | None
    item: str | None
    versus: str | None
    constraints: Constraints
    out_file: Path | None
    quiet: bool
    as_json: bool


def explain(
    folder: RunFolder,
    question: Annotated[str, typer.Option(help="why, why_not or why_rather.")] = "why",
    goal: Annotated[str, typer.Option(help="minimal, relaxed, single or complete.")] = "minimal",
    by: Annotated[
        str, typer.Option(help="why: name aspects of the item, history (past reviews of the user), or both: the fewer.")
    ] = "aspects",
    user: Annotated[str | None, typer.Option(metavar="ID", help="The user whose list it is. [the whole run]")] = None,
    item: Annotated[str | None, typer.Option(metavar="ID", help="The item that the question is about.")] = None,
    versus: Annotated[str | None, typer.Option(metavar="ID", help="why_rather: the item to compare with.")] = None,
    match_values: Annotated[
        bool,
        typer.Option(
            "--match-values", help="why_rather: the item takes the values of the other where its own are better."
        ),
    ] = False,
    audience: Annotated[
        Path | None, typer.Option(metavar="FILE", help="why_not for many users: a file of user ids, one per line.")
    ] = None,
    at_least: Annotated[
        int | None, typer.Option(metavar="N", help="How many users of the audience to reach. [1]")
    ] = None,
    only_mentioned: OnlyMentioned = False,
    keep: Keep = [],  # noqa: B006
    bounds: Bounds = [],  # noqa: B006
    values: PossibleValues = None,
    most: Most = None,
    out_file: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the rows to a .csv, .jsonl or .parquet file.")
    ] = None,
    processes: Processes = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Explain one item, a user's list or the whole run.

    Answers to a question about a user or an audience are printed. Those for the whole run are stored in its folder
    and evaluated.
    """
    from counterec.run import open_run

    if out_file is not None:
        checked_file(out_file)
    run = open_run(folder)
    limits = constrained(run.config.explain.constraints, keep, bounds, values, most, only_mentioned)
    kind, aim = checked_question(question, match_values), checked_goal(goal)
    named = checked_by(by, kind, aim, constrained=limits != run.config.explain.constraints)
    user = None if user is None else known_user(run, user)
    item, versus = (None if text is None else known_item(run, text) for text in (item, versus))
    silent = quiet and not as_json
    request = Request(kind, aim, named, user, item, versus, limits, out_file, silent, as_json)
    if audience is not None:
        explain_to_audience(run, request, audience, 1 if at_least is None else at_least)
    elif at_least is not None:
        raise UsageError("--at-least needs --audience, a file of user ids")
    elif user is not None:
        _explain_list(run, request, user)
    else:
        _explain_everybody(run, request, chosen_processes(processes))


def _explain_everybody(run: Run, request: Request, processes: int) -> None:
    """Explain every list of the run: into a file, or, under the run's own constraints, into its folder."""
    if request.item is not None or request.versus is not None or request.question != "why":
        raise UsageError("--user is missing; name the user whose list the question is about")
    if request.out_file is not None:
        _explain_into_file(run, request, request.out_file)
    elif request.by != "aspects":
        raise UsageError(f"answers by {request.by} are not stored in the run; name a user, or a file with --out")
    elif replace(request.constraints, masked=False) != run.config.explain.constraints:
        raise UsageError("explanations under other constraints are not stored in the run; name a file with --out")
    else:
        _explain_run(run, request, processes)


def _explain_list(run: Run, request: Request, user: str) -> None:
    """Answer a question about one user and print it; nothing is written unless ``--out`` is given."""
    table = run.explain(
        user,
        request.item,
        question=request.question,
        versus=request.versus,
        goal=request.goal,
        by=request.by,
        constraints=None if request.by == "history" else request.constraints,
    )
    if request.out_file is not None:
        write_rows(table, request.out_file)
    if request.quiet:
        print_path(request.out_file)
        return
    print_answers(run, user, table.to_dicts(), request.as_json, request.constraints)
    if request.out_file is not None and not request.as_json:
        rows = "1 row is" if len(table) == 1 else f"{len(table):,} rows are"
        out.print(Text(f"\n{rows} in {request.out_file}"), soft_wrap=True)


def _explain_into_file(run: Run, request: Request, file: Path) -> None:
    """Explain every recommended item of a run and write the rows to a file outside the run folder."""
    limits = None if request.by == "history" else request.constraints
    table = run.explain(goal=request.goal, by=request.by, constraints=limits)
    write_rows(table, file)
    counts = {row["status"]: row["count"] for row in table["status"].value_counts(sort=True).to_dicts()}
    if request.as_json:
        print_json({"file": str(file), "pairs": len(table), "statuses": counts})
    elif request.quiet:
        print_path(file)
    else:
        listed = ", ".join(f"{count:,} {status}" for status, count in counts.items())
        out.print(f"{len(table):,} pairs ({listed}) written to {file}", highlight=False, markup=False, soft_wrap=True)


def _explain_run(run: Run, request: Request, processes: int) -> None:
    """Explain every recommended item of a run, store the rows in its folder and evaluate them."""
    from counterec.cli.progress import TerminalReporter
    from counterec.pipeline.config import MASKED

    method = f"{request.goal}{MASKED if request.constraints.masked else ''}"
    with TerminalReporter(err, request.quiet or request.as_json) as reporter:
        run = run.with_method(method, reporter, run.device, processes=processes)
    evaluation = {**run.evaluation, "explanations": {method: run.evaluation["explanations"][method]}}
    if request.as_json:
        print_json({"run": str(run.path), "evaluation": evaluation})
    elif request.quiet:
        print_path(run.path)
    else:
        out.print(explanations_table(evaluation))
        print_examples(run, method)


def explain_to_audience(run: Run, request: Request, file: Path, at_least: int) -> None:
    """Print the fewest improvements with which an item enters the lists of enough users in the file."""
    from counterec.wording import audience_record, background, sentence
    from counterec.wording.messages import say_of

    item = _checked_item(request, at_least)
    user_ids = _users_in(file, run)
    answer = run.why_not_for_all(item, user_ids, at_least, constraints=request.constraints)
    left_out = len(set(user_ids)) - len(answer.users)
    robustness = run.audience_robustness(answer, constraints=request.constraints)
    record = audience_record(run.space, answer, run.item_names, request.constraints, robustness)
    text = sentence(record)
    if request.quiet:
        return
    if request.as_json:
        entered = [run.space.users.texts[user] for user in answer.users[answer.entered]]
        print_json(_as_json(item, record, entered, left_out, text))
        return
    out.print(Text(text))
    if record.changes:
        out.print(Padding(changes_table(record.changes), (0, 0, 0, 3)))
    if beside := background(record):
        out.print(Text(beside))
    if left_out:
        said = say_of("audience.left_out", left_out, count=f"{left_out:,}", item=record.item)
        out.print(Text(said, style="dim"))


def _checked_item(request: Request, at_least: int) -> str:
    """Return the item of a request that can be asked about an audience."""
    if request.item is None:
        raise UsageError("--audience needs --item, the item that should enter their lists")
    if request.question != "why_not" or request.goal != "minimal":
        raise UsageError("--audience needs --question why_not and --goal minimal; no other question is for many users")
    if at_least < 1:
        raise UsageError(f"--at-least {at_least}: must be 1 or more")
    for option, value in (("--user", request.user), ("--versus", request.versus), ("--out", request.out_file)):
        if value is not None:
            raise UsageError(f"{option} cannot be combined with --audience, which is about one item and many users")
    return request.item


def _as_json(item: str, record: AudienceRecord, entered: list[str], left_out: int, text: str) -> dict[str, Any]:
    return {
        "item_id": item,
        "status": record.status,
        "asked": record.asked,
        "left_out": left_out,
        "wanted": record.wanted,
        "entered": entered,
        "had_it": record.had_it,
        "kept_it": record.kept_it,
        "nets": record.nets,
        "nets_hold": record.nets_hold,
        "changes": {change.aspect: [change.before, change.after] for change in record.changes},
        "proof": record.proof,
        "sentence": text,
    }


def _users_in(path: Path, run: Run) -> list[str]:
    """Read user ids, one per line."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise ReadError(f"{path}: cannot be read ({error.strerror}); name a file of user ids, one per line") from None
    except UnicodeDecodeError:
        raise ReadError(f"{path}: not UTF-8 text; name a file of user ids, one per line") from None
    users = []
    for number, line in enumerate(lines, start=1):
        if user := line.strip():
            try:
                run.space.users.number(user)
            except UnknownIdError as error:
                raise UnknownIdError(f"{path}, line {number}: {error}") from None
            users.append(user)
    if not users:
        raise ReadError(f"{path}: holds no user id; write one per line")
    return users
