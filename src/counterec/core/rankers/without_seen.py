"""Without what a user has seen: bought, watched, shown yesterday."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.interactions import Interactions
from counterec.core.rankers.first_k import FIRST_K
from counterec.core.rankers.protocol import Ranker, require_ranker


@dataclass(frozen=True, eq=False)
class WithoutSeen:
    """The candidates that the user has not seen; then the next rule."""

    seen: Interactions = field(repr=False)
    """Who has seen what."""
    then: Ranker = FIRST_K
    """What makes the list of these candidates."""

    def __post_init__(self) -> None:
        require_ranker(self.then)

    @property
    def monotone(self) -> bool:
        """What a user has seen does not depend on scores."""
        return self.then.monotone

    def ranked(self, user: int, candidates: IntVector, scores: FloatVector, k: int) -> IntVector:
        """Rank what is left."""
        new = ~np.isin(candidates, self.seen.of(user))
        return self.then.ranked(user, candidates[new], scores[new], k)
