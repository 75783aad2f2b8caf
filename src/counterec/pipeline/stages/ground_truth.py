"""Held-out reviews → the ground truth that named aspects are compared with."""

from __future__ import annotations

from typing import Literal

import numpy as np
import polars as pl

from counterec.core.evaluation.user_side import GroundTruth
from counterec.core.interactions import Interactions
from counterec.core.space import AspectSpace
from counterec.pipeline import serialization
from counterec.pipeline.engine import StageContext

Reading = Literal["positive", "all"]
"""Which mentions of a held-out review count: those that praise, as in the paper, or all, whatever their sentiment."""


def ground_truth(
    context: StageContext, space: AspectSpace, test: Interactions, which: Reading = "positive"
) -> GroundTruth:
    """The aspects praised in held-out reviews, or all that are mentioned there."""
    mentions = pl.scan_parquet(context.path(serialization.MENTIONS)).filter(
        pl.col("aspect").is_in(list(space.aspects.texts))
    )
    if which == "positive":
        mentions = mentions.filter(pl.col("sentiment") > 0)
    split = pl.scan_parquet(context.path(serialization.SPLIT)).filter(pl.col("part") == "test")
    found = mentions.join(split, on=["user_id", "item_id"], how="semi").collect()
    truth = GroundTruth(test.users, test.items, np.zeros((len(test), len(space.aspects)), dtype=bool))
    rows = truth.rows_of(space.users.numbers(found["user_id"]), space.items.numbers(found["item_id"]))
    matrix = truth.praised.copy()
    matrix[rows, space.aspects.numbers(found["aspect"])] = True
    return GroundTruth(test.users, test.items, matrix)
