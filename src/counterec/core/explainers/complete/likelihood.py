"""What is counted for sets of aspects: whether each is necessary and sufficient, and how likely among other rivals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import lgamma

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, FloatMatrix, FloatVector, IntVector

ENOUGH = 0.95
"""A likelihood above this counts no more than this."""


@dataclass(frozen=True)
class Counts:
    """Per set: whether it holds among the candidates, and how likely it would among others drawn like them."""

    necessary: BoolVector
    sufficient: BoolVector
    """Counts as true where no set could be, since the item stays with no aspect at all."""
    likely_necessary: FloatVector
    likely_sufficient: FloatVector
    necessity_known: BoolVector
    """Whether ``necessary`` says what is true among all candidates, however scores are rounded."""
    sufficiency_known: BoolVector
    """The same of ``sufficient``."""

    @property
    def holds(self) -> IntVector:
        """How many of the two verdicts hold."""
        return self.necessary.astype(np.int64) + self.sufficient

    @property
    def likely(self) -> FloatVector:
        """The sum of the two likelihoods, each up to ``ENOUGH``."""
        return np.minimum(self.likely_necessary, ENOUGH) + np.minimum(self.likely_sufficient, ENOUGH)


@dataclass(frozen=True)
class Reach:
    """Per set: whether K rivals are ahead, how likely that is among others, and whether it is certain."""

    reached: BoolVector
    likely: FloatVector
    surely: BoolVector
    surely_not: BoolVector

    @classmethod
    def of(cls, ahead: BoolMatrix, near: BoolMatrix, own: BoolMatrix, weights: FloatMatrix, k: int) -> Reach:
        """Count the rivals that are ahead, and so near that rounding may decide; all [sets, rivals].

        How likely K are ahead among others: if their number is Poisson distributed around its mean.
        """
        # In double precision: sets with as many rivals ahead must come out alike, in whatever order these are added.
        mean = np.einsum("sr,sr->s", weights, ahead, dtype=np.float64).astype(np.float32)
        expected = np.maximum(mean, np.float32(1e-9))
        # By logarithms: λⁿ and n! overflow if K is large.
        exactly = np.exp(np.arange(k)[:, None] * np.log(expected) - expected - _log_factorials(k))
        return cls(
            reached=(ahead & own).sum(axis=1) >= k,
            likely=1 - exactly.sum(axis=0),
            surely=(ahead & own & ~near).sum(axis=1) >= k,
            surely_not=((ahead | near) & own).sum(axis=1) < k,
        )


@lru_cache
def _log_factorials(k: int) -> FloatMatrix:
    """ln n! for n = 0 … K−1, one row each."""
    return np.array([[lgamma(n + 1)] for n in range(k)])
