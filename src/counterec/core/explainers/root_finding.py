"""Where a move from no flip to a flip first flips, for many moves at once.

``crossings`` needs few probes if the gap is nearly a straight line. ``halvings`` works for any gap, even one that is
mostly flat. ``sections`` does, too, in few calls of many probes each: for a scorer that takes as long for one row as
for a thousand.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector
from counterec.core.explainers.tolerances import LEAST_STEP, LEAST_STEP_BACK, NARROWEST, OVERSHOOT

ROUNDS = 12
"""Probes of one move at most."""

SECTIONS, SECTION_ROUNDS = 32, 2
"""A move is cut into this many sections, and the one that crosses first is cut again, this often in all."""

POINTS_AT_THE_LINE = (-0.02, -0.004, 0.0, 0.001, 0.004, 0.02)
"""Further points, where a straight line through the ends crosses and these shares of the section beyond it."""

GapAt = Callable[[IntVector, FloatVector], FloatVector]
"""From some of the moves and a share of each to the gaps there."""

RootFinder = Callable[[GapAt, FloatVector, FloatVector], FloatVector]
"""From the gaps along moves, at share 0 (above 0) and at share 1 (below 0) to a share of each that flips."""


def crossings(gap_at: GapAt, gap_low: FloatVector, gap_high: FloatVector) -> FloatVector:
    """Return for each move a share in (0, 1] that flips, just beyond the crossing.

    Regula falsi in the Illinois form, aimed a little beyond the crossing, since only the far side is of use. The gap of
    a ReLU net is piecewise linear, so the last piece is solved in one step.
    """
    low, high = np.zeros_like(gap_low), np.ones_like(gap_high)
    aim = -0.5 * OVERSHOOT * gap_low
    above, below = gap_low - aim, gap_high - aim
    found_gap, last = gap_high.copy(), np.zeros(len(low), dtype=np.int8)
    going = np.flatnonzero(found_gap < 2 * aim)
    for _ in range(ROUNDS):
        if not len(going):
            break
        width = high[going] - low[going]
        share = low[going] + width * above[going] / (above[going] - below[going])
        share = np.clip(share, low[going] + LEAST_STEP * width, high[going] - LEAST_STEP_BACK * width)
        share = share.astype(np.float32)
        gap = gap_at(going, share)
        flips = gap < 0
        past, short = going[flips], going[~flips]
        # Illinois: an end that stays for the second time counts half, or the other end would creep towards it.
        above[past[last[past] > 0]] *= 0.5
        below[short[last[short] < 0]] *= 0.5
        high[past], found_gap[past], below[past], last[past] = share[flips], gap[flips], (gap - aim[going])[flips], 1
        low[short], above[short], last[short] = share[~flips], (gap - aim[going])[~flips], -1
        going = going[(found_gap[going] < 2 * aim[going]) & (high[going] - low[going] > NARROWEST)]
    return high


def halvings(gap_at: GapAt, gap_low: FloatVector, gap_high: FloatVector) -> FloatVector:
    """Return for each move a share in (0, 1] that flips, within 2^−12 beyond a crossing."""
    low, high = np.zeros(len(gap_low), dtype=np.float32), np.ones(len(gap_high), dtype=np.float32)
    everything = np.arange(len(low))
    for _ in range(ROUNDS):
        middle = (low + high) / 2
        flips = gap_at(everything, middle) < 0
        low, high = np.where(flips, low, middle), np.where(flips, middle, high)
    return high


def sections(gap_at: GapAt, gap_low: FloatVector, gap_high: FloatVector) -> FloatVector:
    """Return for each move a share in (0, 1] that flips: the first of a grid, refined to 1/1024 of the move.

    All points of a round are one call: evenly spaced ones, which work for any gap, and some around the crossing of the
    straight line between the ends, which come very near if the gap is nearly one.
    """
    low, high = np.zeros(len(gap_low), dtype=np.float32), np.ones(len(gap_high), dtype=np.float32)
    above, below = gap_low.astype(np.float64), gap_high.astype(np.float64)
    rows = np.arange(len(low))
    for _ in range(SECTION_ROUNDS if len(low) else 0):
        points = low[:, None] + (high - low)[:, None] * _section_points(above, below)
        points = np.clip(points, low[:, None], high[:, None]).astype(np.float32)
        gaps = gap_at(np.repeat(rows, points.shape[1]), points.ravel()).reshape(points.shape)
        # The ends are known: the first flip lies between the last miss before it and itself.
        ends, gaps = np.column_stack([low, points, high]), np.column_stack([above, gaps, below])
        flips = gaps < 0
        flips[:, 0], flips[:, -1] = False, True
        first = flips.argmax(axis=1)
        low, above = ends[rows, first - 1], gaps[rows, first - 1]
        high, below = ends[rows, first], gaps[rows, first]
    return high


def _section_points(above: FloatVector, below: FloatVector) -> FloatMatrix:
    """For each move the shares of it to be tried, in order."""
    even = np.broadcast_to(np.arange(1, SECTIONS) / SECTIONS, (len(above), SECTIONS - 1))
    fall = above - below
    line = np.divide(above, fall, out=np.full(len(above), 0.5), where=fall > 0)[:, None] + np.array(POINTS_AT_THE_LINE)
    return np.sort(np.clip(np.concatenate([even, line], axis=1), 0, 1), axis=1)
