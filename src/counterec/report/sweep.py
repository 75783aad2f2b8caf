"""The relaxed answers over λ and α: which of them belong to a curve."""

from __future__ import annotations

import polars as pl

from counterec.report.published import published

LETTER, ADAPTIVE = "exact_paper", "adaptive"
VARIANTS = {LETTER: "by the letter of the paper", ADAPTIVE: "our adaptive one"}
CLOSE = 1e-9


def along_lambda(sweep: pl.DataFrame, variant: str = LETTER, masked: bool = False) -> pl.DataFrame:
    """The answers at the paper's α, for every λ."""
    return _curve(sweep, variant, masked, "alpha", published().text["alpha"])


def along_alpha(sweep: pl.DataFrame, variant: str = LETTER, masked: bool = False) -> pl.DataFrame:
    """The answers at the paper's λ, for every α."""
    return _curve(sweep, variant, masked, "lambda", published().text["lambda"])


def _curve(sweep: pl.DataFrame, variant: str, masked: bool, held: str, value: float) -> pl.DataFrame:
    """A variant has no value where it does not use the parameter: its answers then belong to every curve."""
    held_still = ((pl.col(held) - value).abs() < CLOSE) | pl.col(held).is_null()
    return sweep.filter((pl.col("variant") == variant) & (pl.col("masked") == masked) & held_still)


def at(rows: pl.DataFrame, name: str, value: float) -> pl.DataFrame:
    """The answers at one value of λ or α."""
    return rows.filter((pl.col(name) - value).abs() < CLOSE)


def by_the_letter(sweep: pl.DataFrame, masked: bool = False) -> pl.DataFrame:
    """The answers with the paper's own λ and α."""
    return at(along_lambda(sweep, LETTER, masked), "lambda", published().text["lambda"])
