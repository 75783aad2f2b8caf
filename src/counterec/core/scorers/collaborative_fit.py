"""The collaborative part learned: λ and the number of entries that are stored are chosen on validation."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.interactions import Interactions
from counterec.core.scorers.collaborative import Collaborative
from counterec.core.scorers.collaborative_weight import Gain
from counterec.core.scorers.hybrid_settings import HybridSettings
from counterec.core.scorers.item_regression import ItemRegression


@dataclass(frozen=True)
class CollaborativeFit:
    """The part with a weight of 1 for everybody, what was chosen, and the validation NDCG it was chosen by."""

    related: Collaborative
    regularisation: float
    kept: int
    tried: dict[str, float] = field(default_factory=dict)
    """λ → validation NDCG of the part alone, no entry left out."""
    tried_kept: dict[str, float] = field(default_factory=dict)
    """Entries per item → validation NDCG of the part alone, with the λ that was chosen."""


def fit_fixed(past: Interactions, regularisation: float, kept: int) -> CollaborativeFit:
    """With this λ and this many entries per item."""
    matrix = ItemRegression(past).fitted(regularisation, kept)
    return CollaborativeFit(Collaborative.of(matrix, past), regularisation, kept)


def fit_chosen(past: Interactions, users: IntVector, gain: Gain, settings: HybridSettings) -> CollaborativeFit:
    """With the best λ for these validated users, the larger of equal ones, and as few entries as lose nothing."""
    regression, tables = ItemRegression(past), _Table(past, users)
    tried = {value: tables.ndcg(tables.dense(regression, value), gain) for value in settings.regularisations}
    best = max(tried, key=lambda value: (tried[value], value))
    whole = regression.fitted(best, settings.kept[-1])
    tried_kept: dict[int, float] = {}
    for kept in settings.kept:
        related = Collaborative.of(whole.thinned(kept), past)
        tried_kept[kept] = tables.ndcg(tables.sparse(related), gain)
        if tried_kept[kept] >= tried[best]:
            break
    return CollaborativeFit(
        related,
        best,
        kept,
        {f"{value:g}": ndcg for value, ndcg in tried.items()},
        {str(number): ndcg for number, ndcg in tried_kept.items()},
    )


class _Table:
    """c(u, i) of some users over the whole catalogue."""

    def __init__(self, past: Interactions, users: IntVector) -> None:
        self._past, self._users = past, users
        self._touched = np.zeros((len(users), past.n_items), dtype=np.float32)
        for row, user in enumerate(users.tolist()):
            self._touched[row, past.of(user)] = 1

    def dense(self, regression: ItemRegression, regularisation: float) -> FloatMatrix:
        """With the whole B, block by block: it is never held at once."""
        table = np.zeros(self._touched.shape, dtype=np.float32)
        for targets, columns in regression.columns(regularisation):
            table[:, targets] = self._touched[:, regression.items] @ columns.astype(np.float32)
        return table

    def sparse(self, related: Collaborative) -> FloatMatrix:
        """With the entries that are stored."""
        return np.stack([related.relatedness(user) for user in self._users.tolist()]).astype(np.float32)

    def ndcg(self, table: FloatMatrix, gain: Gain) -> float:
        """The mean gain of the users."""
        return float(np.mean([gain(user, row) for user, row in zip(self._users.tolist(), table, strict=True)]))
