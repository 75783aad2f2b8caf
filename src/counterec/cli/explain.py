"""``counterec explain``: answer any question about one user, an audience or the whole run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from counterec.cli.audience import explain_to_audience
from counterec.cli.known_ids import known_item, known_user
from counterec.cli.options import (
    Bounds,
    Costs,
    Device,
    Force,
    Json,
    Keep,
    Most,
    OnlyMentioned,
    PossibleValues,
    Processes,
    Quiet,
    RunFolder,
    UnreviewedBeyond,
    checked_by,
    checked_device,
    checked_goal,
    checked_question,
    chosen_processes,
    constrained,
)
from counterec.cli.output_files import checked_file, write_rows
from counterec.cli.show import print_answers, print_examples
from counterec.cli.streams import err, out, print_json, print_path
from counterec.cli.tables import explanations_table
from counterec.errors import UsageError

if TYPE_CHECKING:
    from counterec.core.explainers.budget import Budget
    from counterec.core.explainers.constraints import Constraints
    from counterec.core.explainers.goal_names import Goal
    from counterec.core.explainers.history.answer_row import By
    from counterec.core.explainers.question import Kind
    from counterec.run import Run


@dataclass(frozen=True)
class Request:
    """A question, how it is to be answered, and how the answer is printed."""

    question: Kind
    goal: Goal
    by: By
    budget: Budget | None
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
    most_sets: Annotated[
        int | None,
        typer.Option("--most-sets", metavar="N", min=1, help="--by history: score at most N sets of reviews. [500]"),
    ] = None,
    single: Annotated[bool, typer.Option("--single", help="Short for --goal single: one aspect only.")] = False,
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
    unreviewed_beyond: UnreviewedBeyond = None,
    most: Most = None,
    costs: Costs = [],  # noqa: B006
    out_file: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the rows to a .csv, .jsonl or .parquet file.")
    ] = None,
    device: Device = "cpu",
    processes: Processes = None,
    force: Force = [],  # noqa: B006
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
    run = open_run(folder, checked_device(device))
    limits = constrained(
        run.config.explain.constraints, keep, bounds, values, unreviewed_beyond, most, costs, only_mentioned
    )
    kind, aim = checked_question(question, match_values), checked_goal(goal, single)
    named = checked_by(by, kind, aim, constrained=limits != run.config.explain.constraints)
    user = None if user is None else known_user(run, user)
    item, versus = (None if text is None else known_item(run, text) for text in (item, versus))
    spend = _sets_budget(named, most_sets)
    silent = quiet and not as_json
    request = Request(kind, aim, named, spend, user, item, versus, limits, out_file, silent, as_json)
    if audience is not None:
        explain_to_audience(run, request, audience, 1 if at_least is None else at_least)
    elif at_least is not None:
        raise UsageError("--at-least needs --audience, a file of user ids")
    elif user is not None:
        _explain_list(run, request, user)
    else:
        _explain_everybody(run, request, force, chosen_processes(processes))


def _sets_budget(by: By, most: int | None) -> Budget | None:
    """The budget of ``--most-sets``; what aspects may cost is not limited by it."""
    if most is None:
        return None
    if by != "history":
        raise UsageError("--most-sets needs --by history: it limits the sets of past reviews that are tried")
    from counterec.core.explainers.budget import KEPT_CALLS, Budget

    return Budget(calls=most + KEPT_CALLS)


def _explain_everybody(run: Run, request: Request, force: list[str], processes: int) -> None:
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
        _explain_run(run, request, force, processes)


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
        budget=request.budget,
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
    table = run.explain(goal=request.goal, by=request.by, constraints=limits, budget=request.budget)
    write_rows(table, file)
    counts = {row["status"]: row["count"] for row in table["status"].value_counts(sort=True).to_dicts()}
    if request.as_json:
        print_json({"file": str(file), "pairs": len(table), "statuses": counts})
    elif request.quiet:
        print_path(file)
    else:
        listed = ", ".join(f"{count:,} {status}" for status, count in counts.items())
        out.print(f"{len(table):,} pairs ({listed}) written to {file}", highlight=False, markup=False, soft_wrap=True)


def _explain_run(run: Run, request: Request, force: list[str], processes: int) -> None:
    """Explain every recommended item of a run, store the rows in its folder and evaluate them."""
    from counterec.cli.progress import TerminalReporter
    from counterec.pipeline.config import MASKED

    method = f"{request.goal}{MASKED if request.constraints.masked else ''}"
    with TerminalReporter(err, request.quiet or request.as_json) as reporter:
        run = run.with_method(method, reporter, run.device, force, processes)
    evaluation = {**run.evaluation, "explanations": {method: run.evaluation["explanations"][method]}}
    if request.as_json:
        print_json({"run": str(run.path), "evaluation": evaluation})
    elif request.quiet:
        print_path(run.path)
    else:
        out.print(explanations_table(evaluation))
        print_examples(run, method)
