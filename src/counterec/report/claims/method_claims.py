"""What the paper claims about methods: CountER against the baselines, with and without the mask, single and multi.

A method that was not measured leaves its part of a claim without a number, and the claim undecided: how CountER
compares with a baseline is not known where the baseline is missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import polars as pl

from counterec.report.claims.claim import ABOVE_ZERO, BELOW_ZERO, Claim
from counterec.report.claims.claim_parts import difference_part, f1_part, f_ns_part
from counterec.report.experiment_rows import ExperimentRows
from counterec.report.method_comparisons import joined, paired_rows
from counterec.report.published_numbers import BASELINES, MODEL_SIDE_BASELINES, OURS

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
