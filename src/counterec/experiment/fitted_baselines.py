"""The training part → what each baseline learns, once for each seed: all models and protocols share it."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from counterec.baselines import BASELINES
from counterec.baselines.base import BaselineData, Fitted, TrainMentions
from counterec.errors import BaselineUnavailableError
from counterec.pipeline import layout
from counterec.pipeline.aspect_choice import renamed
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import load_tensors, save_tensors, write_json
from counterec.pipeline.folder import RunFolder
from counterec.pipeline.stage import Stage, StageContext

FITTED = "baselines/"
"""Where the fitted baselines lie."""
INPUTS = (layout.REVIEWS, layout.MENTIONS, layout.SPLIT, layout.ASPECTS, layout.VOCABULARY)


def fitted_file(name: str) -> str:
    """Path of what a baseline learned."""
    return f"{FITTED}{name}.safetensors"


def fitting_notes_file(name: str) -> str:
    """Path of the note explaining why a baseline is unavailable."""
    return f"{FITTED}{name}.json"


def fit_baseline_stage(config: RunConfig, name: str) -> Stage:
    """The training part → a baseline, or why there is none."""
    return Stage(
        name=f"fit {name}",
        config=config,
        settings=("seed",),
        inputs=INPUTS,
        outputs=(fitted_file(name), fitting_notes_file(name)),
        code=(
            *("counterec.baselines", "counterec.core", "counterec.extraction", "counterec.pipeline.aspect_choice"),
            "counterec.experiment.fitted_baselines",
        ),
        work=lambda context: _fit(context, name),
    )


def _fit(context: StageContext, name: str) -> None:
    learned: dict[str, np.ndarray] = {}
    notes: dict[str, Any] = {}
    try:
        learned = dict(BASELINES[name]().fitted(baseline_data(context.folder), context.config.seed).arrays)
    except BaselineUnavailableError as error:
        notes["unavailable"] = str(error)
    except Exception as error:  # whatever a method does, the others are measured
        notes["unavailable"] = f"it failed: {type(error).__name__}: {error}"
    if reason := notes.get("unavailable"):
        context.warn(f"{name} is left out: {reason}")
    save_tensors(learned, context.new(fitted_file(name)))
    write_json(context.new(fitting_notes_file(name)), notes)


def fitted_baseline(folder: RunFolder, name: str) -> Fitted:
    """A baseline as it was fitted; raise ``BaselineUnavailableError`` with the reason where it could not be."""
    if reason := folder.json(fitting_notes_file(name)).get("unavailable"):
        raise BaselineUnavailableError(reason)
    return BASELINES[name]().restored(folder.space, load_tensors(folder.file(fitted_file(name))))


def baseline_data(folder: RunFolder) -> BaselineData:
    """What a baseline may learn from: the training part alone."""
    parts = folder.interactions
    return BaselineData(folder.space, parts["train"], parts["validation"], _ratings(folder), train_mentions(folder))


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


def train_mentions(folder: RunFolder) -> TrainMentions:
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
