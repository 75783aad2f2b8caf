"""Spearman's rank correlation for many resamples of the same cases at once."""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector


def rank_correlations(x: FloatVector, y: FloatVector, weights: FloatMatrix) -> FloatVector:
    """Return one correlation per row of ``weights``, which holds how often each case occurs in that resample.

    It is Pearson's correlation of the ranks; equal values share their mean rank. NaN if a value does not vary.
    """
    total = weights.sum(axis=1, keepdims=True)
    centred = []
    for values in (x, y):
        ranks = _ranks(values, weights)
        centred.append(ranks - (weights * ranks).sum(axis=1, keepdims=True) / total)
    a, b = centred
    both = (weights * a * b).sum(axis=1)
    spread = np.sqrt((weights * a * a).sum(axis=1) * (weights * b * b).sum(axis=1))
    return np.divide(both, spread, out=np.full_like(both, np.nan), where=~np.isnan(spread))


def _ranks(values: FloatVector, weights: FloatMatrix) -> FloatMatrix:
    """The rank of every case in every resample, up to a constant; NaN in resamples with a single distinct value."""
    order = np.argsort(values, kind="stable")
    _, first, level = np.unique(values[order], return_index=True, return_inverse=True)
    members = np.add.reduceat(weights[:, order], first, axis=1)
    rank_of_level = np.cumsum(members, axis=1) - members / 2
    rank_of_level[(members > 0).sum(axis=1) < 2] = np.nan
    ranks = np.empty_like(weights)
    ranks[:, order] = rank_of_level[:, level]
    return ranks
