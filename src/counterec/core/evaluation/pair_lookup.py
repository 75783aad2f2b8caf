"""Looking up pairs of a user and an item among other pairs."""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import IntVector

NOWHERE = -1
"""The row of a pair that is not there."""


def rows_of_pairs(users: IntVector, items: IntVector, among_users: IntVector, among_items: IntVector) -> IntVector:
    """The row of each pair among the others, the last if it is there several times; −1 if it is not there."""
    if not len(users) or not len(among_users):
        return np.full(len(users), NOWHERE, dtype=np.int64)
    first = min(items.min(), among_items.min())
    width = int(max(items.max(), among_items.max()) - first) + 1
    wanted, among = users * width + (items - first), among_users * width + (among_items - first)
    order = np.argsort(among, kind="stable")
    place = order[np.searchsorted(among[order], wanted, side="right") - 1]
    return np.where(among[place] == wanted, place, NOWHERE)
