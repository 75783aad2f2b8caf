"""Items grouped by aspects: which have any of a set of aspects, and which have equal values on all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterec.core.arrays import BoolVector, IntVector
from counterec.core.remembered import remembered
from counterec.core.space import AspectSpace

SETS_REMEMBERED = 256
"""Aspect sets whose groups are remembered: the explanations of different users name the same few sets."""


class AspectGroups:
    """The items of a catalogue by sets of aspects, which are tuples of aspect numbers; the same for every user."""

    def __init__(self, space: AspectSpace) -> None:
        self._quality = space.item_quality
        self._present = (space.item_quality != space.scale.absent).T.copy()
        self._having = remembered(self._find_having, SETS_REMEMBERED)
        self._equal = remembered(self._find_equal, SETS_REMEMBERED)
        self._coded = remembered(self._codes_of, None)

    def having_any(self, aspects: tuple[int, ...]) -> BoolVector:
        """Which items have any of the aspects."""
        return self._having(aspects)

    def equal_on(self, aspects: tuple[int, ...]) -> tuple[IntVector, IntVector]:
        """The items grouped by their values on the aspects: the first item of each group, and each item's group."""
        return self._equal(aspects)

    def _find_having(self, aspects: tuple[int, ...]) -> BoolVector:
        return self._present[list(aspects)].any(axis=0)

    def _find_equal(self, aspects: tuple[int, ...]) -> tuple[IntVector, IntVector]:
        """Items that have none of the aspects are one group, the last one: only the others have to be sorted."""
        having = self.having_any(aspects)
        some, others = np.flatnonzero(having), np.flatnonzero(~having)
        coded = [self._coded(aspect) for aspect in aspects]
        combined = _combined_codes([codes[some] for codes, _ in coded], [levels for _, levels in coded], len(some))
        _, first, group = np.unique(combined, return_index=True, return_inverse=True)
        groups: NDArray[Any] = np.full(len(having), len(first), dtype=np.int32)
        groups[some] = group
        return np.concatenate([some[first], others[:1]]), groups

    def _codes_of(self, aspect: int) -> tuple[np.ndarray, int]:
        """The values of an aspect as small integers [items], and the number of distinct ones."""
        values, codes = np.unique(self._quality[:, aspect], return_inverse=True)
        return codes.astype(np.int32), len(values)


def _combined_codes(codes: Sequence[np.ndarray], levels: Sequence[int], items: int) -> IntVector:
    """One integer per item, equal exactly if the items are; renumbered whenever the next digit would not fit."""
    key, size = np.zeros(items, dtype=np.int64), 1
    for column, level in zip(codes, levels, strict=True):
        if size * level >= 2**62:
            values, key = np.unique(key, return_inverse=True)
            size = len(values)
        key, size = key * level + column, size * level
    return key
