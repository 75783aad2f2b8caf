"""The values that opinions can give each aspect of each item: its rungs, numbered from the lowest.

By Eq. 1 they are the same for all: only the balance of praises and complaints counts. A share of praise depends on how
many opinions there are: each aspect of each item has rungs of its own, for what k more complaints or praises would make
of it. Arrays of items, aspects, rungs and values belong together entry by entry, and may have any shape.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from counterec.core.arrays import BoolVector, FloatMatrix, FloatVector, IntMatrix, IntVector, freeze
from counterec.core.opinions import Ladder
from counterec.core.praise_shares import PraiseShares

Side = Literal["left", "right"]

MORE = np.r_[1:21, 25:101:5, 150:1_001:50, 1_500:10_001:500]
"""How many more opinions are told apart: all up to 20, then steps of 5, from 100 on of 50 and from 1,000 on of 500."""
NONE_OR_MORE = np.r_[0, MORE]
MORE_OF_RUNG = np.r_[-MORE[::-1], NONE_OR_MORE]
"""How many more praises (above 0) or complaints (below 0) lead to each rung of an item's own."""
EVERY_RUNG = np.arange(len(MORE_OF_RUNG))
WINDOW = 4
"""How many rungs are looked at around the one that was worked out for a value."""
FEW = 64
"""For so few values all rungs are worked out: that is faster than working out which of them to look at."""
TINY = 1e-12
"""Shares of praise this near to none and all are as good as these."""


class CountedValues(Protocol):
    """The rungs of every aspect of every item."""

    @property
    def last(self) -> int:
        """The number of the highest rung."""
        ...

    def value(self, items: IntVector, aspects: IntVector, rungs: IntVector) -> FloatVector:
        """The values of rungs."""
        ...

    def search(self, items: IntVector, aspects: IntVector, values: FloatVector, side: Side = "left") -> IntVector:
        """How many rungs lie below each value; with side *right*, below it or at it."""
        ...

    def balance_of(self, items: IntVector, aspects: IntVector, values: FloatVector) -> tuple[IntVector, BoolVector]:
        """The balance of opinions that leads to each value, the nearest to what it is; and whether any does."""
        ...

    def first_praised(self, items: IntVector, aspects: IntVector) -> IntVector:
        """The lowest rung of an absent aspect that is praised more often than criticised."""
        ...

    def of_few(self, praises: int, complaints: int) -> FloatVector:
        """Per aspect, the value of an item with these opinions and no others."""
        ...

    def of_opinions(self, praises: IntMatrix, complaints: IntMatrix) -> FloatMatrix:
        """Return the values of these opinions, one column per aspect."""
        ...

    def ladder(self, item: int, aspect: int) -> Ladder:
        """The values of one aspect of one item, with the balance of opinions that leads to each."""
        ...


@dataclass(frozen=True)
class CommonValues:
    """The same ladder for all, as by Eq. 1."""

    common: Ladder

    @property
    def last(self) -> int:
        """The number of the highest rung."""
        return len(self.common.values) - 1

    def value(self, items: IntVector, aspects: IntVector, rungs: IntVector) -> FloatVector:  # noqa: ARG002
        """The values of rungs."""
        return self.common.values[rungs]

    def search(
        self,
        items: IntVector,  # noqa: ARG002
        aspects: IntVector,  # noqa: ARG002
        values: FloatVector,
        side: Side = "left",
    ) -> IntVector:
        """How many rungs lie below each value; with side *right*, below it or at it."""
        return np.searchsorted(self.common.values, values, side)

    def balance_of(
        self,
        items: IntVector,  # noqa: ARG002
        aspects: IntVector,  # noqa: ARG002
        values: FloatVector,
    ) -> tuple[IntVector, BoolVector]:
        """The balance nearest to 0 that leads to each value, and whether any does."""
        found = self.common.balance_of(values)
        return found, self.common.value(found) == values

    def first_praised(self, items: IntVector, aspects: IntVector) -> IntVector:  # noqa: ARG002
        """The rung of a balance of 1."""
        return np.broadcast_to(np.searchsorted(self.common.balance, 1), np.shape(aspects))

    def of_few(self, praises: int, complaints: int) -> FloatVector:
        """The value of the balance."""
        return self.common.value(praises - complaints)

    def of_opinions(self, praises: IntMatrix, complaints: IntMatrix) -> FloatMatrix:
        """Return the values of the balances."""
        return self.common.value(praises - complaints)

    def ladder(self, item: int, aspect: int) -> Ladder:  # noqa: ARG002
        """The common ladder."""
        return self.common


