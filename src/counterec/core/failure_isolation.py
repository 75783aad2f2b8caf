"""Isolating failures: work that fails for one user is still done for all others."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from counterec.core.arrays import IntVector

OnFailure = Callable[[int, Exception], None]
"""Called with each user whose work failed, and the error."""


def isolate_failures(users: IntVector, work: Callable[[IntVector], None], on_failure: OnFailure) -> IntVector:
    """Do the work for all rows; return the rows for which it failed. ``users`` holds the user of each row.

    If a call fails, it is repeated for each half of its users. Work that never fails takes a single call.
    """
    lost = [np.empty(0, dtype=np.int64)]
    waiting = [np.unique(users)] if len(users) else []
    while waiting:
        some = waiting.pop()
        rows = np.flatnonzero(np.isin(users, some))
        try:
            work(rows)
        except Exception as error:  # of any kind: the other users are still served
            if len(some) > 1:
                waiting += [some[len(some) // 2 :], some[: len(some) // 2]]
            else:
                on_failure(int(some[0]), error)
                lost.append(rows)
    return np.concatenate(lost)


def failure_line(user: str, error: Exception) -> str:
    """One failure in one line."""
    return f"user {user}: {type(error).__name__}: {error}"
