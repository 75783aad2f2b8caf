"""Scorers of a few lines: the product of two vectors, popularity, chance, and one that computes derived attributes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector, require, require_finite, require_shape
from counterec.core.attributes import Schema
from counterec.core.scorers.base import PairBatch, Scorer, require_scorer, scores_of
from counterec.randomness import generator

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class AlignmentScorer:
    """s = Σ_k X_k · Y_k, the linear scorer of the paper's first figure."""

    aspects_only: bool = True

    def score(self, pairs: PairBatch) -> FloatVector:
        """Return Σ_k X_k · Y_k for each pair."""
        return np.einsum("bk,bk->b", pairs.user_attention, pairs.item_quality)

    def score_tensor(self, users: Tensor, items: Tensor, user_attention: Tensor, item_quality: Tensor) -> Tensor:
        """Return the same sums as a tensor."""
        del users, items
        return (user_attention * item_quality).sum(dim=1)


class PopularityScorer:
    """Scores an item by its number of interactions, the same for every user; uses no aspects."""

    aspects_only = False

    def __init__(self, interactions: IntVector, items: int) -> None:
        self._counts = np.bincount(interactions, minlength=items).astype(np.float32)

    def score(self, pairs: PairBatch) -> FloatVector:
        """Return the number of training interactions of each pair's item."""
        return self._counts[pairs.items]


class RandomScorer:
    """Scores each pair of a user and an item by a number drawn from the seed."""

    aspects_only = False

    def __init__(self, items: int, seed: int) -> None:
        self._items, self._seed = items, seed

    def score(self, pairs: PairBatch) -> FloatVector:
        """Return the same number for the same pair, whatever the batch."""
        scores = np.empty(len(pairs.users), dtype=np.float32)
        for user in np.unique(pairs.users):
            drawn = generator(self._seed, "random ranking", int(user)).random(self._items, dtype=np.float32)
            scores[pairs.users == user] = drawn[pairs.items[pairs.users == user]]
        return scores


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
