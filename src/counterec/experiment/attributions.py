"""Attributions of the net's lists → rows."""

from __future__ import annotations

from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.attribution import ATTRIBUTIONS
from counterec.experiment.cell_inputs import GUIDE, CellInputs, explanation_files, inputs_of
from counterec.experiment.cells import Cell
from counterec.experiment.rows import MeasuredLists, notes_file, rows_file
from counterec.experiment.weighted_methods import weighed
from counterec.pipeline import serialization
from counterec.pipeline.config import RunConfig
from counterec.pipeline.engine import Stage, StageContext
from counterec.pipeline.experiment_settings import ExperimentSettings
from counterec.pipeline.files import write_json


def attribution_stage(config: RunConfig, settings: ExperimentSettings, cell: Cell, name: str, device: str) -> Stage:
    """The net's lists → the aspects that an attribution weighs heaviest, measured."""

    def work(context: StageContext) -> None:
        scene = CellInputs(config, settings, context, device)
        stand = MeasuredLists(scene.net, scene.space, scene.heads, config.lists.k)

        def weigh(users: IntVector, items: IntVector) -> FloatMatrix:
            return ATTRIBUTIONS[name].weights(scene.net, scene.space, users, items, config.seed)

        frame, notes = weighed(scene, cell, stand, name, weigh)
        serialization.write_table(frame, context.new(rows_file(name)))
        write_json(context.new(notes_file(name)), notes)

    inputs = inputs_of(config, *explanation_files(GUIDE))
    values = [settings.ground_truth, config.lists.k, config.seed]
    return Stage(f"measure {name}", inputs, (rows_file(name), notes_file(name)), values, work)
