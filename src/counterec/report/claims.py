"""What the paper claims of methods and answers, each claim with what was measured here and a verdict.

The rule of verdicts is told in ``verdict.py``. The claims about λ and α are in ``sweep_claims.py``.

A method that was not measured leaves its part of a claim without a number, and the claim undecided: what CountER does
beside a baseline is not known where the baseline is missing. A claim about "the explanations" is measured on the
relaxed multi-aspect answers without the mask, as the paper's CountER is.
"""

from __future__ import annotations

from itertools import product

import polars as pl

from counterec.report.claim_parts import (
    correlation_part,
    difference_part,
    f1_part,
    f_ns_part,
    group_part,
    mean_part,
    ratio_part,
)
from counterec.report.comparisons import joined, paired_rows
from counterec.report.experiment_rows import ExperimentRows
from counterec.report.measures import named_aspects, users_of
from counterec.report.published import BASELINES, MODEL_SIDE_BASELINES, OURS, published
from counterec.report.sweep import by_the_letter
from counterec.report.sweep_claims import claims_on_alpha, claims_on_lambda
from counterec.report.verdict import ABOVE_ZERO, BELOW_ZERO, Claim, Range, around

NEGLIGIBLE = 0.1
"""A rank correlation nearer to 0 than this counts as none (the usual bound of a small effect)."""
HALF_AN_ASPECT = 0.5
""""About" a number of aspects: nearer than half an aspect."""
ONE_SCALE = Range(0.5, 2.0)
"""Two norms are of one scale if neither is twice the other."""

MASKS = (False, True)
MATCHING = ("efm", "a2cf")
"""The baselines that look for well-aligned aspects and can be asked for PN and PS."""
THE_ANSWERS = ("relaxed", "multi", False)


def claims(inputs: ExperimentRows) -> list[Claim]:
    """Every claim of the paper's Section 6."""
    return [
        matching_methods(inputs),
        leads_on_the_model_side(inputs),
        leads_on_the_user_side(inputs),
        mask_lowers_f_ns(inputs),
        mask_raises_f1(inputs),
        more_fidelity_with_more_aspects(inputs),
        number_of_aspects(inputs),
        *aspects_by_position(inputs),
        f1_goes_with_complexity(inputs),
        verdicts_go_with_strength(inputs),
        norms_of_one_scale(inputs),
        *claims_on_lambda(inputs.sweep),
        *claims_on_alpha(inputs.sweep),
    ]


def matching_methods(inputs: ExperimentRows) -> Claim:
    """PS above PN, for each of the matching methods."""
    parts = [
        difference_part(
            f"PS − PN of {method}, {shape}", inputs.cell(method, shape, False), "sufficient", "necessary", ABOVE_ZERO
        )
        for method, shape in product(MATCHING, OURS)
    ]
    text = "The matching baselines have high PS and low PN."
    return Claim("baselines are sufficient, not necessary", "Section 6.4", text, tuple(parts))


def leads_on_the_model_side(inputs: ExperimentRows) -> Claim:
    """F_NS above that of every baseline, with and without the mask."""
    parts = [
        f_ns_part(
            f"F_NS, {ours} − {other}, {_cell(shape, masked)}",
            paired_rows(inputs, (ours, shape, masked), other),
            ABOVE_ZERO,
        )
        for (shape, ours), masked, other in product(OURS.items(), MASKS, MODEL_SIDE_BASELINES)
    ]
    text = "With or without the mask, CountER has a higher F_NS than every baseline."
    return Claim("CountER leads in F_NS", "Section 6.4", text, tuple(parts))


def leads_on_the_user_side(inputs: ExperimentRows) -> Claim:
    """F1 above that of every baseline, with the mask."""
    parts = [
        f1_part(
            f"F1, {ours} − {other}, {_cell(shape, True)}", paired_rows(inputs, (ours, shape, True), other), ABOVE_ZERO
        )
        for (shape, ours), other in product(OURS.items(), BASELINES)
    ]
    text = "With the mask, CountER has a higher F1 than every baseline."
    return Claim("CountER leads in F1 with the mask", "Section 6.4", text, tuple(parts))


def mask_lowers_f_ns(inputs: ExperimentRows) -> Claim:
    """What the mask costs on the model's side."""
    parts = [
        f_ns_part(f"F_NS with the mask − without, {shape}", _mask_pairs(inputs, ours, shape), BELOW_ZERO)
        for shape, ours in OURS.items()
    ]
    text = "The mask limits CountER's ability to explain the model: it lowers F_NS."
    return Claim("the mask lowers F_NS", "Section 6.4", text, tuple(parts))


