"""Why claims of the paper fail: for each cause a number that could have refuted it.

*Size.* If the number of aspects that an answer names were a property of the method, it would go neither with the number
of aspects that the item has, nor with how far the item leads.

*Complexity.* If complexity as such made an answer necessary and sufficient, or raised its F1, it would do so among
answers that name equally many aspects, too. If it is only that complex answers name more, nothing is left there.

*Norms.* Of n equal changes, ‖Δ‖₁ is √n times ‖Δ‖₂. If answers with few aspects had norms of different scales, their
number would not be the cause.

*Strength and λ.* The hinge asks for a fall of α beyond what takes the item off the list. If a larger λ only enforces
that, the fall beyond grows up to α and stays there; if λ drove the strength by itself, it would grow further.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from benchmarks.reading_sections.markdown import with_interval
from counterec.core.arrays import FloatVector
from counterec.core.evaluation.measure import Measure, combined, mean, spearman
from counterec.core.space import AspectSpace
from counterec.report.claims.sweep_claims import compared_lambdas
from counterec.report.experiment_rows import PAIR, ExperimentRows
from counterec.report.method_measures import column, named_aspects, units_of
from counterec.report.published_numbers import published
from counterec.report.sweep_measures import ADAPTIVE, along_lambda, at, with_free_strength

FEW_ASPECTS = 3
"""Answers that name at most so many aspects have few."""


def claim_causes(space: AspectSpace, found: ExperimentRows) -> dict[str, Measure]:
    """Every number by its name, over all seeds."""
    relaxed = found.rows_of("relaxed", "multi", False).filter("explained")
    return {**size(space, relaxed), **complexity(relaxed, found.sweep), **norms(relaxed), **strength(found.sweep)}


def size(space: AspectSpace, relaxed: pl.DataFrame) -> dict[str, Measure]:
    """With what the number of named aspects goes. An answer of *relaxed* is as strong as the item's lead is large."""
    has = (space.item_quality != space.without).sum(axis=1)[space.items.numbers(relaxed["item_id"])]
    named, drawn = named_aspects(relaxed), units_of(relaxed)
    return {
        "named with the item's aspects": spearman(named, has, drawn),
        "named with the lead": spearman(named, column(relaxed, "strength"), drawn),
    }


def complexity(relaxed: pl.DataFrame, sweep: pl.DataFrame) -> dict[str, Measure]:
    """What goes with complexity, over all answers and among those that name equally many aspects."""
    strong, _ = with_free_strength(sweep)
    judged = strong.filter("explained").with_columns(both=pl.col("necessary") & pl.col("sufficient"))
    matched = relaxed.filter(pl.col("f1").is_not_null())
    parts = {"verdicts with complexity": (judged, "both"), "F1 with complexity": (matched, "f1")}
    found = {}
    for what, (rows, name) in parts.items():
        found[what] = spearman(column(rows, name), column(rows, "complexity"), units_of(rows))
        inside, complex_inside = (within(column(rows, each), named_aspects(rows)) for each in (name, "complexity"))
        found[f"{what}, equally many aspects"] = spearman(inside, complex_inside, units_of(rows))
    return found


def within(values: FloatVector, sizes: FloatVector) -> FloatVector:
    """The values less the mean of those with the same size; NaN for a size of one answer alone."""
    centred = np.full(len(values), np.nan)
    for one in np.unique(sizes):
        alike = sizes == one
        if alike.sum() > 1:
            centred[alike] = values[alike] - values[alike].mean()
    return centred


def norms(relaxed: pl.DataFrame) -> dict[str, Measure]:
    """‖Δ‖₁ as a multiple of ‖Δ‖₂, of all answers and of those with few aspects."""
    few = relaxed.filter(pl.col("aspects").list.len() <= FEW_ASPECTS)
    return {"norms": _ratio(relaxed), "norms, few aspects": _ratio(few)}


def _ratio(rows: pl.DataFrame) -> Measure:
    norms_of = [column(rows, "l1"), column(rows, "l2")]
    return combined([*norms_of], units_of(rows), lambda means: means[0] / means[1])


def strength(sweep: pl.DataFrame) -> dict[str, Measure]:
    """How far answers as published fall beyond what is needed, on probabilities, at a small λ and at the largest.

    What is needed is the fall of our own answer to the same pair, which ends just below the target. Only pairs that are
    explained at both values count.
    """
    rows = along_lambda(sweep)
    ends = compared_lambdas(rows)
    needed = sweep.filter(pl.col("variant") == ADAPTIVE, "explained").select(*PAIR, needed="strength_sigmoid")
    both = [at(rows, "lambda", lam).filter("explained").join(needed, on=PAIR, how="inner") for lam in ends]
    both = [one.join(other.select(PAIR), on=PAIR, how="semi") for one, other in zip(both, reversed(both), strict=True)]
    return {
        f"fall beyond, {name} λ": mean(column(one, "strength_sigmoid") - column(one, "needed"), units_of(one))
        for name, one in zip(("small", "large"), both, strict=True)
    }


def told(found: Mapping[str, Measure]) -> str:
    """The numbers as a line for people."""
    shown = "; ".join(f"{name} {with_interval(measure.as_dict())}" for name, measure in found.items())
    return f"- why claims may fail (α = {published().text['alpha']:g}): {shown}"
