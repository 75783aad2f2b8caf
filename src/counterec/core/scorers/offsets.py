"""The two parts of a score: what follows from aspects, and an offset that no aspect moves.

Every scorer has an aspect part; of one without an offset, it is the scorer itself, and the offset is 0.
"""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.scorers.protocols import Scorer, has_offset


def aspect_part_of(scorer: Scorer) -> Scorer:
    """The part of the scorer that sees aspects."""
    return scorer.aspect_part if has_offset(scorer) else scorer


def offsets_of(scorer: Scorer, users: IntVector, items: IntVector) -> FloatVector:
    """What each pair gets whatever its aspects are."""
    if not has_offset(scorer):
        return np.zeros(len(users), dtype=np.float32)
    return np.asarray(scorer.offset(users, items), dtype=np.float32)
