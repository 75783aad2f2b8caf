"""The paper's claims, judged: about methods, about explanations, and about λ and α.

A method that was not measured leaves its part of a claim without a number, and the claim undecided: how CountER
compares with a baseline is not known where the baseline is missing.

A smaller λ explains fewer pairs, down to none. Two values are compared: the largest λ, and the smallest that explains
pairs of enough users. What changes with λ (Figure 2 (a)) is measured over all pairs explained at each value, as the
paper averages them. What does not depend on λ (Figure 2 (b)) is measured over the pairs explained at both, so that like
is compared with like. Beside both stands the same of all pairs, where one without an explanation counts as a failure.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import polars as pl

from counterec.report.claim import (
    ABOVE_ZERO,
    BELOW_ZERO,
    Claim,
    Range,
    around,
    correlation_part,
    difference_part,
    f1_part,
    f_ns_part,
    group_part,
    mean_part,
    ratio_part,
)
from counterec.report.experiment_rows import PAIR, ExperimentRows
from counterec.report.measures import (
    CLOSE,
    FEWEST_USERS,
    along_alpha,
    along_lambda,
    at,
    at_published_values,
    column,
    count_unexplained_as_zero,
    joined,
    named_aspects,
    paired_rows,
    units_of,
    with_free_strength,
)
from counterec.report.paper import BASELINES, MODEL_SIDE_BASELINES, OURS, published


def all_claims(experiment: ExperimentRows) -> list[Claim]:
    """Every claim of the paper's Section 6."""
    return [
        *claims_on_methods(experiment),
        *claims_on_explanations(experiment),
        *claims_on_lambda(experiment.sweep),
        *claims_on_alpha(experiment.sweep),
    ]


MASKS = (False, True)
MATCHING = ("efm", "a2cf")
"""The baselines that look for well-aligned aspects and have PN and PS."""


DENOMINATORS = {False: "explained pairs", True: "all pairs"}
"""Whether all pairs count, those without an explanation as failures, and how that is said."""


def claims_on_methods(experiment: ExperimentRows) -> list[Claim]:
    """The claims of Section 6.4 that compare methods."""
    return [
        matching_methods(experiment),
        leads_on_the_model_side(experiment),
        leads_on_the_user_side(experiment),
        mask_lowers_f_ns(experiment),
        mask_raises_f1(experiment),
        more_fidelity_with_more_aspects(experiment),
    ]


def matching_methods(experiment: ExperimentRows) -> Claim:
    """PS above PN, for each of the matching methods."""
    parts = []
    for method, shape in product(MATCHING, OURS):
        what, rows = f"PS − PN of {method}, {shape}", experiment.rows_of(method, shape, False)
        parts.append(difference_part(what, rows, "sufficient", "necessary", ABOVE_ZERO))
    text = "The matching baselines have high PS and low PN."
    return Claim("baselines are sufficient, not necessary", "Section 6.4", text, tuple(parts))


def leads_on_the_model_side(experiment: ExperimentRows) -> Claim:
    """F_NS above that of every baseline, with and without the mask."""
    parts = []
    for (shape, ours), masked, other in product(OURS.items(), MASKS, MODEL_SIDE_BASELINES):
        what = f"F_NS, {ours} − {other}, {shape}, {_mask(masked)}"
        for of_all, pairs in DENOMINATORS.items():
            both = paired_rows(experiment, (ours, shape, masked), other, of_all)
            parts.append(f_ns_part(f"{what}, {pairs}", both, ABOVE_ZERO))
    text = "With or without the mask, CountER has a higher F_NS than every baseline."
    return Claim("CountER leads in F_NS", "Section 6.4", text, tuple(parts))


def leads_on_the_user_side(experiment: ExperimentRows) -> Claim:
    """F1 above that of every baseline, with the mask."""
    parts = []
    for (shape, ours), other in product(OURS.items(), BASELINES):
        what = f"F1, {ours} − {other}, {shape}, {_mask(True)}"
        for of_all, pairs in DENOMINATORS.items():
            both = paired_rows(experiment, (ours, shape, True), other, of_all)
            parts.append(f1_part(f"{what}, {pairs}", both, ABOVE_ZERO))
    text = "With the mask, CountER has a higher F1 than every baseline."
    return Claim("CountER leads in F1 with the mask", "Section 6.4", text, tuple(parts))


def mask_lowers_f_ns(experiment: ExperimentRows) -> Claim:
    """What the mask costs on the model's side."""
    parts = [
        f_ns_part(f"F_NS with the mask − without, {what}", pairs, BELOW_ZERO) for what, pairs in _mask_pairs(experiment)
    ]
    text = "The mask limits CountER's ability to explain the model: it lowers F_NS."
    return Claim("the mask lowers F_NS", "Section 6.4", text, tuple(parts))


def mask_raises_f1(experiment: ExperimentRows) -> Claim:
    """What the mask gains on the user's side."""
    parts = [
        f1_part(f"F1 with the mask − without, {what}", pairs, ABOVE_ZERO) for what, pairs in _mask_pairs(experiment)
    ]
    return Claim("the mask raises F1", "Table 3", "The mask raises CountER's F1.", tuple(parts))


def _mask_pairs(experiment: ExperimentRows) -> Iterator[tuple[str, pl.DataFrame]]:
    """The answers of CountER with the mask beside those without, of both shapes and by both denominators."""
    for (shape, ours), (of_all, pairs) in product(OURS.items(), DENOMINATORS.items()):
        with_mask, without = (experiment.rows_of(ours, shape, masked) for masked in (True, False))
        yield f"{shape}, {pairs}", joined(with_mask, without, of_all)