@dataclass(frozen=True)
class OwnValues:
    """What more complaints or praises would make of each share of praise.

    Rung R = len(MORE) is the value as it is; R − j has the j-th number of MORE complaints more, R + j praises.
    """

    shares: PraiseShares
    praises: IntMatrix
    complaints: IntMatrix
    ceiling: float

    def __post_init__(self) -> None:
        freeze(self, praises=np.int64, complaints=np.int64)

    @property
    def last(self) -> int:
        """The number of the highest rung."""
        return len(EVERY_RUNG) - 1

    def value(self, items: IntVector, aspects: IntVector, rungs: IntVector) -> FloatVector:
        """The values of rungs."""
        more = MORE_OF_RUNG[rungs]
        praises = self.praises[items, aspects]
        opinions = praises + self.complaints[items, aspects] + np.abs(more)
        return self.shares.value(praises + np.maximum(more, 0), opinions, self.shares.mean[aspects], self.ceiling)

    def search(self, items: IntVector, aspects: IntVector, values: FloatVector, side: Side = "left") -> IntVector:
        """How many rungs lie below each value; with side *right*, below it or at it.

        Of many values, each rung is worked out from its value, and counts where the rungs around it show that it is
        right: rounding may have moved it. Else it is found by halving.
        """
        items, aspects, values = np.broadcast_arrays(items, aspects, values)
        if values.size <= FEW:
            found = self.value(items[..., None], aspects[..., None], EVERY_RUNG)
            return np.asarray(_below(found, values[..., None], side).sum(axis=-1))
        first = np.clip(self._near(items, aspects, values) - WINDOW // 2, 0, self.last + 1 - WINDOW)
        found = self.value(items[..., None], aspects[..., None], first[..., None] + np.arange(WINDOW))
        below = _below(found, values[..., None], side).sum(axis=-1)
        rungs = np.asarray(first + below)
        unsure = ((below == 0) & (first > 0)) | ((below == WINDOW) & (rungs <= self.last))
        if unsure.any():
            rungs[unsure] = self._halved(items[unsure], aspects[unsure], values[unsure], side)
        return rungs

    def _near(self, items: IntVector, aspects: IntVector, values: FloatVector) -> IntVector:
        """About the rung of each value: by how many more praises or complaints its share of praise would be reached."""
        praises, weight = self.praises[items, aspects], self.shares.weight
        good = praises + weight * self.shares.mean[aspects]
        all_opinions = praises + self.complaints[items, aspects] + weight
        share = np.clip((np.asarray(values, dtype=np.float64) - 1) / (self.ceiling - 1), TINY, 1 - TINY)
        more_praises = (share * all_opinions - good) / (1 - share)
        more_complaints = good / share - all_opinions
        up = np.searchsorted(NONE_OR_MORE, more_praises)
        down = np.searchsorted(NONE_OR_MORE, more_complaints, "right") - 1
        return len(MORE) + np.where(more_praises >= 0, up, -down)

    def _halved(self, items: IntVector, aspects: IntVector, values: FloatVector, side: Side) -> IntVector:
        low, high = np.zeros(values.shape, dtype=np.int64), np.full(values.shape, self.last + 1)
        while (low < high).any():
            middle = np.minimum((low + high) // 2, self.last)
            below = _below(self.value(items, aspects, middle), values, side)
            going = low < high
            low, high = np.where(going & below, middle + 1, low), np.where(going & ~below, middle, high)
        return low

    def balance_of(self, items: IntVector, aspects: IntVector, values: FloatVector) -> tuple[IntVector, BoolVector]:
        """The balance that leads to each value with the fewest opinions more, and whether any does.

        Nobody's opinion gives no value: where there are none, there must be at least one more.
        """
        first = self.search(items, aspects, values, "left")
        last = self.search(items, aspects, values, "right") - 1
        as_it_is, praises, complaints = len(MORE), self.praises[items, aspects], self.complaints[items, aspects]
        rungs = np.clip(as_it_is, first, last)
        nobodys = (praises + complaints == 0) & (rungs == as_it_is)
        rungs = np.where(nobodys, np.where(first < as_it_is, as_it_is - 1, as_it_is + 1), rungs)
        return praises - complaints + MORE_OF_RUNG[rungs], (first <= rungs) & (rungs <= last)

    def first_praised(self, items: IntVector, aspects: IntVector) -> IntVector:  # noqa: ARG002
        """The rung of one praise more than none."""
        return np.full(np.shape(aspects), len(MORE) + 1)

    def of_few(self, praises: int, complaints: int) -> FloatVector:
        """Per aspect, the value of an item with these opinions and no others."""
        return self.shares.value(praises, praises + complaints, self.shares.mean, self.ceiling)

    def of_opinions(self, praises: IntMatrix, complaints: IntMatrix) -> FloatMatrix:
        """Return the shares of praise on the scale."""
        return self.shares.value(praises, praises + complaints, self.shares.mean, self.ceiling)

    def ladder(self, item: int, aspect: int) -> Ladder:
        """The values of one aspect of one item; of numbers of opinions that give one value, the smallest stands."""
        values = self.value(np.full(len(EVERY_RUNG), item), np.full(len(EVERY_RUNG), aspect), EVERY_RUNG)
        more, balance = MORE_OF_RUNG, int(self.praises[item, aspect] - self.complaints[item, aspect])
        if not self.praises[item, aspect] + self.complaints[item, aspect]:
            values, more = np.delete(values, len(MORE)), np.delete(more, len(MORE))  # nobody's opinion gives no value
        order = np.lexsort((np.abs(more), values))
        values, first = np.unique(values[order], return_index=True)
        return Ladder(balance + more[order][first], values)


def _below(found: FloatVector, values: FloatVector, side: Side) -> BoolVector:
    return found < values if side == "left" else found <= values
