"""Looking up pairs of a user and an item among other pairs."""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import IntVector

NOWHERE = -1
"""The row of a pair that is not there."""


def rows_of_pairs(users: IntVector, items: IntVector, among_users: IntVector, among_items: IntVector) -> IntVector:
    """The row of each pair among the others; −1 if it is not there."""
    place = {pair: row for row, pair in enumerate(zip(among_users.tolist(), among_items.tolist(), strict=True))}
    pairs = zip(users.tolist(), items.tolist(), strict=True)
    return np.array([place.get(pair, NOWHERE) for pair in pairs], dtype=np.int64)
