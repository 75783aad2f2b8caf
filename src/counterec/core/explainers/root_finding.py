"""Where a move from no flip to a flip first flips, for many moves at once.

``crossings`` needs few probes if the gap is nearly a straight line. ``halvings`` works for any gap, even one that is
mostly flat. ``sections`` needs few calls: it tries many points in each, for a scorer that takes as long for one row as
for a thousand.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector
from counterec.core.explainers.tolerances import LEAST_STEP, LEAST_STEP_BACK, NARROWEST, OVERSHOOT

ROUNDS = 12
"""Probes of one move at most."""

EVEN_POINTS = 11
"""Points of a section that divide it evenly."""

POINTS_AT_THE_LINE = (-0.02, -0.004, 0.0, 0.001, 0.004, 0.02)
"""Further points, where a straight line through the ends crosses and these shares of the section beyond it."""

SECTION_ROUNDS = 3
"""Calls at most; a move is known to within 12⁻³ then, also where the gap is mostly flat."""

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
    """Return for each move a share in (0, 1] that flips, just beyond the first crossing that shows.

    All points of a round are one call: evenly spaced ones, which work for any gap, and some around the crossing of the
    straight line between the ends, which are enough if the gap is nearly one.
    """
    low, high = np.zeros(len(gap_low), dtype=np.float32), np.ones(len(gap_high), dtype=np.float32)
    above, below = gap_low.astype(np.float64), gap_high.astype(np.float64)
    enough = -OVERSHOOT * above
    going = np.flatnonzero(below < enough)
    for _ in range(SECTION_ROUNDS):
        if not len(going):
            break
        width = (high - low)[going]
        shares = low[going, None] + width[:, None] * _section_points(above[going], below[going])
        shares = np.clip(shares, low[going, None], high[going, None]).astype(np.float32)
        gaps = gap_at(np.repeat(going, shares.shape[1]), shares.ravel()).reshape(shares.shape)
        # The ends are known: the first flip lies between the last miss before it and itself.
        shares = np.column_stack([low[going], shares, high[going]])
        gaps = np.column_stack([above[going], gaps, below[going]])
        first, rows = (gaps < 0).argmax(axis=1), np.arange(len(going))
        low[going], above[going] = shares[rows, first - 1], gaps[rows, first - 1]
        high[going], below[going] = shares[rows, first], gaps[rows, first]
        going = going[(below[going] < enough[going]) & ((high - low)[going] > NARROWEST)]
    return high


def _section_points(above: FloatVector, below: FloatVector) -> FloatMatrix:
    """For each section the shares of it to be tried, in order."""
    even = np.arange(1, EVEN_POINTS + 1) / (EVEN_POINTS + 1)
    line = (above / (above - below))[:, None] + np.array(POINTS_AT_THE_LINE)
    points = np.concatenate([np.broadcast_to(even, (len(above), EVEN_POINTS)), line], axis=1)
    return np.sort(np.clip(points, 0, 1), axis=1)
