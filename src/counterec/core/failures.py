"""Work that fails for one user is done for all the others."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from counterec.core.arrays import IntVector

OnFailure = Callable[[int, Exception], None]
"""Told which user could not be served, and why."""


def isolate_failures(users: IntVector, work: Callable[[IntVector], None], on_failure: OnFailure) -> IntVector:
    """Do the work for all rows, ``users`` being whose each is; return the rows that it could not be done for.

    Where it fails, each half of the users is tried: work that never fails is done in one go.
    """
    lost = [np.empty(0, dtype=np.int64)]
    waiting = [np.unique(users)] if len(users) else []
    while waiting:
        some = waiting.pop()
        rows = np.flatnonzero(np.isin(users, some))
        try:
            work(rows)
        except Exception as error:  # whatever happens for one user, the others are served
            if len(some) > 1:
                waiting += [some[len(some) // 2 :], some[: len(some) // 2]]
            else:
                on_failure(int(some[0]), error)
                lost.append(rows)
    return np.concatenate(lost)


def failure_line(user: str, error: Exception) -> str:
    """One failure, told."""
    return f"user {user}: {type(error).__name__}: {error}"
