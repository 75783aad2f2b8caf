"""Every tolerance of the core: what counts as a flip, a tie, near, settled or smaller, each with its reason.

None has a unit. A *share of the spread* is a share of the standard deviation of the scores of the user's candidates; a
*share of the scores* is a share of the largest absolute score among them, which is what rounding grows with.
"""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import FloatVector

# What flips.

MARGIN = 1e-4
"""A flip clears the target by this share of the spread, so that it means something among these scores."""

ROUNDING = 16 * 2.0**-23
"""It also clears it by this share of the scores, so that the order of summation cannot undo it."""


def margin_of(spread: FloatVector, largest: FloatVector, share: float = MARGIN) -> FloatVector:
    """m = max(share · spread, 16 · 2⁻²³ · largest |score|): by how much a flip clears its target."""
    return np.maximum(share * spread, ROUNDING * largest).astype(np.float32)


SAFETY = 1.2
"""Solvers aim past the margin by this factor, so that float noise between batches cannot undo a flip they found."""

NEAR = 2 * (SAFETY - 1)
"""A set that misses the solvers' aim by less than this many margins may still flip: the scorer itself decides."""

BOUND_ROUNDING = ROUNDING / 2
"""A bound on the score proves a miss only if it misses by this share of the scores: the scorer rounds, too. It is less
than any margin, so that a score that never changes is proven not to flip."""

# What ties.

BATCH_ROUNDING = 1e-4
"""Scores of equal vectors differ between batches by at most this share of the scores: further apart is no tie."""

TIED = 2e-6
"""Scores within this share of the scores are tied when rivals are counted: equal vectors differ by as much."""

# Where a change crosses its target.

OVERSHOOT = 2e-3
"""A crossing is close enough once the gap beyond it is under this share of the gap before it."""

LEAST_STEP, LEAST_STEP_BACK = 0.01, 0.001
"""A step of the root search stays this share of its interval away from the lower and the upper end: one that lands on
an end learns nothing. The upper end flips and is the answer so far, so the search may come closer to it."""

NARROWEST = 1e-6
"""An interval narrower than this share of the whole move is not divided further: float32 cannot resolve it."""

WORTHWHILE = 0.999
"""A change replaces another if it costs less than this share of it; smaller gains are rounding."""

LEAST_FALL = 1e-6
"""A set's fall in score counts as at least this share of the gap when sets are compared by what they promise: a near
flip of an almost flat score would otherwise divide by zero."""

OFF_THE_KINK = 2.5e-4
"""The slope of a user's own complexity at 0, where it may have a kink, is taken this share of a span away from 0."""

# The exact search for one aspect.

SINGLE_PRECISION = 2e-5
"""Single precision may be off by this share of the scores; a segment that comes this near is resolved in double."""

EXACT_AIM = 1.005
"""The exact search solves for a crossing that clears the margin by this factor; ``SAFETY`` would cost exactness."""

CLEARLY = 1.02
"""The scorer confirms an exact crossing if it sees the margin cleared by this factor: no other batch will disagree."""

BATCH_NOISE = 2 * 2.0**-23
"""Both by no less than this share of the scores beyond the margin, by which they may differ from batch to batch."""

BARELY = 1.002
"""The factor that suffices where the score falls so slowly that ``CLEARLY`` is too far away."""

BEYOND_A_KNOWN_FLIP = 1e-5
"""Moves are searched this share further than the cost of a known flip, so that rounding cannot cut that flip off."""

NUDGES = (0.0, 1e-6, 1e-5, 1e-4, 1e-3)
"""An exact crossing lies on the boundary itself. It is lengthened by these shares, the smallest first, until the scorer
confirms the flip."""

LONGER_NUDGES = (3e-3, 1e-2)
"""Tried after ``NUDGES``, for a flip that clears the margin barely; still within what *exact* claims."""

INEXACT_NUDGES = (0.1, 1.0, 10.0, 100.0)
"""For a crossing that is lost in single precision; such a change is no longer called exact."""
