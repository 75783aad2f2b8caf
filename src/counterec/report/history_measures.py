"""User-side counterfactuals beside aspects: which pairs past reviews explain, which aspects do, and by how many.

A pair may be explained by aspects (the answers of *minimal*), by past reviews of its user, by both or by neither. Of
*either*, the answer counts that names fewer; aspects where both name as many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from counterec.core.evaluation.bootstrap import Units
from counterec.core.evaluation.measure import Measure, mean
from counterec.core.explainers.answer_row import EXPLAINED
from counterec.report.method_measures import column, units_of

PROVEN_SMALLEST = ("smallest", "exact")
"""The proofs that say that nothing smaller does it."""

_ASPECTS, _REVIEWS = pl.col("aspects").is_not_null(), pl.col("reviews").is_not_null()
_FEWER_REVIEWS = _REVIEWS & (~_ASPECTS | (pl.col("reviews") < pl.col("aspects")))
KINDS: dict[str, tuple[pl.Expr, pl.Expr]] = {
    "aspects": (_ASPECTS, pl.lit(value=False)),
    "past reviews": (_REVIEWS, pl.lit(value=True)),
    "aspects, and no past reviews": (_ASPECTS & ~_REVIEWS, pl.lit(value=False)),
    "past reviews, and no aspects": (_REVIEWS & ~_ASPECTS, pl.lit(value=True)),
    "both: the aspects": (_ASPECTS & _REVIEWS, pl.lit(value=False)),
    "both: the past reviews": (_ASPECTS & _REVIEWS, pl.lit(value=True)),
    "either: whichever names fewer": (_ASPECTS | _REVIEWS, _FEWER_REVIEWS),
}
"""By what pairs are explained: which pairs these are, and whether the answer that counts is that by reviews."""


@dataclass(frozen=True)
class HistoryMeasures:
    """The pairs that are explained in one way.

    ``explained`` is their share of all pairs, ``size`` how many aspects or reviews an answer names, ``one`` the share
    of answers that name a single one, ``smallest`` the share proven to name the fewest. ``one_all`` and
    ``smallest_all`` are of all pairs, where a pair without an answer counts as a failure.
    """

    kind: str
    measures: dict[str, Measure]

    def as_dict(self) -> dict[str, Any]:
        """Everything as it is written to disk."""
        return {"by": self.kind, **{name: measure.as_dict() for name, measure in self.measures.items()}}


def measure_history(history: pl.DataFrame) -> list[HistoryMeasures]:
    """The measures of every kind; of no pairs, none."""
    if not len(history):
        return []
    return [HistoryMeasures(kind, _measured(history, *which)) for kind, which in KINDS.items()]


def _measured(history: pl.DataFrame, explained: pl.Expr, by_reviews: pl.Expr) -> dict[str, Measure]:
    size = pl.when(by_reviews).then("reviews").otherwise("aspects")
    proof = pl.when(by_reviews).then("reviews_proof").otherwise("aspects_proof")
    rows = history.with_columns(
        explained=explained,
        size=pl.when(explained).then(size),
        one=pl.when(explained).then(size == 1),
        smallest=pl.when(explained).then(proof.is_in(PROVEN_SMALLEST)),
    )
    units = units_of(rows)
    found = {name: _mean(rows, name, units) for name in ("explained", "size", "one", "smallest")}
    whole = rows.with_columns(pl.col("one", "smallest").fill_null(value=False))
    return found | {f"{name}_all": _mean(whole, name, units) for name in ("one", "smallest")}


def _mean(rows: pl.DataFrame, name: str, units: Units) -> Measure:
    return mean(column(rows, name), units)


def unexplained(history: pl.DataFrame) -> dict[str, int]:
    """How many pairs past reviews do not explain, by the status of the search, the most frequent first."""
    counts = history.filter(pl.col("status") != EXPLAINED)["status"].value_counts()
    return dict(counts.sort("count", "status", descending=[True, False]).rows())
