"""A number that says how many cases it rests on and how far it might be off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector, require
from counterec.randomness import generator

RESAMPLES = 1000
"""Bootstrap draws behind an interval."""


@dataclass(frozen=True)
class Measure:
    """A measured value, the number of cases behind it, and the 95% interval of a bootstrap over users.

    ``value`` is None where there is no case: no number is better than an invented one.
    """

    value: float | None
    cases: int
    interval: tuple[float, float] | None

    def as_dict(self) -> dict[str, object]:
        """The measure as it is written to disk."""
        return {"value": self.value, "cases": self.cases, "interval": self.interval and list(self.interval)}


NO_MEASURE = Measure(None, 0, None)


def mean(values: ArrayLike, users: IntVector, seed: int = 0) -> Measure:
    """The mean over cases, with an interval that respects that one user's cases go together."""
    return combined([values], users, lambda means: means[0], seed)


def harmonic_mean_of_means(first: ArrayLike, second: ArrayLike, users: IntVector, seed: int = 0) -> Measure:
    """The harmonic mean of two means over the same cases, as F_NS is of PN and PS."""
    return combined([first, second], users, lambda means: harmonic_mean(means[0], means[1]), seed)


def harmonic_mean(a: FloatVector, b: FloatVector) -> FloatVector:
    """2ab/(a+b), and 0 where both are 0."""
    total = a + b
    return np.divide(2 * a * b, total, out=np.zeros_like(total), where=total > 0)


def combined(
    values: list[ArrayLike], users: IntVector, combine: Callable[[FloatMatrix], FloatVector], seed: int = 0
) -> Measure:
    """Combine the means of several values of the same cases, and bootstrap the result over users."""
    cases = len(users)
    columns = [np.asarray(v, dtype=np.float64) for v in values]
    require(all(len(column) == cases for column in columns), "every value needs a user")
    if cases == 0:
        return NO_MEASURE
    _, group = np.unique(users, return_inverse=True)
    sums = np.stack([np.bincount(group, weights=column) for column in columns])
    counts = np.bincount(group).astype(np.float64)
    draws = _resampled_weights(len(counts), seed)
    means = (sums @ draws.T) / (counts @ draws.T)
    low, high = np.quantile(combine(means), [0.025, 0.975])
    value = combine(sums.sum(axis=1, keepdims=True) / counts.sum())[0]
    return Measure(float(value), cases, (float(low), float(high)))


def _resampled_weights(users: int, seed: int) -> FloatMatrix:
    """How often each user is drawn in each resample: [resamples, users]."""
    random = generator(seed, "bootstrap")
    return random.multinomial(users, np.full(users, 1 / users), size=RESAMPLES).astype(np.float32)
