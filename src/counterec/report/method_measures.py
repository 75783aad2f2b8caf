"""Every measure of one method: the means over its pairs, each with its number of cases and its interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from counterec.core.arrays import FloatVector
from counterec.core.evaluation.intervals import Measure, Units, harmonic_mean_of_means, mean
from counterec.report.experiment_rows import ExperimentRows

AVERAGED = ("precision", "recall", "f1", "l2", "l1", "complexity", "strength", "strength_sigmoid")
"""Columns whose mean is a measure as it stands."""
TIES = ("", "_kind", "_strict")
"""How PN and PS resolve ties: by the rule of ranking, in favour of the explanation, against it."""


@dataclass(frozen=True)
class MethodMeasures:
    """The measures of one method, for one shape (single or multi), with or without the mask.

    ``transfer`` has PN, PS and F_NS for each other condition.
    """

    method: str
    shape: str
    masked: bool
    measures: dict[str, Measure]
    transfer: dict[str, dict[str, Measure]]

    def __getitem__(self, name: str) -> Measure:
        return self.measures[name]

    @property
    def lowest_transfer(self) -> tuple[str, Measure] | None:
        """The condition under which F_NS of the explained pairs is lowest, and that F_NS: what can be counted on."""
        return self._lowest("f_ns")

    @property
    def lowest_transfer_of_all(self) -> tuple[str, Measure] | None:
        """The same over all pairs; it may be another condition."""
        return self._lowest("f_ns_all")

    def _lowest(self, measure: str) -> tuple[str, Measure] | None:
        known = [(name, found[measure]) for name, found in self.transfer.items() if found[measure].value is not None]
        return min(known, key=lambda one: one[1].value or 0.0) if known else None

    def as_dict(self) -> dict[str, Any]:
        """Everything as it is written to disk."""
        return {
            "method": self.method,
            "shape": self.shape,
            "masked": self.masked,
            **_as_dict(self.measures),
            "elsewhere": {condition: _as_dict(found) for condition, found in self.transfer.items()},
        }


def _as_dict(measures: dict[str, Measure]) -> dict[str, Any]:
    return {name: measure.as_dict() for name, measure in measures.items()}


def measure_methods(experiment: ExperimentRows) -> list[MethodMeasures]:
    """Measure every combination of method, shape and mask."""
    return [_measured(experiment, combination) for combination in experiment.combinations]


def _measured(experiment: ExperimentRows, combination: tuple[str, str, bool]) -> MethodMeasures:
    rows = experiment.rows_of(*combination)
    conditions = experiment.transfer_of(*combination).group_by("ground", maintain_order=True)
    return MethodMeasures(
        *combination,
        measures=pair_measures(rows),
        transfer={str(condition): transfer_measures(part) for (condition,), part in conditions},
    )


def pair_measures(rows: pl.DataFrame) -> dict[str, Measure]:
    """The measures over pairs, by both denominators.

    Over explained pairs, only those count that CountER explains, too (``joint``). Measures that end in ``_all`` are
    over all pairs, and those without an explanation count as failures: no aspect named is right or necessary.
    """
    joint = rows.filter("joint")
    users = units_of(joint)
    found = {name: mean(column(joint, name), users) for name in AVERAGED}
    found["fidelity"] = mean(column(rows, "explained"), units_of(rows))
    found["aspects"] = mean(named_aspects(joint), users)
    for tie in TIES:
        found |= {f"{name}{tie}": measure for name, measure in model_measures(joint, tie).items()}
    whole = count_unexplained_as_zero(rows)
    for name in ("precision", "recall", "f1"):
        found[f"{name}_all"] = mean(column(whole, name), units_of(whole))
    return found | {f"{name}_all": measure for name, measure in model_measures(whole).items()}


def model_measures(rows: pl.DataFrame, tie: str = "") -> dict[str, Measure]:
    """PN (Eq. 14), PS (Eq. 15) and F_NS, the harmonic mean of the two totals."""
    necessary, sufficient = column(rows, f"necessary{tie}"), column(rows, f"sufficient{tie}")
    users = units_of(rows)
    return {
        "pn": mean(necessary, users),
        "ps": mean(sufficient, users),
        "f_ns": harmonic_mean_of_means(necessary, sufficient, users),
    }


def transfer_measures(rows: pl.DataFrame) -> dict[str, Measure]:
    """PN, PS and F_NS under another condition, over the explained pairs and over all of them."""
    explained = rows.filter(pl.col("necessary").is_not_null())
    whole = rows.with_columns(pl.col("necessary", "sufficient").fill_null(False))
    of_all = {f"{name}_all": measure for name, measure in model_measures(whole).items()}
    return model_measures(explained) | of_all


def count_unexplained_as_zero(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with every pair that has no explanation counted as a failure, if it would count with one.

    A method without PN and PS (its explained pairs have neither) keeps none.
    """
    has_model_side = rows["necessary"].is_not_null().any() or not rows["explained"].any()
    counts = pl.col("in_test") & (pl.col("praised") > 0)
    filled: dict[str, pl.Expr] = {
        name: pl.when(counts).then(pl.col(name).fill_null(0.0)) for name in ("precision", "recall", "f1")
    }
    if has_model_side:
        filled |= {name: pl.col(name).fill_null(False) for name in ("necessary", "sufficient")}
    return rows.with_columns(**filled)


def named_aspects(rows: pl.DataFrame) -> FloatVector:
    """How many aspects each pair's explanation names; NaN where there is none."""
    counts = rows.select(pl.when("explained").then(pl.col("aspects").list.len()).cast(pl.Float64).alias("n"))
    return column(counts, "n")


def column(rows: pl.DataFrame, name: str) -> FloatVector:
    """A column as numbers; null becomes NaN, which does not count as a case."""
    return rows[name].cast(pl.Float64).fill_null(np.nan).to_numpy()


def units_of(rows: pl.DataFrame) -> Units:
    """What the rows were drawn from: users, items and seeds."""
    return Units(rows["user"].to_numpy(), rows["item"].to_numpy(), rows["seed"].to_numpy())
