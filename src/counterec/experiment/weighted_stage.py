"""Attributions and rules on the recommender's lists → rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import polars as pl

from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.attribution import ATTRIBUTIONS
from counterec.errors import BaselineUnavailableError
from counterec.experiment.alignments import PREDICTED, RULES, rules_of
from counterec.experiment.cell_inputs import (
    GUIDE,
    MEASURING_SETTINGS,
    CellInputs,
    explanation_files,
    measuring_code,
    measuring_inputs,
)
from counterec.experiment.fitted_baselines import fitted_file, fitting_notes_file
from counterec.experiment.rows import MethodAnswers, no_rows, notes_file, rows_file
from counterec.experiment.weighted_methods import WeighPairs, measured_together, weighed
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import write_json
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import Stage, StageContext


def weighted_stage(config: RunConfig) -> Stage:
    """The lists → the aspects that attributions and rules weigh heaviest.

    One stage for all of them: they explain the same lists, and what several of them name is judged once.
    """
    rules = rules_of(config)
    methods = (*ATTRIBUTIONS, *rules)
    baselines = [PREDICTED[rule] for rule in rules if rule in PREDICTED]
    fitted = [file_of(name) for name in baselines for file_of in (fitted_file, fitting_notes_file)]
    return Stage(
        name="measure attributions and rules",
        config=config,
        settings=MEASURING_SETTINGS,
        inputs=measuring_inputs(config, *fitted, *explanation_files(GUIDE)),
        outputs=tuple(file_of(name) for name in methods for file_of in (rows_file, notes_file)),
        code=(*measuring_code(config), "counterec.baselines"),
        work=lambda context: _measure(context, methods),
    )


def attributed(cell: CellInputs, name: str) -> WeighPairs:
    """The weights of an attribution."""

    def weigh(users: IntVector, items: IntVector) -> FloatMatrix:
        return ATTRIBUTIONS[name].weights(cell.scorer, cell.folder.space, users, items, cell.config.seed)

    return weigh


def _measure(context: StageContext, methods: Sequence[str]) -> None:
    cell = CellInputs(context)
    makers = {name: partial(attributed, name=name) for name in ATTRIBUTIONS} | dict(RULES)
    answers: dict[str, list[MethodAnswers]] = {}
    for name in methods:
        try:
            answers[name], notes = weighed(cell, cell.measured_lists, name, makers[name](cell))
        except BaselineUnavailableError as error:
            answers[name], notes = [], {"unavailable": str(error), "failures": []}
        write_json(context.new(notes_file(name)), notes)
    frames = measured_together(cell, cell.measured_lists, [one for found in answers.values() for one in found])
    for name in methods:
        own = [frames.pop(0) for _ in answers[name]]
        write_table(pl.concat([no_rows(), *own]), context.new(rows_file(name)))
