"""What the paper claims of λ and α, measured on answers by the letter of the paper.

A smaller λ explains fewer pairs, down to none. Two values are compared: the largest λ, and the smallest that explains
pairs of enough users to be told anything of. What rises or falls with λ (Figure 2 (a)) is asked of all pairs explained
there, as the paper averages them; what does not depend on λ (Figure 2 (b)) of the pairs that both explain, so that like
is compared with like.
"""

from __future__ import annotations

import polars as pl

from counterec.report.claim_parts import difference_part, f1_part, f_ns_part, group_part, ratio_part
from counterec.report.comparisons import joined
from counterec.report.experiment_rows import PAIR
from counterec.report.measures import column, counted_as_zero, users_of
from counterec.report.published import published
from counterec.report.sweep import CLOSE, along_alpha, along_lambda, at
from counterec.report.verdict import ABOVE_ZERO, BELOW_ZERO, FEWEST_USERS, Claim, around

SAME_SHARE = 0.05
"""Two shares count as the same if they are within five percentage points."""
SAME_RATIO = 0.1
"""Two amounts count as the same if they are within a tenth."""


def claims_on_lambda(sweep: pl.DataFrame) -> list[Claim]:
    """What changes with λ and what does not."""
    rows = along_lambda(sweep)
    low, high = _ends(rows)
    return [_goes_with_lambda(rows, low, high), _stays_with_lambda(rows, low, high)]


def _goes_with_lambda(rows: pl.DataFrame, low: float, high: float) -> Claim:
    least = float(rows["lambda"].min() or 0.0)  # type: ignore[arg-type]
    whole = _beside(rows, least, high)
    two = rows.filter(pl.col("lambda").is_in([low, high]))
    is_high, users = (two["lambda"] == high).to_numpy(), users_of(two)
    parts = (
        difference_part(f"fidelity, {_ends_text(least, high)}", whole, "explained", "explained_other", ABOVE_ZERO),
        group_part(f"complexity, {_ends_text(low, high)}", column(two, "complexity"), is_high, users, ABOVE_ZERO),
        group_part(f"F1, {_ends_text(low, high)}", column(two, "f1"), is_high, users, BELOW_ZERO),
    )
    text = "A larger λ explains more items, with more complexity, and lowers F1."
    return Claim("what goes with λ", "Section 6.5, Figure 2 (a)", text, parts)


def _stays_with_lambda(rows: pl.DataFrame, low: float, high: float) -> Claim:
    pairs = _beside(rows, low, high)
    where = f"λ = {high:g} against λ = {low:g}"
    parts = (
        ratio_part(f"ratio of strengths, {where}", pairs, "strength", "strength_other", around(1, SAME_RATIO)),
        f_ns_part(f"F_NS, {_ends_text(low, high)}", pairs, around(0, SAME_SHARE)),
    )
    text = "Strength and F_NS do not depend on λ."
    return Claim("what does not depend on λ", "Section 6.5, Figure 2 (b)", text, parts)


def _ends(rows: pl.DataFrame) -> tuple[float, float]:
    """The smallest λ that explains pairs of enough users, and the largest λ; the same twice where there is no other."""
    users = rows.filter("explained").group_by("lambda").agg(pl.col("user").n_unique())
    told = users.filter(pl.col("user") >= FEWEST_USERS)["lambda"].sort().to_list()
    high = float(rows["lambda"].max() or 0.0)  # type: ignore[arg-type]
    return (float(told[0]) if told else high), high


def _beside(rows: pl.DataFrame, low: float, high: float) -> pl.DataFrame:
    """The pairs at one λ beside the same pairs at another; none where it is the same λ, which would always agree."""
    pairs = joined(at(rows, "lambda", high), at(rows, "lambda", low))
    return pairs if low < high else pairs.clear()


def _ends_text(low: float, high: float) -> str:
    return f"λ = {high:g} less λ = {low:g}"


def claims_on_alpha(sweep: pl.DataFrame) -> list[Claim]:
    """The performance drops beyond some α; pairs without an explanation count as failures.

    Where no small α explains anything at all, there is nothing that could drop, and nothing is measured.
    """
    swept, bound = along_alpha(sweep), published().text["steady_alpha"]
    small = pl.col("alpha") <= bound + CLOSE
    if not swept.filter(small)["explained"].any():
        swept = swept.clear()
    rows = counted_as_zero(swept)
    pairs = _averaged(rows.filter(~small)).join(_averaged(rows.filter(small)), on=PAIR, suffix="_other")
    what = f"α > {bound:g}, less α ≤ {bound:g}, unexplained as zero"
    parts = (f_ns_part(f"F_NS, {what}", pairs, BELOW_ZERO), f1_part(f"F1, {what}", pairs, BELOW_ZERO))
    text = f"The performance drops for α > {bound:g}."
    return [Claim("performance drops for large α", "Section 6.3", text, parts)]


def _averaged(rows: pl.DataFrame) -> pl.DataFrame:
    """Every pair's mean over its values of α."""
    names = ("f1", "necessary", "sufficient")
    return rows.group_by(*PAIR, "user", maintain_order=True).agg(pl.col(name).cast(pl.Float64).mean() for name in names)
