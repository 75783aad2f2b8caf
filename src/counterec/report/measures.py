"""Every number of one method in one cell: from rows of pairs to means with cases and intervals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import polars as pl

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.evaluation.measure import Measure, harmonic_mean_of_means, mean
from counterec.report.experiment_rows import ExperimentRows

PLAIN = ("precision", "recall", "f1", "valid", "redundant", "l2", "l1", "complexity", "strength")
"""Columns whose mean is a measure as it stands."""
CELL_WORDS = ("aspects", "mask", "method")
"""The headings over the words that name a cell."""
MASK_WORD = {True: "with", False: "without"}
TIES = ("", "_kind", "_strict")
"""How ties are resolved in PN and PS: by the rule of ranking, for the explanation, against it."""

Found = TypeVar("Found")


@dataclass(frozen=True)
class Measured:
    """One method in one cell; ``elsewhere`` is PN, PS and F_NS by ground, ``stability`` likeness by what changed."""

    method: str
    shape: str
    masked: bool
    measures: dict[str, Measure]
    elsewhere: dict[str, dict[str, Measure]]
    stability: dict[str, Measure]

    def __getitem__(self, name: str) -> Measure:
        return self.measures[name]

    @property
    def words(self) -> tuple[str, ...]:
        """What stands before its numbers in a table."""
        return self.shape, MASK_WORD[self.masked], self.method

    @property
    def lowest_elsewhere(self) -> tuple[str, Measure] | None:
        """The ground on which F_NS is lowest, and F_NS there: what can be counted on."""
        known = [(ground, found["f_ns"]) for ground, found in self.elsewhere.items() if found["f_ns"].value is not None]
        return min(known, key=lambda one: one[1].value or 0.0) if known else None

    def as_dict(self) -> dict[str, Any]:
        """Everything as it is written to disk."""
        return {
            "method": self.method,
            "shape": self.shape,
            "masked": self.masked,
            **{name: measure.as_dict() for name, measure in self.measures.items()},
            "elsewhere": {ground: _as_dict(found) for ground, found in self.elsewhere.items()},
            "stability": _as_dict(self.stability),
        }


def _as_dict(measures: dict[str, Measure]) -> dict[str, Any]:
    return {name: measure.as_dict() for name, measure in measures.items()}


def measured(inputs: ExperimentRows, aspects: int) -> list[Measured]:
    """Measure every cell; ``aspects`` is the size of the vocabulary."""
    return [
        Measured(
            *cell,
            measures=pair_measures(inputs.cell(*cell)) | {"coverage": coverage(inputs.cell(*cell), aspects)},
            elsewhere=_by(inputs.elsewhere_of(*cell), "ground", model_measures),
            stability=_by(
                inputs.stability_of(*cell), "other", lambda rows: mean(column(rows, "jaccard"), users_of(rows))
            ),
        )
        for cell in inputs.cells
    ]


def _by(frame: pl.DataFrame, key: str, measure: Callable[[pl.DataFrame], Found]) -> dict[str, Found]:
    """Measure the parts of a frame that share a value."""
    return {str(value): measure(part) for (value,), part in frame.group_by(key, maintain_order=True)}


def pair_measures(rows: pl.DataFrame) -> dict[str, Measure]:
    """The measures of rows of pairs; pairs that nobody was asked about do not count.

    What ends in ``_zero`` counts unexplained pairs as failures: an explanation that is not there matches nothing and
    is neither necessary nor sufficient.
    """
    asked = rows.filter("joint")
    users = users_of(asked)
    found = {name: mean(column(asked, name), users) for name in PLAIN}
    found["fidelity"] = mean(column(asked, "explained"), users)
    found["aspects"] = mean(named_aspects(asked), users)
    for tie in TIES:
        found |= {f"{name}{tie}": measure for name, measure in model_measures(asked, tie).items()}
    whole = counted_as_zero(asked)
    for name in ("precision", "recall", "f1"):
        found[f"{name}_zero"] = mean(column(whole, name), users)
    return found | {f"{name}_zero": measure for name, measure in model_measures(whole).items()}


def model_measures(rows: pl.DataFrame, tie: str = "") -> dict[str, Measure]:
    """PN (Eq. 14), PS (Eq. 15) and F_NS, the harmonic mean of the two totals."""
    necessary, sufficient = column(rows, f"necessary{tie}"), column(rows, f"sufficient{tie}")
    users = users_of(rows)
    return {
        "pn": mean(necessary, users),
        "ps": mean(sufficient, users),
        "f_ns": harmonic_mean_of_means(necessary, sufficient, users),
    }


def counted_as_zero(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with every pair that has no explanation counted as a failure, where it would count with one.

    A method that PN and PS cannot be asked of has no verdict on what it explains either, and stays without.
    """
    askable = rows["necessary"].is_not_null().any() or not rows["explained"].any()
    matters = pl.col("in_test") & (pl.col("praised") > 0)
    fails: dict[str, pl.Expr] = {
        name: pl.when(matters).then(pl.col(name).fill_null(0.0)) for name in ("precision", "recall", "f1")
    }
    if askable:
        fails |= {name: pl.col(name).fill_null(False) for name in ("necessary", "sufficient")}
    return rows.with_columns(**fails)


def coverage(rows: pl.DataFrame, aspects: int) -> Measure:
    """The share of all aspects that ever appear in an explanation, averaged over seeds; no interval is known of it."""
    seen = rows.group_by("seed").agg(pl.col("aspects").explode().drop_nulls().n_unique())["aspects"]
    return Measure(float(seen.mean() or 0.0) / aspects, aspects, None)  # type: ignore[arg-type]


def named_aspects(rows: pl.DataFrame) -> FloatVector:
    """How many aspects each pair's explanation names; NaN where there is none."""
    counts = rows.select(pl.when("explained").then(pl.col("aspects").list.len()).cast(pl.Float64).alias("n"))
    return column(counts, "n")


def column(rows: pl.DataFrame, name: str) -> FloatVector:
    """A column as numbers; null becomes NaN, which is no case."""
    return rows[name].cast(pl.Float64).fill_null(np.nan).to_numpy()


def users_of(rows: pl.DataFrame) -> IntVector:
    """The user of each row, as a number."""
    return rows["user"].to_numpy()
