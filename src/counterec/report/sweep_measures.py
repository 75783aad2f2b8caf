"""The sweep of the relaxed answers over λ and α: the rows of each curve, and the measures at each point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from counterec.core.evaluation.intervals import Measure
from counterec.report.method_comparisons import FEWEST_USERS
from counterec.report.method_measures import pair_measures
from counterec.report.published_numbers import published

AS_PUBLISHED, ADAPTIVE = "as_published", "adaptive"
VARIANT_NAMES = {AS_PUBLISHED: "as published", ADAPTIVE: "adaptive λ"}
"""How the variants are called in a figure."""
CLOSE = 1e-9
"""Two values of λ or α that are nearer than this are the same."""


def along_lambda(sweep: pl.DataFrame) -> pl.DataFrame:
    """The answers as published for every λ, at the paper's α."""
    return at(_as_published(sweep), "alpha", published().text["alpha"])


def along_alpha(sweep: pl.DataFrame) -> pl.DataFrame:
    """The answers as published for every α, at the paper's λ."""
    return at(_as_published(sweep), "lambda", published().text["lambda"])


def _as_published(sweep: pl.DataFrame) -> pl.DataFrame:
    return sweep.filter(pl.col("variant") == AS_PUBLISHED)


def at(rows: pl.DataFrame, name: str, value: float) -> pl.DataFrame:
    """The answers at one value of λ or α."""
    return rows.filter((pl.col(name) - value).abs() < CLOSE)


def at_published_values(sweep: pl.DataFrame) -> pl.DataFrame:
    """The answers as published, at the paper's λ and α."""
    return at(along_lambda(sweep), "lambda", published().text["lambda"])


def at_published_alpha(sweep: pl.DataFrame, fewest_users: int) -> tuple[float | None, pl.DataFrame]:
    """The answers as published at the paper's α, and their λ: the paper's, or the next that explains enough users.

    Only α leaves their strength free: without it an answer takes the score just below its target.
    """
    rows = along_lambda(sweep).filter(pl.col("lambda") >= published().text["lambda"] - CLOSE)
    users = rows.filter("explained").group_by("lambda").agg(pl.col("user").n_unique()).sort("lambda")
    enough = users.filter(pl.col("user") >= fewest_users)["lambda"].to_list()
    return (enough[0], at(rows, "lambda", enough[0])) if enough else (None, rows.clear())


def with_free_strength(sweep: pl.DataFrame) -> tuple[pl.DataFrame, str]:
    """The answers whose strength α decides, and what they are."""
    lam, rows = at_published_alpha(sweep, FEWEST_USERS)
    alpha = f"α = {published().text['alpha']:g}"
    return rows, f"as published, {alpha}" + (", no λ explains enough users" if lam is None else f", λ = {lam:g}")


@dataclass(frozen=True)
class SweepPoint:
    """The measures of one variant at one λ and one α; None where the variant does not fix it."""

    variant: str
    lam: float | None
    alpha: float | None
    measures: dict[str, Measure]

    def as_dict(self) -> dict[str, Any]:
        """The point as it is written to disk."""
        place = {"variant": self.variant, "lambda": self.lam, "alpha": self.alpha}
        return {**place, **{name: measure.as_dict() for name, measure in self.measures.items()}}


def measure_sweep(sweep: pl.DataFrame) -> list[SweepPoint]:
    """Measure every point of the sweep."""
    parts = sweep.group_by("variant", "lambda", "alpha", maintain_order=True)
    found: list[tuple[Any, pl.DataFrame]] = list(parts)
    return [SweepPoint(variant, lam, alpha, pair_measures(rows)) for (variant, lam, alpha), rows in found]
