"""Attributions of the net's lists → rows."""

from __future__ import annotations

from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.explainers.attribution import ATTRIBUTIONS
from counterec.pipeline import store
from counterec.pipeline.config import RunConfig
from counterec.pipeline.engine import Desk, Stage
from counterec.pipeline.experiment.cells import Cell
from counterec.pipeline.experiment.rows import Stand, notes_file, rows_file
from counterec.pipeline.experiment.scene import GUIDE, Scene, explanation_files, inputs_of
from counterec.pipeline.experiment.settings import ExperimentSettings
from counterec.pipeline.experiment.weighing import weighed
from counterec.pipeline.files import write_json


def attribution_stage(config: RunConfig, settings: ExperimentSettings, cell: Cell, name: str, device: str) -> Stage:
    """The net's lists → the aspects that an attribution weighs heaviest, measured."""

    def work(desk: Desk) -> None:
        scene = Scene(config, settings, desk, device)
        stand = Stand(scene.net, scene.space, scene.heads, config.lists.k)

        def weigh(users: IntVector, items: IntVector) -> FloatMatrix:
            return ATTRIBUTIONS[name].weights(scene.net, scene.space, users, items, config.seed)

        frame, notes = weighed(scene, cell, stand, name, weigh)
        store.write_table(frame, desk.new(rows_file(name)))
        write_json(desk.new(notes_file(name)), notes)

    inputs = inputs_of(config, *explanation_files(GUIDE))
    values = [settings.ground_truth, config.lists.k, config.seed]
    return Stage(f"measure {name}", inputs, (rows_file(name), notes_file(name)), values, work)
