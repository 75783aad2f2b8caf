"""The bootstrap over users: how a number varies if users are drawn again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector, require, row_chunks
from counterec.randomness import generator

RESAMPLES = 1000
"""Resamples per interval."""

DRAWN_AT_ONCE = 2_000_000
"""Matrix entries per block of resamples: bounds the memory."""

Combine = Callable[[FloatMatrix], FloatVector]
"""From the means of several values, one column per resample, to one number per resample; NaN if there is none."""


@dataclass(frozen=True)
class Resampled:
    """A number, its number of cases, and the same number of every resample that has one."""

    value: float | None
    cases: int
    draws: FloatVector

    @classmethod
    def of(cls, value: float, cases: int, draws: FloatVector) -> Resampled:
        """NaN means no number; resamples without one are left out."""
        if np.isnan(value):
            return cls(None, cases, np.empty(0))
        return cls(float(value), cases, draws[~np.isnan(draws)])

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95% interval: the resamples without the lowest and the highest 2.5%."""
        if not len(self.draws):
            return None
        low, high = np.quantile(self.draws, [0.025, 0.975])
        return float(low), float(high)


def counted(values: Sequence[ArrayLike], users: IntVector) -> tuple[FloatMatrix, IntVector]:
    """The cases that have every value, one column each, and the user of each, numbered from 0; NaN is no value."""
    require(all(len(np.asarray(column)) == len(users) for column in values), "every value needs exactly one user")
    matrix = np.array([np.asarray(column, dtype=np.float64) for column in values])
    whole = ~np.isnan(matrix).any(axis=0)
    return matrix[:, whole], np.unique(np.asarray(users)[whole], return_inverse=True)[1]


def resampled_means(
    values: Sequence[ArrayLike], users: IntVector, combine: Combine, seed: int, count: int = RESAMPLES
) -> Resampled:
    """Combine the means of several values of the same cases; the cases of a user are drawn together."""
    columns, group = counted(values, users)
    cases = len(group)
    if cases == 0:
        return Resampled(None, 0, np.empty(0))
    sums = np.stack([np.bincount(group, weights=column) for column in columns])
    counts = np.bincount(group).astype(np.float64)
    blocks = resamples(len(counts), seed, count, len(counts))
    draws = np.concatenate([combine((sums @ block.T) / (counts @ block.T)) for block in blocks])
    return Resampled.of(combine(sums.sum(axis=1, keepdims=True) / cases)[0], cases, draws)


def resamples(users: int, seed: int, count: int, width: int) -> Iterator[FloatMatrix]:
    """How often each user is drawn, one row per resample; in blocks that fit the memory at this width."""
    random = generator(seed, "bootstrap")
    for rows in row_chunks(count, DRAWN_AT_ONCE // width):
        size = rows.stop - rows.start
        drawn = random.integers(0, users, (size, users)) + np.arange(size)[:, None] * users
        yield np.bincount(drawn.ravel(), minlength=size * users).reshape(size, users).astype(np.float64)
