"""Baselines with lists of their own → rows: fitted, ranked, and measured by the aspects they name."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from counterec.baselines import BASELINES
from counterec.baselines.protocol import BaselineData, Fitted, TrainMentions
from counterec.core.evaluation.ranking import ranking_quality
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
from counterec.experiment.rows import MeasuredLists, notes_file, rows_file
from counterec.experiment.schemas import ROWS
from counterec.experiment.weighted_methods import measured_weights
from counterec.pipeline import layout
from counterec.pipeline.aspect_names import renamed
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import write_json
from counterec.pipeline.folder import RunFolder
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import Stage, StageContext


def baseline_stage(config: RunConfig, name: str) -> Stage:
    """The training part → a baseline, its lists and the aspects it names for them; or why there is none."""
    return Stage(
        name=f"measure {name}",
        config=config,
        settings=MEASURING_SETTINGS,
        inputs=measuring_inputs(config, layout.REVIEWS, *explanation_files(GUIDE)),
        outputs=(rows_file(name), notes_file(name)),
        code=(*measuring_code(config), "counterec.baselines"),
        work=lambda context: _measure(context, name),
    )


def _measure(context: StageContext, name: str) -> None:
    cell, frame = CellInputs(context), pl.DataFrame(schema=dict(ROWS))
    notes: dict[str, Any] = {}
    try:
        frame, notes = _measured(cell, BASELINES[name]().fitted(baseline_data(cell.folder), cell.config.seed))
    except BaselineUnavailableError as error:
        notes["unavailable"] = str(error)
    except Exception as error:  # whatever a method does, the others are measured
        notes["unavailable"] = f"it failed: {type(error).__name__}: {error}"
    if reason := notes.get("unavailable"):
        context.warn(f"{name} is left out: {reason}")
    write_table(frame, context.new(rows_file(name)))
    write_json(context.new(notes_file(name)), notes)


def _measured(cell: CellInputs, fitted: Fitted) -> tuple[pl.DataFrame, dict[str, Any]]:
    k = cell.config.lists.k
    heads = rank(fitted.scorer, fitted.space, cell.folder.candidates, layout.head_length(k))
    lists = MeasuredLists(fitted.scorer, fitted.space, heads, k, fitted.model_side)
    frame, notes = measured_weights(cell, lists, fitted.name, fitted.weights, always_masked=True)
    return frame, {"ranking": ranking_quality(lists.lists, cell.folder.interactions["test"]).as_dict(), **notes}


def baseline_data(folder: RunFolder) -> BaselineData:
    """What a baseline may learn from: the training part alone."""
    parts = folder.interactions
    return BaselineData(folder.space, parts["train"], parts["validation"], _ratings(folder), _mentions(folder))


def _ratings(folder: RunFolder) -> np.ndarray | None:
    """The rating of every training interaction, in their order, NaN where it has none; None where none has."""
    space, train = folder.space, folder.interactions["train"]
    table = folder.table(layout.REVIEWS, ["user_id", "item_id", "rating"])
    pairs = pl.DataFrame(
        {
            "user_id": [space.users.texts[user] for user in train.users],
            "item_id": [space.items.texts[item] for item in train.items],
        }
    )
    rated = table.drop_nulls().group_by("user_id", "item_id").agg(pl.col("rating").mean())
    found = pairs.join(rated, on=["user_id", "item_id"], how="left", maintain_order="left")["rating"]
    return None if found.null_count() == len(found) else found.cast(pl.Float64).fill_null(np.nan).to_numpy()


def _mentions(folder: RunFolder) -> TrainMentions:
    """The mentions of kept aspects in the training part; opinions as numbers."""
    space = folder.space
    split = pl.scan_parquet(folder.file(layout.SPLIT)).filter(pl.col("part") == "train")
    named = renamed(pl.scan_parquet(folder.file(layout.MENTIONS)), folder.aspect_of_name)
    kept = named.filter(pl.col("aspect").is_in(list(space.aspects.texts)))
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
