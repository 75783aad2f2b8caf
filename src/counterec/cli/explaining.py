"""``counterec explain``: one pair, one user's list, or the whole run, by any goal."""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console

from counterec.cli import showing
from counterec.cli.progress import TerminalReporter
from counterec.cli.tables import example_rows, explanations_table, sentence_of
from counterec.core.explainers.counter import GOALS, Goal
from counterec.errors import UsageError
from counterec.pipeline.config import MASKED
from counterec.run import open_run


def checked_goal(name: str) -> Goal:
    """The goal of this name."""
    for goal in GOALS:
        if goal == name:
            return goal
    raise UsageError(f"unknown goal {name!r}; one of {', '.join(GOALS)}")


def checked_device(name: str) -> str:
    """The device of this name, if the machine has it."""
    import torch

    if name not in ("cpu", "cuda"):
        raise UsageError(f"unknown device {name!r}; cpu or cuda")
    if name == "cuda" and not torch.cuda.is_available():
        raise UsageError("--device cuda: this machine has no CUDA device; use --device cpu")
    return name


def one_list(
    folder: Path, goal: Goal, mask: bool, user: str, item: str | None, device: str, as_json: bool, console: Console
) -> None:
    """Explain a user's list, or one item of it, and print it; nothing is written."""
    run = open_run(folder, device)
    rows = run.explain(user, item, goal, mask).to_dicts()
    if as_json:
        console.file.write(json.dumps(showing.as_json(run, user, rows), indent=2, ensure_ascii=False) + "\n")
    else:
        showing.draw(run, user, rows, console)


def whole_run(
    folder: Path, goal: Goal, mask: bool, device: str, quiet: bool, as_json: bool, console: Console, progress: Console
) -> None:
    """Explain every recommended item of a run, write it into the folder, and evaluate it."""
    method = f"{goal}{MASKED if mask else ''}"
    with TerminalReporter(progress, quiet or as_json) as reporter:
        run = open_run(folder).with_method(method, reporter, device)
    evaluation = {**run.evaluation, "explanations": {method: run.evaluation["explanations"][method]}}
    if as_json:
        console.file.write(json.dumps({"run": str(folder), "evaluation": evaluation}, indent=2) + "\n")
    elif quiet:
        console.file.write(f"{folder}\n")
    else:
        console.print(explanations_table(evaluation))
        for row in example_rows(run, method, 5):
            console.print(f"To {row['user_id']}: {sentence_of(run, row)}", highlight=False, markup=False)
