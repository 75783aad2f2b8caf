"""Where, on its way from no flip to a flip, a change first has flipped: regula falsi for many ways at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.explainers.tolerances import LEAST_STEP, LEAST_STEP_BACK, NARROWEST, OVERSHOOT

ROUNDS = 12
"""The most probes of one way."""


def crossings(
    gap_at: Callable[[IntVector, FloatVector], FloatVector], gap_low: FloatVector, gap_high: FloatVector
) -> FloatVector:
    """Return for each way a share of it, in (0, 1], that flips, just beyond the crossing.

    ``gap_at(ways, shares)`` probes some of the ways; ``gap_low`` > 0 and ``gap_high`` < 0 are the gaps at share 0 and
    1. Regula falsi in the Illinois form, aimed a little beyond the crossing, since only the far side is of use. The
    gap of a ReLU net is piecewise linear, so that the last piece is solved in one step.
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
        share = np.clip(share, low[going] + LEAST_STEP * width, high[going] - LEAST_STEP_BACK * width).astype(
            np.float32
        )
        gap = gap_at(going, share)
        flips = gap < 0
        past, short = going[flips], going[~flips]
        # Illinois: an end that stays for the second time counts half, or the other would creep towards it for ever.
        above[past[last[past] > 0]] *= 0.5
        below[short[last[short] < 0]] *= 0.5
        high[past], found_gap[past], below[past], last[past] = share[flips], gap[flips], (gap - aim[going])[flips], 1
        low[short], above[short], last[short] = share[~flips], (gap - aim[going])[~flips], -1
        going = going[(found_gap[going] < 2 * aim[going]) & (high[going] - low[going] > NARROWEST)]
    return high