def more_fidelity_with_more_aspects(experiment: ExperimentRows) -> Claim:
    """Multi-aspect fidelity above single-aspect fidelity."""
    parts = []
    for masked in MASKS:
        multi, single = (experiment.rows_of(OURS[shape], shape, masked) for shape in ("multi", "single"))
        what = f"fidelity, multi − single, {_mask(masked)}"
        parts.append(difference_part(what, joined(multi, single), "explained", "explained_other", ABOVE_ZERO))
    text = "Fidelity is higher with several aspects than with a single one."
    return Claim("more fidelity with several aspects", "Section 6.4", text, tuple(parts))


def _mask(masked: bool) -> str:
    return "with the mask" if masked else "without the mask"


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


SAME_SHARE = 0.05
"""Two shares count as the same if they differ by less than five percentage points."""
OF_ALL = "for reference, of all pairs"
SAME_RATIO = 0.1
"""Two amounts count as the same if they differ by less than a tenth."""


def claims_on_lambda(sweep: pl.DataFrame) -> list[Claim]:
    """What changes with λ and what does not."""
    rows = along_lambda(sweep)
    low, high = compared_lambdas(rows)
    return [_changes_with_lambda(rows, low, high), _does_not_depend_on_lambda(rows, low, high)]


def _changes_with_lambda(rows: pl.DataFrame, low: float, high: float) -> Claim:
    least = float(rows["lambda"].min() or 0.0)  # type: ignore[arg-type]
    whole = _pairs_at(rows, least, high)
    two = rows.filter(pl.col("lambda").is_in([low, high]))
    is_high, users = (two["lambda"] == high).to_numpy(), units_of(two)
    parts = (
        difference_part(f"fidelity, {_difference(least, high)}", whole, "explained", "explained_other", ABOVE_ZERO),
        group_part(f"complexity, {_difference(low, high)}", column(two, "complexity"), is_high, users, ABOVE_ZERO),
        group_part(f"F1, {_difference(low, high)}", column(two, "f1"), is_high, users, BELOW_ZERO),
    )
    of_all = f1_part(f"{OF_ALL}, F1, {_difference(least, high)}", _with_failures(rows, least, high), BELOW_ZERO)
    text = "A larger λ explains more items, at a higher complexity, and lowers F1."
    return Claim("what changes with λ", "Section 6.5, Figure 2 (a)", text, parts, (str(of_all),))


def _does_not_depend_on_lambda(rows: pl.DataFrame, low: float, high: float) -> Claim:
    pairs = _pairs_at(rows, low, high)
    ratio = f"ratio of strengths, λ = {high:g} to λ = {low:g}"
    parts = (
        ratio_part(ratio, pairs, "strength_sigmoid", "strength_sigmoid_other", around(1, SAME_RATIO)),
        f_ns_part(f"F_NS, {_difference(low, high)}", pairs, around(0, SAME_SHARE)),
    )
    same = around(0, SAME_SHARE)
    of_all = f_ns_part(f"{OF_ALL}, F_NS, {_difference(low, high)}", _with_failures(rows, low, high), same)
    text = "Strength and F_NS do not depend on λ."
    return Claim("what does not depend on λ", "Section 6.5, Figure 2 (b)", text, parts, (str(of_all),))


def compared_lambdas(rows: pl.DataFrame) -> tuple[float, float]:
    """The smallest λ that explains pairs of enough users, and the largest λ; the same twice if there is no other."""
    users = rows.filter("explained").group_by("lambda").agg(pl.col("user").n_unique())
    enough = users.filter(pl.col("user") >= FEWEST_USERS)["lambda"].sort().to_list()
    high = float(rows["lambda"].max() or 0.0)  # type: ignore[arg-type]
    return (float(enough[0]) if enough else high), high


def _pairs_at(rows: pl.DataFrame, low: float, high: float) -> pl.DataFrame:
    """The pairs at the high λ beside the same pairs at the low one; none if the two are one, which always agrees."""
    pairs = joined(at(rows, "lambda", high), at(rows, "lambda", low))
    return pairs if low < high else pairs.clear()


def _with_failures(rows: pl.DataFrame, low: float, high: float) -> pl.DataFrame:
    """The same of all pairs, those without an explanation as failures."""
    return _pairs_at(count_unexplained_as_zero(rows), low, high)


def _difference(low: float, high: float) -> str:
    return f"λ = {high:g} minus λ = {low:g}"


def claims_on_alpha(sweep: pl.DataFrame) -> list[Claim]:
    """Performance drops beyond some α; pairs without an explanation count as failures.

    If no small α explains anything, there is nothing that could drop, and nothing is measured.
    """
    rows, bound = along_alpha(sweep), published().text["steady_alpha"]
    small = pl.col("alpha") <= bound + CLOSE
    if not rows.filter(small)["explained"].any():
        rows = rows.clear()
    rows = count_unexplained_as_zero(rows)
    pairs = _averaged(rows.filter(~small)).join(_averaged(rows.filter(small)), on=PAIR, suffix="_other")
    what = f"α > {bound:g} minus α ≤ {bound:g}, of all pairs"
    parts = (f_ns_part(f"F_NS, {what}", pairs, BELOW_ZERO), f1_part(f"F1, {what}", pairs, BELOW_ZERO))
    return [Claim("performance drops for large α", "Section 6.3", f"Performance drops for α > {bound:g}.", parts)]


def _averaged(rows: pl.DataFrame) -> pl.DataFrame:
    """The mean of each pair over the values of α."""
    names = ("f1", "necessary", "sufficient")
    return rows.group_by(*PAIR, "user", "item", maintain_order=True).agg(
        pl.col(name).cast(pl.Float64).mean() for name in names
    )
