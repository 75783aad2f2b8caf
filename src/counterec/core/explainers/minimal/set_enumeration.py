"""Every set of so many moves, as flags; small enumerations are remembered, since many pairs share them."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import comb, prod

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, IntMatrix, IntVector

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


def choices_of(aspects: IntVector, flags: BoolVector, budget: int) -> BoolMatrix | None:
    """The sets that move the same aspects, each to any of its values; None if they are more than the budget.

    ``aspects`` says which aspect each move is of.
    """
    options = [np.flatnonzero(aspects == aspect) for aspect in aspects[np.flatnonzero(flags)]]
    if prod(len(moves) for moves in options) > max(1, budget):
        return None
    chosen = np.array(list(product(*options)), dtype=np.int64).reshape(-1, len(options))
    sets = np.zeros((len(chosen), len(flags)), dtype=bool)
    np.put_along_axis(sets, chosen, True, axis=1)
    return sets


def _all(least: int, most: int, count: int, width: int) -> BoolMatrix:
    parts = [np.zeros((0, width), dtype=bool)]
    for size in range(least, most + 1):
        chosen = _combinations(count, size)
        parts.append(np.zeros((len(chosen), width), dtype=bool))
        np.put_along_axis(parts[-1], chosen, True, axis=1)
    sets = np.concatenate(parts)
    sets.flags.writeable = False
    return sets


def _combinations(count: int, size: int) -> IntMatrix:
    """Every choice of this many of the first ``count`` numbers, in order: each row goes on with every later number."""
    chosen = np.arange(count)[:, None]
    for _ in range(size - 1):
        later = count - 1 - chosen[:, -1]
        which = np.repeat(np.arange(len(chosen)), later)
        turn = np.arange(len(which)) - (np.cumsum(later) - later)[which]
        chosen = np.column_stack([chosen[which], chosen[which, -1] + 1 + turn])
    return chosen


_remembered = lru_cache(maxsize=128)(_all)
