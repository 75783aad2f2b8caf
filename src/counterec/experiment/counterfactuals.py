"""CountER's answers → rows, and how long they took."""

from __future__ import annotations

import time

import numpy as np
import polars as pl

from counterec.core.explainers.answer import Explanations, Status
from counterec.core.explainers.goals import Goal
from counterec.experiment.cell_inputs import CellInputs, explanation_files, inputs_of
from counterec.experiment.cells import Cell
from counterec.experiment.guarded_weights import told_before
from counterec.experiment.rows import MeasuredLists, MethodAnswers, Shape, measured, notes_file, rows_file
from counterec.pipeline import serialization
from counterec.pipeline.config import RunConfig
from counterec.pipeline.engine import Stage, StageContext
from counterec.pipeline.experiment_settings import ExperimentSettings
from counterec.pipeline.files import write_json
from counterec.pipeline.stages.explain import explainer_of
from counterec.pipeline.stages.inputs import reserve_of

TIMED_PAIRS = 200
"""So many are explained once more, by themselves, to see how long one takes."""


def counterfactual_stage(config: RunConfig, settings: ExperimentSettings, cell: Cell, goal: Goal, device: str) -> Stage:
    """The explanations of one goal, masked and not → its rows."""
    shape: Shape = "single" if goal == "single" else "multi"

    def work(context: StageContext) -> None:
        scene = CellInputs(config, settings, context, device)
        stand = MeasuredLists(scene.net, scene.space, scene.heads, config.lists.k)
        frames, failures = [], []
        for masked in (False, True):
            answers = scene.answers(goal, masked)
            said = MethodAnswers(goal, shape, masked, answers.named(), np.ones(len(answers), dtype=bool), answers)
            frames.append(measured(cell, said, stand, scene.truth, answers.require_verdicts()))
            failures += _failures(scene, answers, masked)
        serialization.write_table(pl.concat(frames), context.new(rows_file(goal)))
        write_json(context.new(notes_file(goal)), {"milliseconds": _milliseconds(scene, goal), "failures": failures})

    values = [settings.ground_truth, config.lists.k, config.explain.margin]
    inputs = inputs_of(config, *explanation_files(goal))
    return Stage(f"measure {goal}", inputs, (rows_file(goal), notes_file(goal)), values, work)


def _failures(scene: CellInputs, answers: Explanations, masked: bool) -> list[str]:
    """A line for each user that CountER could not be asked for; the stage that asked has told why."""
    lost = np.unique(answers.users[answers.status == Status.FAILED])
    where = " with the mask" if masked else ""
    return [f"user {scene.space.users.texts[user]}{where}: asking ended in an error" for user in lost]


def _milliseconds(scene: CellInputs, goal: Goal) -> float | None:
    """The time of one explanation, many being asked for at once."""
    question = scene.question(scene.lists)
    chosen = np.linspace(0, len(question) - 1, min(TIMED_PAIRS, len(question))).astype(np.int64)
    if not len(chosen):
        return None
    explainer = explainer_of(
        scene.net, goal, scene.config.explain, reserve_of(scene.config, scene.context), told_before
    )
    started = time.perf_counter()
    explainer.explain(question.rows(chosen))
    return (time.perf_counter() - started) / len(chosen) * 1e3
