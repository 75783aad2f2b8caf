"""The simplest scorer: the product of what a user cares about and what an item does well."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from torch import Tensor

from counterec.core.arrays import FloatVector
from counterec.core.scorers.protocols import PairBatch


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
