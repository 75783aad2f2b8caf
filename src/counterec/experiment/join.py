"""The rows of all methods as one table, and how each of them fared."""

from __future__ import annotations

import polars as pl

from counterec.core.attribution import ATTRIBUTIONS
from counterec.core.evaluation.ranking import ranking_quality
from counterec.core.explainers.goals import GOALS
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.trivial import PopularityScorer, RandomScorer
from counterec.experiment.cell_inputs import CellInputs, inputs_of
from counterec.experiment.rows import notes_file, rows_file
from counterec.pipeline import serialization
from counterec.pipeline.config import RunConfig
from counterec.pipeline.engine import Stage, StageContext
from counterec.pipeline.experiment_settings import ExperimentSettings
from counterec.pipeline.files import read_json, write_json

ROWS_FILE = "rows.parquet"
METHODS_FILE = "methods.json"


def joining_stage(config: RunConfig, settings: ExperimentSettings) -> Stage:
    """The rows of every method → one table; what is to be told of each → one file."""
    methods = (*GOALS, *ATTRIBUTIONS, *settings.baselines)

    def work(context: StageContext) -> None:
        scene = CellInputs(config, settings, context)
        frames = [serialization.read_table(context.path(rows_file(method))) for method in methods]
        serialization.write_table(pl.concat(frames), context.new(ROWS_FILE))
        notes = {method: read_json(context.path(notes_file(method))) for method in methods}
        quality = ranking_quality(scene.lists, scene.split["test"]).as_dict()
        for method in (*GOALS, *ATTRIBUTIONS):
            notes[method]["ranking"] = quality
        write_json(context.new(METHODS_FILE), {**notes, **_beside(scene)})

    files = [file for method in methods for file in (rows_file(method), notes_file(method))]
    return Stage("join", inputs_of(config, *files), (ROWS_FILE, METHODS_FILE), [config.lists.k, config.seed], work)


def _beside(scene: CellInputs) -> dict[str, object]:
    """How well popularity and chance would rank."""
    space, k, test = scene.space, scene.config.lists.k, scene.split["test"]
    popular = PopularityScorer(scene.split["train"].items, len(space.items))
    chance = RandomScorer(len(space.items), scene.config.seed)
    return {
        "popularity": {"ranking": ranking_quality(rank(popular, space, scene.candidates, k), test).as_dict()},
        "random_ranking": ranking_quality(rank(chance, space, scene.candidates, k), test).as_dict(),
    }
