"""What attributions share of a pair: the aspects its item has, and a generator of its own."""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import BoolMatrix, IntVector
from counterec.core.space import AspectSpace
from counterec.randomness import generator

ROWS_AT_ONCE = 4096
"""Changed items that a scorer is asked about in one call, of many pairs together: what bounds the memory."""


def present(space: AspectSpace, items: IntVector) -> BoolMatrix:
    """Which aspects each item has: those that could be absent instead."""
    return np.asarray(space.item_quality[items] != space.scale.absent)


def pair_generator(space: AspectSpace, user: int, item: int, seed: int, purpose: str) -> np.random.Generator:
    """The generator of one pair, by its ids: who else is asked about cannot change what it draws."""
    user_id, item_id = space.users.texts[user], space.items.texts[item]
    return generator(seed, purpose, f"{len(user_id)}\x1f{user_id}\x1f{item_id}")
