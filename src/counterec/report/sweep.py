"""The relaxed answers over λ and α: which of them belong to a curve, and what was measured at each point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from counterec.core.evaluation.measure import Measure
from counterec.report.measures import pair_measures
from counterec.report.published import published

LETTER, ADAPTIVE = "as_published", "adaptive"
VARIANTS = {LETTER: "by the letter of the paper", ADAPTIVE: "our adaptive one"}
CLOSE = 1e-9


def along_lambda(sweep: pl.DataFrame) -> pl.DataFrame:
    """The answers by the letter at the paper's α, for every λ."""
    return at(_letter(sweep), "alpha", published().text["alpha"])


def along_alpha(sweep: pl.DataFrame) -> pl.DataFrame:
    """The answers by the letter at the paper's λ, for every α."""
    return at(_letter(sweep), "lambda", published().text["lambda"])


def _letter(sweep: pl.DataFrame) -> pl.DataFrame:
    return sweep.filter(pl.col("variant") == LETTER)


def at(rows: pl.DataFrame, name: str, value: float) -> pl.DataFrame:
    """The answers at one value of λ or α."""
    return rows.filter((pl.col(name) - value).abs() < CLOSE)


def by_the_letter(sweep: pl.DataFrame) -> pl.DataFrame:
    """The answers with the paper's own λ and α."""
    return at(along_lambda(sweep), "lambda", published().text["lambda"])


@dataclass(frozen=True)
class SweptPoint:
    """One variant at one λ and one α; None where it uses no fixed one."""

    variant: str
    lam: float | None
    alpha: float | None
    measures: dict[str, Measure]

    def as_dict(self) -> dict[str, Any]:
        """The point as it is written to disk."""
        place = {"variant": self.variant, "lambda": self.lam, "alpha": self.alpha}
        return {**place, **{name: measure.as_dict() for name, measure in self.measures.items()}}


def swept(sweep: pl.DataFrame) -> list[SweptPoint]:
    """Every point of the sweep, measured."""
    parts = sweep.group_by("variant", "lambda", "alpha", maintain_order=True)
    found: list[tuple[Any, pl.DataFrame]] = list(parts)
    return [SweptPoint(variant, lam, alpha, pair_measures(rows)) for (variant, lam, alpha), rows in found]
