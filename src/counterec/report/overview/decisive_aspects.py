"""Which aspects decide recommendations: how often, and how strongly; overall, by position, or by cohort."""

from __future__ import annotations

from typing import Literal

import polars as pl

from counterec.core.explainers.answer_row import EXPLAINED

Group = Literal["position", "activity", "taste"]


def decisive_aspects(cases: pl.DataFrame, by: Group | None = None) -> pl.DataFrame:
    """One row per aspect that any answer names, the most frequent first; with ``by``, per group and aspect.

    An aspect *decides* a recommendation if the stored answer names it: worse on these aspects, the item leaves.

    ===================  ==========================================================================================
    ``recommendations``  how many recommendations there are (in the group), explained or not
    ``decided``          how many of them the aspect decides
    ``share``            decided / recommendations; the shares add up to more than 1 where answers name several
    ``alone``            of those it decides, the share that it decides without any other aspect
    ``change``           of those, the mean size of its change as a share of its scale
    ``strength``         of those, its mean part of the drop in score, in standard deviations of the user's scores;
                         an answer's drop is divided among its aspects by the sizes of their changes
    ``necessary``        of those that were judged, the share in which the named aspects are necessary
    ===================  ==========================================================================================
    """
    keys = [] if by is None else [by]
    known = cases if by is None else cases.filter(pl.col(by).is_not_null())
    part = pl.col("sizes") / pl.col("sizes").list.sum()
    decisions = (
        known.filter(pl.col("status") == EXPLAINED)
        .with_columns(alone=pl.col("aspects").list.len() == 1, part=part)
        .select(*keys, "aspects", "sizes", "part", "alone", "strength", "necessary")
        .explode("aspects", "sizes", "part")
        .group_by(*keys, "aspects")
        .agg(
            pl.len().cast(pl.Int64).alias("decided"),
            pl.col("alone").mean(),
            pl.col("sizes").mean().alias("change"),
            (pl.col("strength") * pl.col("part")).mean().alias("strength"),
            pl.col("necessary").mean(),
        )
        .rename({"aspects": "aspect"})
    )
    asked = pl.len().cast(pl.Int64).alias("recommendations")
    counted = known.group_by(by).agg(asked) if by is not None else known.select(asked)
    joined = decisions.join(counted, on=by) if by is not None else decisions.join(counted, how="cross")
    shares = joined.with_columns(share=pl.col("decided") / pl.col("recommendations"))
    columns = ("recommendations", "decided", "share", "alone", "change", "strength", "necessary")
    return shares.select(*keys, "aspect", *columns).sort(
        *keys, "decided", "aspect", descending=[*(False for _ in keys), True, False]
    )
