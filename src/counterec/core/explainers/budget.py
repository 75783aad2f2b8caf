"""A budget, for scorers that are slow and people who wait: what one pair may spend, and what was spent."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from counterec.core.arrays import IntVector, freeze, require, require_shape

KEPT_CALLS, KEPT_ROWS = 1, 2
"""What is kept back of a budget for verifying: one call, with the pair as it is and as it is changed."""


@dataclass(frozen=True)
class Budget:
    """What the search for one pair may ask of the scorer; without limits, calls are only counted.

    Calls are shared: one that holds rows of many pairs counts once for each of them. So an answer does not depend on
    which other pairs are asked about at the same time. Only a deadline, which is the same for all, depends on time.
    """

    calls: int | None = None
    """At most this many calls that hold a row of the pair; one is kept back, to verify what a search that ends early
    has found."""
    rows: int | None = None
    """At most this many rows of the pair; two are kept back, for its scores before and after the change."""
    deadline: float | None = None
    """The moment, by ``time.monotonic()``, from which on nothing more is searched for; what was found is verified."""

    def __post_init__(self) -> None:
        known = self.deadline is None or isfinite(self.deadline)
        require(known, f"the deadline is {self.deadline}; it is a moment of time.monotonic(), or None")
        for name, kept in (("calls", KEPT_CALLS), ("rows", KEPT_ROWS)):
            limit = getattr(self, name)
            require(
                limit is None or limit > kept,
                f"a budget of {limit} {name}: it takes at least {kept + 1}, or None for no limit",
            )

    @property
    def limits_calls(self) -> bool:
        """Whether calls or rows are limited; otherwise time is, or nothing."""
        return self.calls is not None or self.rows is not None

    @property
    def is_late(self) -> bool:
        """Whether the deadline has passed."""
        return self.deadline is not None and time.monotonic() >= self.deadline


@dataclass(frozen=True)
class Spent:
    """What was asked of the scorer: for each pair, and in all."""

    calls: IntVector
    """Per pair, the calls that held a row of it."""
    rows: IntVector
    """Per pair, its rows."""
    total_calls: int
    """All calls; fewer than the sum over the pairs, which share them."""
    total_rows: int

    def __post_init__(self) -> None:
        freeze(self, calls=np.int64, rows=np.int64)
        require_shape("rows", self.rows, self.calls.shape)

    def part(self, index: IntVector) -> Spent:
        """Some of the pairs, in this order; the totals stay those of all."""
        return Spent(self.calls[index], self.rows[index], self.total_calls, self.total_rows)

    @classmethod
    def nothing(cls, pairs: int) -> Spent:
        """Nothing was asked."""
        return cls(np.zeros(pairs, dtype=np.int64), np.zeros(pairs, dtype=np.int64), 0, 0)

    @classmethod
    def joined(cls, parts: Sequence[Spent]) -> Spent:
        """Several batches as one."""
        calls, rows = (np.concatenate([getattr(part, name) for part in parts]) for name in ("calls", "rows"))
        return cls(calls, rows, sum(part.total_calls for part in parts), sum(part.total_rows for part in parts))
