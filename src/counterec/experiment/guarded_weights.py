"""A method that fails for one user loses that user, not the rest of the table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.failure_isolation import failure_line, isolate_failures

WeighRows = Callable[[IntVector], FloatMatrix]
"""From row numbers to the weights of their aspects."""


def guarded_weights(
    weigh: WeighRows, users: IntVector, aspects: int, name_of: Callable[[int], str]
) -> tuple[FloatMatrix, list[str]]:
    """The weights of all rows, and one line for each user the method failed for, whose weights are −∞."""
    weights = np.full((len(users), aspects), -np.inf, dtype=np.float32)
    failures: list[str] = []

    def work(rows: IntVector) -> None:
        weights[rows] = weigh(rows)

    isolate_failures(users, work, lambda user, error: failures.append(failure_line(name_of(user), error)))
    return weights, failures


def ignore_failure(user: int, error: Exception) -> None:
    """Do nothing: the failure was reported where the user was first asked about."""
