"""The order of ranking: *a* precedes *b* if its score is higher, or equal and its number smaller."""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import FloatVector, IntVector, require


def first_in_order(scores: FloatVector, numbers: IntVector, count: int) -> IntVector:
    """Return the places of the first ``count`` items in the order of ranking."""
    require(not np.isnan(scores).any(), "a scorer returned NaN; every score must be a number")
    if len(scores) > count:
        least = np.partition(scores, len(scores) - count)[len(scores) - count]
        eligible = np.flatnonzero(scores >= least)
    else:
        eligible = np.arange(len(scores))
    order = np.lexsort((numbers[eligible], -scores[eligible]))
    return eligible[order[:count]]
