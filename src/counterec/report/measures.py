"""Methods measured and compared: means over pairs, paired differences, and the relaxed answers along λ and α."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from counterec.core.arrays import FloatVector
from counterec.core.evaluation.intervals import (
    Difference,
    Measure,
    Units,
    harmonic_mean_of_means,
    holm,
    mean,
    paired,
    paired_f_ns,
)
from counterec.core.explainers.goal_names import GOALS
from counterec.pipeline.stages.evaluate import selects
from counterec.report.experiment_rows import PAIR, ExperimentRows
from counterec.report.paper import published

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


FEWEST_USERS = 20
"""With fewer users, a bootstrap over them is not to be trusted."""

Differ = Callable[[pl.DataFrame], Difference]


@dataclass(frozen=True)
class Comparison:
    """By how much one of CountER's methods exceeds another method in one measure, over the pairs of both.

    ``corrected`` is its p after Holm's correction for all comparisons by the same measure.
    """

    ours: str
    other: str
    shape: str
    masked: bool
    measure: str
    difference: Difference
    corrected: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """The comparison as it is written to disk."""
        methods = {"ours": self.ours, "other": self.other}
        place = {"shape": self.shape, "masked": self.masked, "measure": self.measure}
        return {**methods, **place, **self.difference.as_dict(), "corrected_p": self.corrected}


def f1_difference(pairs: pl.DataFrame) -> Difference:
    """The mean difference in F1, pair by pair."""
    return paired(column(pairs, "f1"), column(pairs, "f1_other"), units_of(pairs))


def f_ns_difference(pairs: pl.DataFrame) -> Difference:
    """The difference in F_NS, each made from its own totals."""
    ours = column(pairs, "necessary"), column(pairs, "sufficient")
    other = column(pairs, "necessary_other"), column(pairs, "sufficient_other")
    return paired_f_ns(*ours, *other, units_of(pairs))


MEASURES: dict[str, tuple[Differ, tuple[str, ...], bool]] = {
    "f1": (f1_difference, ("f1",), False),
    "f1_all": (f1_difference, ("f1",), True),
    "f_ns": (f_ns_difference, ("necessary", "sufficient"), False),
    "f_ns_all": (f_ns_difference, ("necessary", "sufficient"), True),
}
"""How each measure is compared, by which columns, and whether over all pairs: those without an explanation as 0."""


def compare_methods(experiment: ExperimentRows, only: Collection[str] = GOALS) -> list[Comparison]:
    """Each of CountER's methods, or ``only`` some, against the others with the same mask, by every measure.

    The others are those of the same shape that are not CountER's. A method that selects by what it is measured by is
    to be the best of all, so it is compared with CountER's other methods, too, of either shape. Each pair of methods is
    compared once: these are the comparisons that Holm corrects for.
    """
    return [comparison for measure in MEASURES for comparison in _corrected(_family(experiment, measure, only))]


def _family(experiment: ExperimentRows, measure: str, only: Collection[str]) -> list[Comparison]:
    """All comparisons by one measure, not yet corrected."""
    differ, columns, zero = MEASURES[measure]
    family = []
    for combination in experiment.combinations:
        ours, shape, masked = combination
        for other in _others(experiment, combination) if ours in only else ():
            pairs = joined(experiment.rows_of(*combination), experiment.rows_of(*other), zero)
            family.append(Comparison(ours, other[0], shape, masked, measure, _difference(pairs, differ, columns)))
    return family


def _difference(pairs: pl.DataFrame, differ: Differ, columns: tuple[str, ...]) -> Difference:
    """The difference; without a p where too few users are behind it for a bootstrap over them."""
    counted = pairs.drop_nulls([name + end for name in columns for end in ("", "_other")])
    found = differ(pairs)
    return found if counted["user_id"].n_unique() >= FEWEST_USERS else replace(found, p=None)


def _others(experiment: ExperimentRows, ours: tuple[str, str, bool]) -> list[tuple[str, str, bool]]:
    """What a method is compared with."""
    with_mask = [other for other in experiment.combinations if other[2] == ours[2]]
    others = [other for other in with_mask if other[0] not in GOALS and other[1] == ours[1]]
    goals = [other for other in with_mask if other[0] in GOALS and not selects(other[0])]
    return [*others, *(goals if selects(ours[0]) else ())]


def _corrected(family: Sequence[Comparison]) -> list[Comparison]:
    ps = holm([comparison.difference.p for comparison in family])
    return [replace(comparison, corrected=p) for comparison, p in zip(family, ps, strict=True)]


def paired_rows(
    experiment: ExperimentRows, combination: tuple[str, str, bool], other: str, of_all: bool = False
) -> pl.DataFrame:
    """The pairs that are in the lists of both methods; columns of the other method end in ``_other``."""
    _, shape, masked = combination
    return joined(experiment.rows_of(*combination), experiment.rows_of(other, shape, masked), of_all)


def joined(ours: pl.DataFrame, theirs: pl.DataFrame, of_all: bool = False) -> pl.DataFrame:
    """Two methods' rows of the same pairs side by side: those that CountER explains, or all of them.

    Of all pairs, those without an explanation count as failures.
    """
    if of_all:
        one, other = count_unexplained_as_zero(ours), count_unexplained_as_zero(theirs)
    else:
        one, other = ours.filter("joint"), theirs.filter("joint")
    return one.join(other, on=PAIR, suffix="_other")


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
