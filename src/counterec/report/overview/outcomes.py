"""How many recommendations are explained, by how much, and what became of the others."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from counterec.core.arrays import require
from counterec.core.explainers.answer_row import EXPLAINED


@dataclass(frozen=True)
class Outcomes:
    """The cases in a few numbers; a share is None where there is no case to take it of."""

    recommendations: int
    users: int
    items: int
    """How many different items are recommended."""
    explained: int
    aspects_named: float | None
    """How many aspects an explanation names on average."""
    one_aspect: float | None
    """The share of explanations that name a single one."""
    necessary: float | None
    """The share, of explanations that were judged, whose aspects are necessary."""
    led_by_history: float | None
    """The share of recommendations whose lead comes more from the user's history than from aspects."""

    def __post_init__(self) -> None:
        require(0 <= self.explained <= self.recommendations, f"{self.explained} of {self.recommendations} explained")

    @property
    def explained_share(self) -> float | None:
        """The share of recommendations that are explained."""
        return self.explained / self.recommendations if self.recommendations else None


def outcomes(cases: pl.DataFrame) -> Outcomes:
    """The cases in a few numbers."""
    explained = cases.filter(pl.col("status") == EXPLAINED)
    named = explained["aspects"].list.len()
    led = cases.filter(pl.col("lead_aspects").is_not_null(), pl.col("lead_history").is_not_null())
    return Outcomes(
        recommendations=len(cases),
        users=cases["user_id"].n_unique(),
        items=cases["item_id"].n_unique(),
        explained=len(explained),
        aspects_named=_mean(named),
        one_aspect=_mean(named == 1),
        necessary=_mean(explained["necessary"].drop_nulls()),
        led_by_history=_mean(led["lead_history"] > led["lead_aspects"]),
    )


def statuses(cases: pl.DataFrame) -> pl.DataFrame:
    """One row per status that occurs, the most frequent first: ``status, recommendations, share``."""
    return (
        cases.group_by("status")
        .agg(pl.len().cast(pl.Int64).alias("recommendations"))
        .with_columns(share=pl.col("recommendations") / max(1, len(cases)))
        .sort("recommendations", "status", descending=[True, False])
    )


def _mean(values: pl.Series) -> float | None:
    found = values.cast(pl.Float64).mean()
    return float(found) if isinstance(found, float) else None
