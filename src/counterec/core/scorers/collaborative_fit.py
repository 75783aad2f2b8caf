"""The collaborative part learned: λ and the number of entries that are stored are chosen on validation."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.interactions import Interactions
from counterec.core.scorers.catalogue_validation import CatalogueValidation
from counterec.core.scorers.collaborative import Collaborative
from counterec.core.scorers.collaborative_weight import gains_of
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


def fit_chosen(past: Interactions, validation: CatalogueValidation, settings: HybridSettings) -> CollaborativeFit:
    """With the best λ on validation, the larger of equal ones, and as few entries as lose nothing."""
    regression, users = ItemRegression(past), validation.users
    touched = _touched(past, users)

    def ndcg_of(regularisation: float) -> float:
        return float(gains_of(_relatedness(touched, regression, regularisation), validation).mean())

    tried = {value: ndcg_of(value) for value in settings.regularisations}
    best = max(tried, key=lambda value: (tried[value], value))
    most = regression.fitted(best, settings.kept[-1])
    tried_kept: dict[int, float] = {}
    for kept in settings.kept:
        related = Collaborative.of(most.thinned(kept), past)
        table = np.stack([related.relatedness(user) for user in users.tolist()])
        tried_kept[kept] = float(gains_of(table, validation).mean())
        if tried_kept[kept] >= tried[best]:
            break
    return CollaborativeFit(
        related,
        best,
        kept,
        {f"{value:g}": ndcg for value, ndcg in tried.items()},
        {str(number): ndcg for number, ndcg in tried_kept.items()},
    )


def _touched(past: Interactions, users: IntVector) -> FloatMatrix:
    """The rows of T of some users."""
    touched = np.zeros((len(users), past.n_items))
    for row, user in enumerate(users.tolist()):
        touched[row, past.of(user)] = 1
    return touched


def _relatedness(touched: FloatMatrix, regression: ItemRegression, regularisation: float) -> FloatMatrix:
    """c(u, i) with the whole B, which is never held at once."""
    table = np.zeros(touched.shape, dtype=np.float32)
    for targets, columns in regression.columns(regularisation):
        table[:, targets] = touched[:, regression.items] @ columns
    return table
