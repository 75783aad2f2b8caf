"""The heaviest aspects of each pair: from weights to named aspects."""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import BoolMatrix, FloatMatrix, IntVector, require, require_shape
from counterec.core.explainers.answer import NamedAspects


def named(
    users: IntVector,
    items: IntVector,
    weights: FloatMatrix,
    counts: IntVector,
    eligible: BoolMatrix | None = None,
) -> NamedAspects:
    """Name the ``counts[i]`` heaviest aspects of pair i, the smaller number first among equals.

    An aspect whose weight is not finite, or that is not eligible, is not named; if too few are left, fewer are named.
    Named aspects keep their weights, which may be negative.
    """
    require_shape("counts", np.asarray(counts), (len(weights),))
    require((np.asarray(counts) >= 0).all(), "counts must be 0 or more")
    may = np.isfinite(weights)
    if eligible is not None:
        require_shape("eligible", eligible, weights.shape)
        may &= eligible
    order = np.argsort(np.where(may, -weights, np.inf), axis=1, kind="stable")
    place = np.argsort(order, axis=1)
    chosen = may & (place < np.asarray(counts)[:, None])
    return NamedAspects(users, items, chosen, np.where(chosen, weights, 0))
