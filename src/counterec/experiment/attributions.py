"""Attributions of the recommender's lists → rows."""

from __future__ import annotations

from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.attribution import ATTRIBUTIONS
from counterec.experiment.cell_inputs import (
    GUIDE,
    MEASURING_SETTINGS,
    CellInputs,
    explanation_files,
    measuring_code,
    measuring_inputs,
)
from counterec.experiment.rows import notes_file, rows_file
from counterec.experiment.weighted_methods import measured_weights
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import write_json
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import Stage, StageContext


def attribution_stage(config: RunConfig, name: str, guide: str = GUIDE) -> Stage:
    """The lists → the aspects that an attribution weighs heaviest, measured; ``guide`` says how many it names."""
    return Stage(
        name=f"measure {name}",
        config=config,
        settings=MEASURING_SETTINGS,
        inputs=measuring_inputs(config, *explanation_files(guide)),
        outputs=(rows_file(name), notes_file(name)),
        code=measuring_code(config),
        work=lambda context: _measure(context, name, guide),
    )


def _measure(context: StageContext, name: str, guide: str) -> None:
    cell = CellInputs(context)

    def weigh(users: IntVector, items: IntVector) -> FloatMatrix:
        return ATTRIBUTIONS[name].weights(cell.scorer, cell.folder.space, users, items, cell.config.seed)

    frame, notes = measured_weights(cell, cell.measured_lists, name, weigh, guide=guide)
    write_table(frame, context.new(rows_file(name)))
    write_json(context.new(notes_file(name)), notes)
