"""Every set of so many moves, as flags; small enumerations are remembered, since many pairs share them."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np

from counterec.core.arrays import BoolMatrix

REMEMBERED = 2_000
"""Enumerations of at most this many sets are kept; larger ones take too much memory."""


def sets_of(size: int, count: int, width: int) -> BoolMatrix:
    """Every set of this many of the first ``count`` moves; a row of flags has this width."""
    return _remembered(size, size, count, width) if comb(count, size) <= REMEMBERED else _all(size, size, count, width)


def sets_of_2_to(most: int, count: int, width: int) -> BoolMatrix:
    """Every set of 2 to ``most`` of the first ``count`` moves, smaller ones first."""
    few = how_many_below(count, most + 1) <= REMEMBERED
    return _remembered(2, most, count, width) if few else _all(2, most, count, width)


def how_many_below(count: int, size: int) -> int:
    """How many sets of 2 to size − 1 of ``count`` aspects there are; single aspects have always been tried."""
    return sum(comb(count, smaller) for smaller in range(2, size))


def _all(least: int, most: int, count: int, width: int) -> BoolMatrix:
    parts = [np.zeros((0, width), dtype=bool)]
    for size in range(least, most + 1):
        chosen = np.array(list(combinations(range(count), size)), dtype=np.int64).reshape(-1, size)
        parts.append(np.zeros((len(chosen), width), dtype=bool))
        np.put_along_axis(parts[-1], chosen, True, axis=1)
    sets = np.concatenate(parts)
    sets.flags.writeable = False
    return sets


_remembered = lru_cache(maxsize=128)(_all)
