"""Boosts: some items get something on top of their scores, or lose something."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from counterec.core.arrays import FloatVector, IntVector, freeze, require, require_finite
from counterec.core.rankers.first_k import FIRST_K
from counterec.core.rankers.protocol import Ranker, require_ranker


@dataclass(frozen=True, eq=False)
class Boosts:
    """Every score plus the boost of its item; then the next rule."""

    boosts: FloatVector = field(repr=False)
    """What each item gets on top of its score, in the units of the scores; 0 for most."""
    then: Ranker = FIRST_K
    """What makes the list of these scores."""

    def __post_init__(self) -> None:
        freeze(self, boosts=np.float32)
        require(self.boosts.ndim == 1, "boosts must be a vector, a number for every item")
        require_finite("boosts", self.boosts)
        require_ranker(self.then)

    @property
    def monotone(self) -> bool:
        """The boost of an item does not depend on its score."""
        return self.then.monotone

    def ranked(self, user: int, candidates: IntVector, scores: FloatVector, k: int) -> IntVector:
        """Rank by the boosted scores."""
        return self.then.ranked(user, candidates, scores + self.boosts[candidates], k)
