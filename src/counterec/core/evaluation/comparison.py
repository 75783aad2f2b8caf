"""Comparing two methods: by how much they differ on the same pairs, and whether that can be chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from counterec.core.arrays import FloatVector
from counterec.core.evaluation.bootstrap import Drawn, Resampled, resampled_means
from counterec.core.evaluation.measure import harmonic_mean

RESAMPLES = 4_000
"""Resamples per p-value. No p is below 1/RESAMPLES, and a correction multiplies it by the number of comparisons: with
the thousand that suffice for an interval, a hundred comparisons could hardly show anything."""

DUST = 12
"""Decimals that count: a difference of float sums that should be 0 rarely is exactly 0."""


@dataclass(frozen=True)
class Difference:
    """The first method's number less the second's, the number of pairs, the 95% interval, and the two-sided p.

    ``value`` and ``p`` are None if no pair counts for both.
    """

    value: float | None
    cases: int
    interval: tuple[float, float] | None
    p: float | None
    items: int | None = None
    """How many different items the pairs have, where that is known."""
    draws: FloatVector = field(default_factory=lambda: np.empty(0), repr=False, compare=False)
    """The same difference of every resample."""

    @classmethod
    def of(cls, found: Resampled) -> Difference:
        """The difference by resamples; p = 2·min(share ≤ 0, share ≥ 0), at least 1/RESAMPLES, at most 1."""
        p = None if found.value is None else _p(found.draws)
        return cls(found.value, found.cases, found.interval, p, found.items, found.draws)

    def as_dict(self) -> dict[str, object]:
        """The difference as written to disk."""
        interval = self.interval and list(self.interval)
        found: dict[str, object] = {"value": self.value, "cases": self.cases, "interval": interval, "p": self.p}
        return found if self.items is None else {**found, "items": self.items}


def paired(a: ArrayLike, b: ArrayLike, users: Drawn, seed: int = 0) -> Difference:
    """mean(a) − mean(b) over the pairs that have both values; NaN is no value."""
    difference = np.asarray(a, dtype=np.float64) - np.asarray(b, dtype=np.float64)
    return Difference.of(resampled_means([difference], users, lambda means: means[0], seed, RESAMPLES))


def paired_f_ns(
    necessary_a: ArrayLike,
    sufficient_a: ArrayLike,
    necessary_b: ArrayLike,
    sufficient_b: ArrayLike,
    users: Drawn,
    seed: int = 0,
) -> Difference:
    """F_NS of a less F_NS of b, each from its own PN and PS over the pairs that have all values."""
    return Difference.of(
        resampled_means(
            [necessary_a, sufficient_a, necessary_b, sufficient_b],
            users,
            lambda means: harmonic_mean(means[0], means[1]) - harmonic_mean(means[2], means[3]),
            seed,
            RESAMPLES,
        )
    )


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down: the i-th smallest of m is multiplied by m − i + 1, and is never below those before it.

    This bounds the chance of even one false finding as for a single test. None stays None and is not counted.
    """
    given = sorted((p, place) for place, p in enumerate(ps) if p is not None)
    corrected: list[float | None] = [None] * len(ps)
    least = 0.0
    for rank, (p, place) in enumerate(given):
        least = max(least, min(1.0, p * (len(given) - rank)))
        corrected[place] = least
    return corrected


def _p(draws: FloatVector) -> float:
    rounded = np.round(draws, DUST)
    tail = min((rounded <= 0).mean(), (rounded >= 0).mean())
    return float(np.clip(2 * tail, 1 / RESAMPLES, 1.0))
