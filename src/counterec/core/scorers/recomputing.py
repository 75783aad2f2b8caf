"""A scorer of items with derived attributes: what follows from other attributes is computed anew for every row.

A price per night follows from the price. An explainer moves the price alone; whoever scores the changed row must see
the price per night that belongs to it. So the computation lives beside the scorer, and no explainer knows of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector, require, require_finite, require_shape
from counterec.core.attributes import Schema
from counterec.core.scorers.checked_scores import require_scorer, scores_of
from counterec.core.scorers.protocols import PairBatch, Scorer

Recompute = Callable[[FloatMatrix], FloatMatrix]
"""From rows of codes [rows, attributes] to the same rows with every derived attribute as it follows from the others."""


@dataclass(frozen=True)
class RecomputingScorer:
    """Scores rows after their derived attributes are computed anew; items as they are included, so that all agree."""

    scorer: Scorer
    schema: Schema
    recompute: Recompute

    def __post_init__(self) -> None:
        require_scorer(self.scorer)
        derived = self.schema.flags("derived").any()
        require(derived, "recompute is given, but no attribute of the schema is derived; say derived=True of those")

    @property
    def aspects_only(self) -> bool:
        """As the scorer: a row's derived attributes depend on that row alone."""
        return self.scorer.aspects_only

    def score(self, pairs: PairBatch) -> FloatVector:
        """The scores of the rows as they follow from what is not derived."""
        return scores_of(self.scorer, pairs.with_quality(self.recomputed(pairs.item_quality)))

    def recomputed(self, rows: FloatMatrix) -> FloatMatrix:
        """The rows with every derived attribute computed anew."""
        found = np.asarray(self.recompute(rows.copy()), dtype=np.float32)
        require_shape("what recompute returned", found, rows.shape)
        require_finite("what recompute returned", found)
        changed = (found != rows) & ~self.schema.flags("derived")
        if changed.any():
            name = self.schema.names[int(changed.any(axis=0).argmax())]
            require(False, f"recompute changed {name!r}, which is not derived; it may set derived attributes only")
        return found
