"""The cases of a run: every recommendation with its stored answer, and what an overview counts it by."""

from __future__ import annotations

import numpy as np
import polars as pl

from counterec.core.arrays import FloatVector
from counterec.core.lists import ABSENT_ITEM
from counterec.core.space import AspectSpace
from counterec.pipeline.folder import RunFolder
from counterec.report.overview.cohorts import Cohorts


def cases_of(folder: RunFolder, method: str | None = None) -> pl.DataFrame:
    """One row per recommendation: the row of the explanations table, by default of the run's first method, and

    ==============  =================================================================================================
    ``sizes``       how far each aspect moves, as a share of its scale; 1 for a category, and to or from absent
    ``strength``    score before − score after, in standard deviations of the scores of the user's candidates
    ``below_id``    the item that takes the place if the item leaves: the first below the list; null where rules decide
    ``activity``    the user's group by reviews, in the order of the groups; null where nothing is known
    ``taste``       the aspect that the user cares about most compared with others; null where nothing is known
    ==============  =================================================================================================

    ``Run.record`` takes such a row as it is.
    """
    table = folder.explanations_table(method or folder.methods[0])
    users, spread, below = _lists(folder)
    lists = pl.DataFrame(
        {"user_id": users, "spread": spread, "below_id": below},
        schema={"user_id": pl.String, "spread": pl.Float64, "below_id": pl.String},
    )
    known = pl.col("spread") > 0
    return (
        table.with_columns(sizes=_sizes(folder.space, table))
        .join(lists, on="user_id", how="left", maintain_order="left")
        .with_columns(strength=pl.when(known).then((pl.col("score_before") - pl.col("score_after")) / pl.col("spread")))
        .drop("spread")
        .join(Cohorts.of(folder).table(), on="user_id", how="left", maintain_order="left")
    )


def _lists(folder: RunFolder) -> tuple[list[str], FloatVector, list[str | None]]:
    """Per list: its user, the spread of the scores of its candidates, and the first item below it."""
    lists, space = folder.recommendations, folder.space
    below = lists.items[:, lists.k] if lists.ranker is None else np.full(len(lists.users), ABSENT_ITEM)
    ids = [None if item == ABSENT_ITEM else space.items.texts[item] for item in below.tolist()]
    return [space.users.texts[user] for user in lists.users.tolist()], lists.spread.astype(np.float64), ids


def _sizes(space: AspectSpace, table: pl.DataFrame) -> pl.Series:
    """|after − before| / span of every change; a jump, between categories or to or from absent, is one."""
    scale = pl.DataFrame(
        {
            "aspects": space.aspects.texts,
            "absent": space.scale.absent,
            "span": space.scale.span,
            "is_category": space.scale.is_category,
        }
    )
    before, after, absent = pl.col("before"), pl.col("after"), pl.col("absent")
    jumps = pl.col("is_category") | (before == absent) | (after == absent)
    size = pl.when(jumps).then(1.0).otherwise((after - before).abs() / pl.col("span")).cast(pl.Float64)
    rows = table.select("aspects", "before", "after").with_row_index("row")
    moved = (
        rows.explode("aspects", "before", "after")
        .drop_nulls("aspects")
        .join(scale, on="aspects", maintain_order="left")
    )
    found = moved.group_by("row", maintain_order=True).agg(size.alias("sizes"))
    joined = rows.select("row").join(found, on="row", how="left", maintain_order="left")["sizes"]
    return joined.fill_null(pl.Series([[]], dtype=pl.List(pl.Float64)))
