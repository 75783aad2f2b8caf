"""Baselines with lists of their own → rows: ranked, and measured by the aspects they name."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from counterec.baselines.protocol import Fitted
from counterec.core.arrays import IntVector
from counterec.core.evaluation.quality import ranking_quality
from counterec.core.scorers.ranking import rank
from counterec.errors import BaselineUnavailableError
from counterec.experiment.cell_inputs import (
    GUIDE,
    MEASURING_SETTINGS,
    CellInputs,
    explanation_files,
    measuring_code,
    measuring_inputs,
)
from counterec.experiment.fitted_baselines import fitted_baseline, fitted_file, fitting_notes_file
from counterec.experiment.rows import MeasuredLists, no_rows, notes_file, rows_file
from counterec.experiment.weighted_methods import measured_together, weighed
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import write_json
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import Stage, StageContext


def baseline_stage(config: RunConfig, name: str) -> Stage:
    """A fitted baseline → its lists and the aspects it names for them; or why there is none."""
    return Stage(
        name=f"measure {name}",
        config=config,
        settings=MEASURING_SETTINGS,
        inputs=measuring_inputs(config, fitted_file(name), fitting_notes_file(name), *explanation_files(GUIDE)),
        outputs=(rows_file(name), notes_file(name)),
        code=(*measuring_code(config), "counterec.baselines"),
        work=lambda context: _measure(context, name),
    )


def _measure(context: StageContext, name: str) -> None:
    cell, frame = CellInputs(context), no_rows()
    notes: dict[str, Any] = {}
    try:
        frame, notes = _measured(cell, fitted_baseline(cell.folder, name))
    except BaselineUnavailableError as error:
        notes["unavailable"] = str(error)
    except Exception as error:  # whatever a method does, the others are measured
        notes["unavailable"] = f"it failed: {type(error).__name__}: {error}"
        context.warn(f"{name} is left out: {notes['unavailable']}")
    write_table(frame, context.new(rows_file(name)))
    write_json(context.new(notes_file(name)), notes)


def _measured(cell: CellInputs, fitted: Fitted) -> tuple[pl.DataFrame, dict[str, Any]]:
    k = cell.config.lists.k
    users = cell.lists.users
    heads = rank(fitted.scorer, fitted.space, cell.folder.candidates, layout.head_length(k), users)
    lists = MeasuredLists(fitted.scorer, fitted.space, heads, k, fitted.model_side)
    answers, notes = weighed(cell, lists, fitted.name, fitted.weights, always_masked=True)
    frame = pl.concat(measured_together(cell, lists, answers))
    if fitted.scored is not None:
        notes["best_aligned_is_not_scored"] = best_aligned_is_not_scored(fitted, cell, *lists.pairs())
    return frame, {"ranking": ranking_quality(lists.lists, cell.folder.interactions["test"]).as_dict(), **notes}


def best_aligned_is_not_scored(fitted: Fitted, cell: CellInputs, users: IntVector, items: IntVector) -> float | None:
    """For which share of pairs the best aligned of the user's aspects is one that does not move the score.

    A method that named it would name no reason of its list.
    """
    if fitted.scored is None or not len(users):
        return None
    alignment = fitted.space.user_attention[users] * fitted.space.item_quality[items]
    best = np.where(cell.mentioned(users), alignment, -np.inf).argmax(axis=1)
    return float(np.mean(~fitted.scored(users)[np.arange(len(users)), best]))
