"""Values that do not saturate: the share of praise, and attention relative to everybody's.

By Eq. 1 a balance of 6 praises is worth 4.99, and so is every larger one: where items have many reviews, their values
are alike. The share of praise is not: with p praises among t opinions on an aspect of an item,

    Y = 1 + (N−1) · (p + w·μ) / (t + w)      where t > 0, else 0

where μ is the share of praise among all opinions on the aspect, and w = 5 opinions draw towards it: one praise says
little. k more complaints make (p + w·μ) / (t + k + w) of it, k more praises (p + k + w·μ) / (t + k + w).

Likewise X = 1 + (N−1) · t / (t + 1 + e), where t is how often the user speaks of the aspect and e how often would be
expected of them: as large a share of what they say as of what everybody says.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from counterec.core.arrays import FloatMatrix, FloatVector, freeze, require
from counterec.core.opinions import CEILING, Opinions

WEIGHT = 5.0
"""w: how many opinions draw a share towards the aspect's mean."""


@dataclass(frozen=True)
class PraiseShares:
    """What shares of praise are drawn towards: the share of praise of each aspect, and by how many opinions."""

    mean: FloatVector
    weight: float = WEIGHT

    def __post_init__(self) -> None:
        freeze(self, mean=np.float64)
        require(self.mean.ndim == 1, f"shares.mean has {self.mean.ndim} dimensions; it needs one entry per aspect")
        require(((self.mean >= 0) & (self.mean <= 1)).all(), "shares.mean must lie between 0 and 1 for every aspect")
        require(self.weight > 0, f"shares.weight is {self.weight:g}; it must be above 0")

    @classmethod
    def of(cls, opinions: Opinions, weight: float = WEIGHT) -> PraiseShares:
        """The share of praise among all opinions on each aspect; one half where there are none."""
        praises = opinions.item_praises.sum(axis=0, dtype=np.int64)
        total = praises + opinions.item_complaints.sum(axis=0, dtype=np.int64)
        return cls(np.divide(praises, total, out=np.full(len(total), 0.5), where=total > 0), weight)

    def quality(self, opinions: Opinions, ceiling: float = CEILING) -> FloatMatrix:
        """Y: 0 where never reviewed, else the share of praise on the scale."""
        praises, complaints = opinions.item_praises, opinions.item_complaints
        value = self.value(praises, praises + complaints, self.mean, ceiling)
        return np.where(praises + complaints > 0, value, np.float32(0))

    def value(self, praises: ArrayLike, opinions: ArrayLike, mean: ArrayLike, ceiling: float) -> FloatMatrix:
        """1 + (N−1) · (p + w·μ) / (t + w)."""
        p, t, mu = (np.asarray(given, dtype=np.float64) for given in (praises, opinions, mean))
        share = (p + self.weight * mu) / (t + self.weight)
        return np.asarray(1 + (ceiling - 1) * share, dtype=np.float32)


def relative_attention(
    frequency: ArrayLike, ceiling: float = CEILING, everybody: ArrayLike | None = None
) -> FloatMatrix:
    """X: 0 where never mentioned, else 1 + (N−1) · t / (t + 1 + e), e the mentions expected of this user.

    ``everybody`` are the mentions by which it is known what everybody says; by default these.
    """
    t = np.asarray(frequency, dtype=np.float64)
    of_all = t if everybody is None else np.asarray(everybody, dtype=np.float64)
    total = max(1.0, float(of_all.sum()))
    expected = t.sum(axis=1, keepdims=True) * (of_all.sum(axis=0, keepdims=True) / total)
    return np.where(t > 0, 1 + (ceiling - 1) * t / (t + 1 + expected), 0.0).astype(np.float32)
