"""Opinions: how often users and items were praised and criticised on each aspect, and the values that this can give.

By Eq. 1 a reviewed aspect is worth 1 + (N−1)·σ(n), where n = praises − complaints is a whole number, its *balance*: …
1.48, 2.08, 3, 3.92, 4.52 … Nothing lies between these values. They form a ladder, which belongs to the scale. Another
way to make qualities from opinions brings its own: the share of praise is a ladder for each aspect of each item (see
``praise_shares``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from counterec.core.arrays import (
    FloatMatrix,
    FloatVector,
    IntMatrix,
    IntVector,
    freeze,
    require,
    require_finite,
    require_shape,
)

CEILING = 5.0
"""N of Eq. 1: the top of the rating scale, five stars in most systems."""

MOST_BALANCE = 64
"""Beyond this balance single precision cannot tell the values of Eq. 1 apart, whatever the ceiling."""


def quality(frequency: ArrayLike, total_sentiment: ArrayLike, ceiling: float = CEILING) -> FloatMatrix:
    """Y of Eq. 1: 0 where never reviewed, else 1 + (N−1)/(1+exp(−t·s)).

    t is the number of mentions and s their mean sentiment, so t·s is the balance: an integer, which does not depend on
    the order of summation.
    """
    t = np.asarray(frequency, dtype=np.float64)
    ts = np.asarray(total_sentiment, dtype=np.float64)
    with np.errstate(over="ignore"):  # a text may blame one thing a thousand times: exp is then infinite, and Y is 1
        reviewed = 1 + (ceiling - 1) / (1 + np.exp(-ts))
    return np.where(t > 0, reviewed, 0.0).astype(np.float32)


@dataclass(frozen=True)
class Ladder:
    """The values that opinions can give an aspect, in ascending order, and the balance that leads to each.

    Where several balances give one value in single precision, the one nearest to 0 stands for all.
    """

    balance: IntVector
    values: FloatVector

    def __post_init__(self) -> None:
        freeze(self, balance=np.int64, values=np.float32)
        require_shape("ladder.values", self.values, self.balance.shape)
        require_finite("ladder.values", self.values)
        require(len(self.values) > 0, "a ladder needs at least one value")
        for name in ("balance", "values"):
            require((np.diff(getattr(self, name)) > 0).all(), f"ladder.{name} must grow from each step to the next")

    @classmethod
    def of_reviews(cls, ceiling: float = CEILING) -> Ladder:
        """The values of Eq. 1."""
        balance = np.arange(-MOST_BALANCE, MOST_BALANCE + 1)
        values = quality(np.ones(len(balance)), balance, ceiling)
        nearest_to_0 = balance[np.lexsort((np.abs(balance), values))]
        values, first = np.unique(np.sort(values), return_index=True)
        return cls(nearest_to_0[first], values)

    def value(self, balance: ArrayLike) -> FloatVector:
        """The value that a balance gives."""
        given = np.clip(np.asarray(balance), self.balance[0], self.balance[-1])
        return self.values[np.searchsorted(self.balance, given)]

    def balance_of(self, values: ArrayLike) -> IntVector:
        """The balance nearest to 0 that gives each of these values, or the value of the ladder next to it."""
        return self.balance[self.nearest(values)]

    def nearest(self, values: ArrayLike) -> IntVector:
        """The place of the value of the ladder that is nearest to each of these."""
        exact = self.values.astype(np.float64)  # in single precision, the middle of two neighbours is one of them
        return np.searchsorted((exact[1:] + exact[:-1]) / 2, np.asarray(values))


@dataclass(frozen=True)
class Opinions:
    """How often each user praised and criticised each aspect, and each item was praised and criticised on it."""

    user_praises: IntMatrix
    user_complaints: IntMatrix
    item_praises: IntMatrix
    item_complaints: IntMatrix

    def __post_init__(self) -> None:
        for whose in ("user", "item"):
            freeze(self, **{f"{whose}_praises": np.int32, f"{whose}_complaints": np.int32})
            praises, complaints = getattr(self, f"{whose}_praises"), getattr(self, f"{whose}_complaints")
            require_shape(f"{whose}_complaints", complaints, praises.shape)
            require(
                (praises >= 0).all() and (complaints >= 0).all(),
                f"the praises and complaints of {whose}s are counts: none is below 0",
            )
