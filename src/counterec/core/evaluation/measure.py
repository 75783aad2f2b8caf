"""Measures: a number with its number of cases and its interval.

A value that is NaN is not a case, so pairs that do not count may be passed, too.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from counterec.core.arrays import FloatVector
from counterec.core.evaluation.bootstrap import (
    RESAMPLES,
    Combine,
    Drawn,
    Resampled,
    case_weights,
    counted,
    resampled_means,
)
from counterec.core.evaluation.correlation import rank_correlations


@dataclass(frozen=True)
class Measure:
    """A measured value, the number of cases behind it, and the 95% interval of a bootstrap.

    ``value`` is None if there is no case.
    """

    value: float | None
    cases: int
    interval: tuple[float, float] | None
    items: int | None = None
    """How many different items the cases have, where that is known."""
    draws: FloatVector = field(default_factory=lambda: np.empty(0), repr=False, compare=False)
    """The same number of every resample."""

    @classmethod
    def of(cls, found: Resampled) -> Measure:
        """The measure by resamples."""
        return cls(found.value, found.cases, found.interval, found.items, found.draws)

    def as_dict(self) -> dict[str, object]:
        """The measure as written to disk."""
        found: dict[str, object] = {
            "value": self.value,
            "cases": self.cases,
            "interval": self.interval and list(self.interval),
        }
        return found if self.items is None else {**found, "items": self.items}


def mean(values: ArrayLike, users: Drawn, seed: int = 0) -> Measure:
    """The mean over cases; for the interval, the cases of a user are drawn together."""
    return combined([values], users, lambda means: means[0], seed)


def harmonic_mean_of_means(first: ArrayLike, second: ArrayLike, users: Drawn, seed: int = 0) -> Measure:
    """The harmonic mean of two means over the same cases, as F_NS is of PN and PS."""
    return combined([first, second], users, lambda means: harmonic_mean(means[0], means[1]), seed)


def harmonic_mean(a: FloatVector, b: FloatVector) -> FloatVector:
    """2ab/(a+b), and 0 if both are 0."""
    total = a + b
    return np.divide(2 * a * b, total, out=np.zeros_like(total), where=total != 0)


def group_difference(values: ArrayLike, in_first: ArrayLike, users: Drawn, seed: int = 0) -> Measure:
    """The mean of one group of cases less the mean of the other; no number if a group is empty."""
    numbers, first = np.asarray(values, dtype=np.float64), np.asarray(in_first, dtype=bool)
    columns: list[ArrayLike] = [numbers * first, first, numbers * ~first, ~first]
    return combined(columns, users, lambda means: _ratio(means[0], means[1]) - _ratio(means[2], means[3]), seed)


def spearman(x: ArrayLike, y: ArrayLike, users: Drawn, seed: int = 0) -> Measure:
    """Spearman's rank correlation of two values of the same cases; no number if one of them never varies."""
    (first, second), given = counted([x, y], users)
    cases = len(given)
    if cases == 0:
        return Measure(None, 0, None)
    draws = np.concatenate([rank_correlations(first, second, block) for block in case_weights(given, seed, RESAMPLES)])
    found = rank_correlations(first, second, np.ones((1, cases)))[0]
    return Measure.of(Resampled.of(found, cases, draws, given.n_items))


def combined(values: list[ArrayLike], users: Drawn, combine: Combine, seed: int = 0) -> Measure:
    """Combine the means of several values of the same cases, and bootstrap the result."""
    return Measure.of(resampled_means(values, users, combine, seed))


def _ratio(part: FloatVector, whole: FloatVector) -> FloatVector:
    return np.divide(part, whole, out=np.full_like(whole, np.nan), where=whole > 0)
