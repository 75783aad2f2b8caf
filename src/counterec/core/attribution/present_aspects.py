"""The aspects that an item has, and a random generator per pair: what the attributions share."""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import BoolMatrix, IntVector
from counterec.core.space import AspectSpace
from counterec.randomness import generator

ROWS_AT_ONCE = 4096
"""Changed items scored in one call, of many pairs together: bounds the memory."""


def present(space: AspectSpace, items: IntVector) -> BoolMatrix:
    """Which aspects each item has."""
    return np.asarray(space.item_quality[items] != space.scale.absent)


def pair_generator(space: AspectSpace, user: int, item: int, seed: int, purpose: str) -> np.random.Generator:
    """The generator of one pair, by its ids: its draws do not depend on the other pairs."""
    user_id, item_id = space.users.texts[user], space.items.texts[item]
    return generator(seed, purpose, f"{len(user_id)}\x1f{user_id}\x1f{item_id}")
