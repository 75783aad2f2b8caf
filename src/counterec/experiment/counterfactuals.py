"""CountER's answers → rows, and the time they took."""

from __future__ import annotations

import time

import numpy as np
import polars as pl

from counterec.core.explainers.answer import Explanations, Status
from counterec.core.explainers.goal_names import Goal
from counterec.experiment.cell_inputs import (
    MEASURING_SETTINGS,
    CellInputs,
    explanation_files,
    measuring_code,
    measuring_inputs,
)
from counterec.experiment.guarded_weights import ignore_failure
from counterec.experiment.rows import MethodAnswers, Shape, measured, notes_file, rows_file
from counterec.pipeline.config import RunConfig, goal_settings
from counterec.pipeline.files import write_json
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import Stage, StageContext
from counterec.pipeline.stages.explain import explainer_of

TIMED_PAIRS = 200
"""At most this many pairs are explained once more, alone, to measure the time per pair."""


def counterfactual_stage(config: RunConfig, goal: Goal) -> Stage:
    """The explanations of one goal, masked and not → its rows."""
    return Stage(
        name=f"measure {goal}",
        config=config,
        settings=(*MEASURING_SETTINGS, "explain.constraints", "explain.telling", *goal_settings(goal)),
        inputs=measuring_inputs(config, *explanation_files(goal)),
        outputs=(rows_file(goal), notes_file(goal)),
        code=(*measuring_code(config), "counterec.pipeline.stages.explain"),
        work=lambda context: _measure(context, goal),
    )


def _measure(context: StageContext, goal: Goal) -> None:
    cell, shape = CellInputs(context), _shape(goal)
    frames, failures = [], []
    for masked in (False, True):
        answers = cell.answers(goal, masked)
        everywhere = np.ones(len(answers), dtype=bool)
        found = MethodAnswers(goal, shape, masked, answers.named(), everywhere, answers)
        frames.append(measured(cell.config, found, cell.measured_lists, cell.truth, answers.verdicts))
        failures += _failures(cell, answers, masked)
    write_table(pl.concat(frames), context.new(rows_file(goal)))
    write_json(context.new(notes_file(goal)), {"milliseconds": _milliseconds(cell, goal), "failures": failures})


def _shape(goal: Goal) -> Shape:
    return "single" if goal == "single" else "multi"


def _failures(cell: CellInputs, answers: Explanations, masked: bool) -> list[str]:
    """One line for each user that CountER failed for; the stage that explained has said why."""
    failed = np.unique(answers.users[answers.status == Status.FAILED])
    where = " with the mask" if masked else ""
    return [f"user {cell.folder.space.users.texts[user]}{where}: asking ended in an error" for user in failed]


def _milliseconds(cell: CellInputs, goal: Goal) -> float | None:
    """The time of one explanation when many are asked for at once."""
    question = cell.question(cell.lists)
    chosen = np.linspace(0, len(question) - 1, min(TIMED_PAIRS, len(question))).astype(np.int64)
    if not len(chosen):
        return None
    explainer = explainer_of(cell.scorer, goal, cell.config.explain, cell.folder.reserve, ignore_failure)
    started = time.perf_counter()
    explainer.explain(question.rows(chosen))
    return (time.perf_counter() - started) / len(chosen) * 1e3
