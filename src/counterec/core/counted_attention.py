"""X as it follows from how often a user mentions each aspect, by the rule that made the X of a space.

The rule is kept as it was at training: where attention is relative to what everybody says, everybody's mentions stay.
So the attention of one user can be made again from other counts, and mean what it meant to the model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import FloatMatrix, IntMatrix, IntVector, freeze, require
from counterec.core.praise_shares import relative_attention
from counterec.core.space import AspectSpace, attention


@dataclass(frozen=True)
class CountedAttention:
    """The rule of a space: Eq. 1, or relative to what everybody says."""

    ceiling: float
    everybody: IntVector | None = None
    """How often everybody mentions each aspect, where that matters; None: Eq. 1, where it does not."""

    def __post_init__(self) -> None:
        if self.everybody is not None:
            freeze(self, everybody=np.int64)

    @classmethod
    def of(cls, space: AspectSpace) -> CountedAttention:
        """The rule that made the X of a space as it was trained, found by making X again."""
        opinions, ceiling = space.opinions, float(space.scale.high[0])
        require(opinions is not None, "this aspect space keeps no opinions: its X cannot be made from other counts")
        assert opinions is not None
        counts = opinions.user_praises + opinions.user_complaints
        if np.array_equal(attention(counts, ceiling), space.user_attention):
            return cls(ceiling)
        return cls(ceiling, counts.sum(axis=0, dtype=np.int64))

    def rows(self, counts: IntMatrix) -> FloatMatrix:
        """X of users who mention each aspect so often, one row per user."""
        if self.everybody is None:
            return attention(counts, self.ceiling)
        return relative_attention(counts, self.ceiling, self.everybody[None])
