"""What the paper claims about CountER's explanations: their size, complexity and strength.

All are measured on the relaxed multi-aspect answers without the mask, which are the paper's CountER. Those about
strength are measured on answers as published, with the paper's α, and on probabilities: with α = 0, as in the tables,
an answer takes the score just below its target, and its strength is no more than how far above that the item was.
"""

from __future__ import annotations

import polars as pl

from counterec.report.claims.claim import ABOVE_ZERO, BELOW_ZERO, Claim, Range, around
from counterec.report.claims.claim_parts import correlation_part, group_part, mean_part, ratio_part
from counterec.report.experiment_rows import ExperimentRows
from counterec.report.method_measures import named_aspects, units_of
from counterec.report.published_numbers import published
from counterec.report.sweep_measures import at_published_values, with_free_strength

NEGLIGIBLE = 0.1
"""A rank correlation closer to 0 than this counts as none (the usual bound of a small effect)."""
HALF_AN_ASPECT = 0.5
""""About" a number of aspects: off by less than half an aspect."""
SAME_SCALE = Range(0.5, 2.0)
"""Two norms are of the same scale if neither is twice the other."""

EXPLANATIONS = ("relaxed", "multi", False)
"""The method, shape and mask of the explanations that the claims are about."""


def claims_on_explanations(experiment: ExperimentRows) -> list[Claim]:
    """The claims of Sections 6.3, 6.4 and 6.6 about CountER's explanations."""
    return [
        number_of_aspects(experiment),
        *aspects_by_position(experiment),
        f1_falls_with_complexity(experiment),
        verdicts_depend_on_strength(experiment),
        norms_of_the_same_scale(experiment),
    ]


def number_of_aspects(experiment: ExperimentRows) -> Claim:
    """About 2.79 aspects on average."""
    printed = published().text["aspects"]
    found = {
        "aspects named": experiment.rows_of(*EXPLANATIONS),
        "for reference, with the mask": experiment.rows_of("relaxed", "multi", True),
        "for reference, with the paper's fixed λ and α": at_published_values(experiment.sweep),
    }
    expected = around(printed, HALF_AN_ASPECT)
    parts = [mean_part(what, named_aspects(rows), units_of(rows), expected) for what, rows in found.items()]
    text = f"A multi-aspect explanation names {printed} aspects on average."
    return Claim("number of aspects", "Section 6.4", text, (parts[0],), tuple(str(part) for part in parts[1:]))


def aspects_by_position(experiment: ExperimentRows) -> list[Claim]:
    """More aspects at the top of the list than at its end, and how many more."""
    rows = experiment.rows_of(*EXPLANATIONS)
    last = max(rows["position"].to_list(), default=1)
    ends = rows.filter(pl.col("position").is_in([1, last]))
    printed = published().text["more_aspects"]
    values, first, users = named_aspects(ends), (ends["position"] == 1).to_numpy(), units_of(ends)
    what = f"aspects at position 1 − position {last}"
    more = group_part(what, values, first, users, ABOVE_ZERO)
    as_many = group_part(what, values, first, users, around(printed, HALF_AN_ASPECT))
    where, removing = "Section 6.6", "Removing the first item of a list takes"
    return [
        Claim("more aspects at the top", where, f"{removing} more aspects than removing the last.", (more,)),
        Claim("how many more aspects at the top", where, f"{removing} {printed} more aspects.", (as_many,)),
    ]


def f1_falls_with_complexity(experiment: ExperimentRows) -> Claim:
    """F1 falls with complexity and not with strength."""
    rows = experiment.rows_of(*EXPLANATIONS)
    strong, how = with_free_strength(experiment.sweep)
    correlation = "rank correlation of F1 with"
    parts = (
        correlation_part(f"{correlation} complexity", rows, "f1", "complexity", BELOW_ZERO),
        correlation_part(f"{correlation} strength, {how}", strong, "f1", "strength_sigmoid", around(0, NEGLIGIBLE)),
    )
    text = "F1 falls with the complexity of the explanation and does not depend on its strength."
    return Claim("F1 falls with complexity", "Section 6.6", text, parts)


def verdicts_depend_on_strength(experiment: ExperimentRows) -> Claim:
    """Stronger answers are more often both necessary and sufficient; more complex ones are not."""
    strong, how = with_free_strength(experiment.sweep)
    rows = strong.with_columns(both=pl.col("necessary") & pl.col("sufficient"))
    what = "rank correlation of being necessary and sufficient with"
    parts = (
        correlation_part(f"{what} strength, {how}", rows, "both", "strength_sigmoid", ABOVE_ZERO),
        correlation_part(f"{what} complexity, {how}", rows, "both", "complexity", around(0, NEGLIGIBLE)),
    )
    text = "Necessity and sufficiency depend on the strength of the explanation and not on its complexity."
    return Claim("necessity and sufficiency depend on strength", "Section 6.6", text, parts)


def norms_of_the_same_scale(experiment: ExperimentRows) -> Claim:
    """‖Δ‖₁ as a multiple of ‖Δ‖₂."""
    part = ratio_part("mean ‖Δ‖₁ / mean ‖Δ‖₂", experiment.rows_of(*EXPLANATIONS), "l1", "l2", SAME_SCALE)
    text = "‖Δ‖₂ and ‖Δ‖₁ are almost of the same scale."
    return Claim("norms of the same scale", "Section 6.3", text, (part,))
