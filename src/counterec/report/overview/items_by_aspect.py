"""Which items win and lose by which aspects."""

from __future__ import annotations

from typing import Literal, get_args

import polars as pl

from counterec.core.explainers.answer_row import EXPLAINED

Side = Literal["wins", "loses"]
SIDES: tuple[Side, ...] = get_args(Side)


def items_by_aspect(cases: pl.DataFrame, side: Side) -> pl.DataFrame:
    """One row per item and aspect, the most lists first: ``item_id, aspect, lists, of_lists, share``.

    An item *wins* a list by an aspect if it is in it and would leave it, were the aspect worse. An item *loses* a list
    by an aspect if it is the first below it, and would take the place of an item of the list that wins by the aspect.
    ``lists`` counts the lists that it wins or loses by the aspect, and ``of_lists`` those that it is in, or just below.
    """
    item = "item_id" if side == "wins" else "below_id"
    known = cases.filter(pl.col(item).is_not_null())
    of_lists = known.group_by(item).agg(pl.col("user_id").n_unique().cast(pl.Int64).alias("of_lists"))
    return (
        known.filter(pl.col("status") == EXPLAINED)
        .select(item, "user_id", "aspects")
        .explode("aspects")
        .group_by(item, "aspects")
        .agg(pl.col("user_id").n_unique().cast(pl.Int64).alias("lists"))
        .join(of_lists, on=item)
        .rename({item: "item_id", "aspects": "aspect"} if item != "item_id" else {"aspects": "aspect"})
        .select("item_id", "aspect", "lists", "of_lists", share=pl.col("lists") / pl.col("of_lists"))
        .sort("lists", "share", "item_id", "aspect", descending=[True, True, False, False])
    )
