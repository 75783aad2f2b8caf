"""What the paper claims about λ and α, measured on answers with the settings as published.

A smaller λ explains fewer pairs, down to none. Two values are compared: the largest λ, and the smallest that explains
pairs of enough users. What changes with λ (Figure 2 (a)) is measured over all pairs explained at each value, as the
paper averages them. What does not depend on λ (Figure 2 (b)) is measured over the pairs explained at both, so that like
is compared with like. Beside both stands the same of all pairs, where one without an explanation counts as a failure.
"""

from __future__ import annotations

import polars as pl

from counterec.report.claims.claim import ABOVE_ZERO, BELOW_ZERO, Claim, around
from counterec.report.claims.claim_parts import difference_part, f1_part, f_ns_part, group_part, ratio_part
from counterec.report.experiment_rows import PAIR
from counterec.report.method_comparisons import FEWEST_USERS, joined
from counterec.report.method_measures import column, count_unexplained_as_zero, units_of
from counterec.report.published_numbers import published
from counterec.report.sweep_measures import CLOSE, along_alpha, along_lambda, at

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
