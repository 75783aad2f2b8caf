"""Items grouped by aspects: which have any of a set of aspects, and which have equal values on all of them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from counterec.core.arrays import BoolVector, IntVector
from counterec.core.space import AspectSpace

SETS_REMEMBERED = 256
"""Aspect sets whose groups are remembered: the explanations of different users name the same few sets."""


class AspectGroups:
    """The items of a catalogue by sets of aspects, which are tuples of aspect numbers; the same for every user."""

    def __init__(self, space: AspectSpace) -> None:
        self._present = (space.item_quality != space.scale.absent).T.copy()
        self._codes, self._levels = _coded(space)
        # Cached per object, so that the memory is freed with the object.
        self.having_any = lru_cache(SETS_REMEMBERED)(self._having_any)
        self.equal_on = lru_cache(SETS_REMEMBERED)(self._equal_on)

    def _having_any(self, aspects: tuple[int, ...]) -> BoolVector:
        """Which items have any of the aspects."""
        return self._present[list(aspects)].any(axis=0)

    def _equal_on(self, aspects: tuple[int, ...]) -> tuple[IntVector, IntVector]:
        """The items grouped by their values on the aspects: the first item of each group, and each item's group."""
        combined = _combined_codes(self._codes[list(aspects)], self._levels[list(aspects)])
        _, first, group = np.unique(combined, return_index=True, return_inverse=True)
        return first, group.astype(np.int32)


def _coded(space: AspectSpace) -> tuple[np.ndarray, IntVector]:
    """The values of each aspect as small integers [aspects, items], and the number of distinct ones per aspect."""
    codes = np.empty(space.item_quality.T.shape, dtype=np.int32)
    levels = np.empty(len(codes), dtype=np.int64)
    for aspect, column in enumerate(space.item_quality.T):
        values, codes[aspect] = np.unique(column, return_inverse=True)
        levels[aspect] = len(values)
    return codes, levels


def _combined_codes(codes: np.ndarray, levels: IntVector) -> IntVector:
    """One integer per item, equal exactly if the items are; renumbered whenever the next digit would not fit."""
    key, size = np.zeros(codes.shape[1], dtype=np.int64), 1
    for column, level in zip(codes, levels.tolist(), strict=True):
        if size * level >= 2**62:
            values, key = np.unique(key, return_inverse=True)
            size = len(values)
        key, size = key * level + column, size * level
    return key
