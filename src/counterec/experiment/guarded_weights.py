"""A method that fails for one user loses that user, not the rest of the table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.failures import failure_line, isolate_failures

Weigh = Callable[[IntVector], FloatMatrix]
"""From rows to the weights of their aspects."""


def guarded(
    weigh: Weigh, users: IntVector, aspects: int, name_of: Callable[[int], str]
) -> tuple[FloatMatrix, list[str]]:
    """The weights of all rows, and a line for each user that they could not be had for, whose weights are −∞."""
    weights = np.full((len(users), aspects), -np.inf, dtype=np.float32)
    failures: list[str] = []

    def work(rows: IntVector) -> None:
        weights[rows] = weigh(rows)

    isolate_failures(users, work, lambda user, error: failures.append(failure_line(name_of(user), error)))
    return weights, failures


def told_before(user: int, error: Exception) -> None:
    """Say nothing: that a user cannot be served was told where they were first asked about."""
