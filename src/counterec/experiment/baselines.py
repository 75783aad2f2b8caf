"""Baselines with lists of their own → rows: fitted, ranked, explained by what they align, and measured."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from counterec.baselines import BASELINES
from counterec.baselines.protocol import BaselineData, Fitted, TrainMentions
from counterec.core.evaluation.ranking import ranking_quality
from counterec.core.scorers.ranking import rank
from counterec.errors import BaselineUnavailableError
from counterec.experiment.cell_inputs import GUIDE, CellInputs, explanation_files, inputs_of
from counterec.experiment.cells import Cell
from counterec.experiment.rows import MeasuredLists, notes_file, rows_file
from counterec.experiment.schemas import ROWS
from counterec.experiment.weighted_methods import weighed
from counterec.pipeline import serialization
from counterec.pipeline.config import RunConfig
from counterec.pipeline.engine import Stage, StageContext
from counterec.pipeline.experiment_settings import ExperimentSettings
from counterec.pipeline.files import write_json
from counterec.pipeline.stages.inputs import depth


def own_lists_stage(config: RunConfig, settings: ExperimentSettings, cell: Cell, name: str) -> Stage:
    """The training part → a baseline, its lists and what it says of them; or why there is none."""

    def work(context: StageContext) -> None:
        scene = CellInputs(config, settings, context)
        frame = pl.DataFrame(schema=dict(ROWS))
        notes: dict[str, Any] = {}
        try:
            frame, notes = _measured(scene, cell, BASELINES[name]().fitted(baseline_data(scene), config.seed))
        except BaselineUnavailableError as error:
            notes["unavailable"] = str(error)
        except Exception as error:  # whatever a method does, the others are measured
            notes["unavailable"] = f"it failed: {type(error).__name__}: {error}"
        if reason := notes.get("unavailable"):
            context.warn(f"{name} is left out: {reason}")
        serialization.write_table(frame, context.new(rows_file(name)))
        write_json(context.new(notes_file(name)), notes)

    inputs = (*inputs_of(config, *explanation_files(GUIDE)), serialization.REVIEWS)
    values = [settings.ground_truth, config.lists.k, config.seed]
    return Stage(f"measure {name}", inputs, (rows_file(name), notes_file(name)), values, work)


def _measured(scene: CellInputs, cell: Cell, fitted: Fitted) -> tuple[pl.DataFrame, dict[str, Any]]:
    k = scene.config.lists.k
    heads = rank(fitted.scorer, fitted.space, scene.candidates, depth(k))
    stand = MeasuredLists(fitted.scorer, fitted.space, heads, k, fitted.model_side)
    frame, notes = weighed(scene, cell, stand, fitted.name, fitted.weights, always=True)
    return frame, {"ranking": ranking_quality(stand.lists, scene.split["test"]).as_dict(), **notes}


def baseline_data(scene: CellInputs) -> BaselineData:
    """What a baseline may learn from: the training part alone."""
    space, train = scene.space, scene.split["train"]
    return BaselineData(space, train, scene.split["validation"], _ratings(scene), _mentions(scene))


def _ratings(scene: CellInputs) -> np.ndarray | None:
    """The rating of every training interaction, in their order, NaN where it has none; None where none has."""
    space, train = scene.space, scene.split["train"]
    table = serialization.read_table(scene.context.path(serialization.REVIEWS), ["user_id", "item_id", "rating"])
    pairs = pl.DataFrame(
        {
            "user_id": [space.users.texts[user] for user in train.users],
            "item_id": [space.items.texts[item] for item in train.items],
        }
    )
    rated = table.drop_nulls().group_by("user_id", "item_id").agg(pl.col("rating").mean())
    found = pairs.join(rated, on=["user_id", "item_id"], how="left", maintain_order="left")["rating"]
    return None if found.null_count() == len(found) else found.cast(pl.Float64).fill_null(np.nan).to_numpy()


def _mentions(scene: CellInputs) -> TrainMentions:
    """The mentions of the training part, aspects that were kept; opinions as numbers."""
    space = scene.space
    split = pl.scan_parquet(scene.context.path(serialization.SPLIT)).filter(pl.col("part") == "train")
    kept = pl.scan_parquet(scene.context.path(serialization.MENTIONS)).filter(
        pl.col("aspect").is_in(list(space.aspects.texts))
    )
    found = kept.join(split, on=["user_id", "item_id"], how="semi").collect()
    opinions = found["opinion"]
    known = opinions.null_count() < len(opinions)
    return TrainMentions(
        users=space.users.numbers(found["user_id"]),
        items=space.items.numbers(found["item_id"]),
        aspects=space.aspects.numbers(found["aspect"]),
        opinions=opinions.fill_null("").rank("dense").to_numpy().astype(np.int64) - 1 if known else None,
        sentiments=found["sentiment"].to_numpy().astype(np.int64),
    )