def mask_raises_f1(inputs: ExperimentRows) -> Claim:
    """What the mask gains on the user's side."""
    parts = [
        f1_part(f"F1 with the mask − without, {shape}", _mask_pairs(inputs, ours, shape), ABOVE_ZERO)
        for shape, ours in OURS.items()
    ]
    return Claim("the mask raises F1", "Table 3", "The mask raises CountER's F1.", tuple(parts))


def _mask_pairs(inputs: ExperimentRows, ours: str, shape: str) -> pl.DataFrame:
    return joined(inputs.cell(ours, shape, True), inputs.cell(ours, shape, False))


def more_fidelity_with_more_aspects(inputs: ExperimentRows) -> Claim:
    """Multi-aspect fidelity above single."""
    parts = []
    for masked in MASKS:
        (multi, single) = (inputs.cell(OURS[shape], shape, masked) for shape in ("multi", "single"))
        what = f"fidelity, multi − single, {_mask(masked)}"
        parts.append(difference_part(what, joined(multi, single), "explained", "explained_other", ABOVE_ZERO))
    text = "Fidelity is higher with several aspects than with a single one."
    return Claim("more fidelity with several aspects", "Section 6.4", text, tuple(parts))


def number_of_aspects(inputs: ExperimentRows) -> Claim:
    """About 2.79 aspects on average."""
    printed = published().text["aspects"]
    found = {
        "aspects named": inputs.cell(*THE_ANSWERS),
        "beside it, with the mask": inputs.cell("relaxed", "multi", True),
        "beside it, with the paper's fixed λ and α": by_the_letter(inputs.sweep),
    }
    wanted = around(printed, HALF_AN_ASPECT)
    parts = [mean_part(what, named_aspects(rows), users_of(rows), wanted) for what, rows in found.items()]
    text = f"A multi-aspect explanation names {printed} aspects on average."
    return Claim("number of aspects", "Section 6.4", text, (parts[0],), tuple(str(part) for part in parts[1:]))


def aspects_by_position(inputs: ExperimentRows) -> list[Claim]:
    """More aspects at the top of the list than at its end, and how many more."""
    rows = inputs.cell(*THE_ANSWERS)
    last = max(rows["position"].to_list(), default=1)
    ends = rows.filter(pl.col("position").is_in([1, last]))
    printed = published().text["more_aspects"]
    values, first, users = named_aspects(ends), (ends["position"] == 1).to_numpy(), users_of(ends)
    what = f"aspects at position 1 − at position {last}"
    more = group_part(what, values, first, users, ABOVE_ZERO)
    as_many = group_part(what, values, first, users, around(printed, HALF_AN_ASPECT))
    where, text = "Section 6.6", "The first item of a list needs more aspects to be removed than the last one."
    number = f"It needs {printed} more aspects."
    return [
        Claim("more aspects at the top", where, text, (more,)),
        Claim("how many more aspects at the top", where, number, (as_many,)),
    ]


def f1_goes_with_complexity(inputs: ExperimentRows) -> Claim:
    """F1 falls with complexity and not with strength."""
    rows = inputs.cell(*THE_ANSWERS)
    parts = (
        correlation_part("rank correlation of F1 with complexity", rows, "f1", "complexity", BELOW_ZERO),
        correlation_part("rank correlation of F1 with strength", rows, "f1", "strength", around(0, NEGLIGIBLE)),
    )
    text = "F1 falls with the complexity of the explanation and does not depend on its strength."
    return Claim("F1 goes with complexity", "Section 6.6", text, parts)


def verdicts_go_with_strength(inputs: ExperimentRows) -> Claim:
    """Being both necessary and sufficient goes with strength and not with complexity."""
    rows = inputs.cell(*THE_ANSWERS).with_columns(both=pl.col("necessary") & pl.col("sufficient"))
    what = "rank correlation of being necessary and sufficient with"
    parts = (
        correlation_part(f"{what} strength", rows, "both", "strength", ABOVE_ZERO),
        correlation_part(f"{what} complexity", rows, "both", "complexity", around(0, NEGLIGIBLE)),
    )
    text = "Necessity and sufficiency go with the strength of the explanation and not with its complexity."
    return Claim("necessity and sufficiency go with strength", "Section 6.6", text, parts)


def norms_of_one_scale(inputs: ExperimentRows) -> Claim:
    """‖Δ‖₁ as a multiple of ‖Δ‖₂."""
    part = ratio_part("mean ‖Δ‖₁ / mean ‖Δ‖₂", inputs.cell(*THE_ANSWERS), "l1", "l2", ONE_SCALE)
    return Claim("norms of one scale", "Section 6.3", "‖Δ‖₂ and ‖Δ‖₁ are almost of the same scale.", (part,))


def _cell(shape: str, masked: bool) -> str:
    return f"{shape}, {_mask(masked)}"


def _mask(masked: bool) -> str:
    return "with the mask" if masked else "without the mask"
