"""Attributions of the net's lists → rows: the heaviest aspect, and as many as CountER names."""

from __future__ import annotations

import time

import numpy as np
import polars as pl

from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.explainers.attribution import ATTRIBUTIONS
from counterec.core.explainers.attribution.naming import named
from counterec.pipeline import store
from counterec.pipeline.config import RunConfig
from counterec.pipeline.engine import Desk, Stage
from counterec.pipeline.experiment.cells import Cell
from counterec.pipeline.experiment.guarding import guarded
from counterec.pipeline.experiment.rows import Said, Stand, measured, notes_file, rows_file
from counterec.pipeline.experiment.scene import GUIDE, Scene, explanation_files, inputs_of, told
from counterec.pipeline.experiment.settings import ExperimentSettings
from counterec.pipeline.files import write_json


def attribution_stage(config: RunConfig, settings: ExperimentSettings, cell: Cell, name: str, device: str) -> Stage:
    """The net's lists → the aspects that an attribution weighs heaviest, measured."""

    def work(desk: Desk) -> None:
        scene = Scene(config, settings, desk, device)
        stand = Stand(scene.net, scene.space, scene.heads, config.lists.k)
        users, items = stand.pairs()
        started = time.perf_counter()
        weights, failures = guarded(
            lambda rows: ATTRIBUTIONS[name].weights(scene.net, scene.space, users[rows], items[rows], config.seed),
            users,
            len(scene.space.aspects),
            lambda user: scene.space.users.texts[user],
        )
        milliseconds = (time.perf_counter() - started) / max(1, len(users)) * 1e3
        said = [say(scene, name, users, items, weights, masked) for masked in (False, True)]
        desk.reporter.total(sum(int(one.named.any_named.sum()) for pair in said for one in pair), "pairs")
        frames = [
            measured(cell, one, stand, scene.truth, progress=desk.reporter.advance) for two in said for one in two
        ]
        store.write_table(pl.concat(frames), desk.new(rows_file(name)))
        write_json(desk.new(notes_file(name)), {"milliseconds": milliseconds, "failures": failures})

    inputs = inputs_of(config, *explanation_files(GUIDE))
    values = [settings.ground_truth, config.lists.k, config.seed]
    return Stage(f"measure {name}", inputs, (rows_file(name), notes_file(name)), values, work)


def say(
    scene: Scene,
    name: str,
    users: IntVector,
    items: IntVector,
    weights: FloatMatrix,
    masked: bool,
    always: bool = False,
) -> tuple[Said, Said]:
    """What the weights say with one aspect and with as many as CountER names.

    ``always``: only aspects that the user has mentioned are named, in the masked cell and in the other.
    """
    eligible = scene.cared_about(users) if masked or always else None
    counts, joint = told(scene.answers(GUIDE, masked), users, items)
    one, everywhere = np.ones(len(users), dtype=np.int64), np.ones(len(users), dtype=bool)
    return (
        Said(name, "single", masked, named(users, items, weights, one, eligible), everywhere),
        Said(name, "multi", masked, named(users, items, weights, counts, eligible), joint),
    )
