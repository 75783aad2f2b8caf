"""A method that fails for one user loses that user, not the rest of the table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from counterec.core.arrays import FloatMatrix, IntVector

Weigh = Callable[[IntVector], FloatMatrix]
"""From rows to the weights of their aspects."""


def guarded(
    weigh: Weigh, users: IntVector, aspects: int, name_of: Callable[[int], str]
) -> tuple[FloatMatrix, list[str]]:
    """The weights of all rows, and a line for each user that they could not be had for, whose weights are −∞.

    Whole halves are tried, so that a method that never fails is asked once.
    """
    weights = np.full((len(users), aspects), -np.inf, dtype=np.float32)
    failures: list[str] = []
    waiting = [np.unique(users)] if len(users) else []
    while waiting:
        some = waiting.pop()
        rows = np.flatnonzero(np.isin(users, some))
        try:
            weights[rows] = weigh(rows)
        except Exception as error:  # whatever a method does, the others are measured
            if len(some) > 1:
                waiting += [some[len(some) // 2 :], some[: len(some) // 2]]
            else:
                failures.append(f"user {name_of(int(some[0]))}: {type(error).__name__}: {error}")
    return weights, failures
