"""Positions under a ranker: where an item stands in its user's whole order, as it is or with another score."""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.candidates import Candidates
from counterec.core.rankers.protocol import Ranker
from counterec.core.rankers.ranked_lists import RankedLists
from counterec.core.scorers.base import Scorer
from counterec.core.space import AspectSpace


class RankedPositions:
    """Positions count from 1; what is not in the list comes after place K."""

    def __init__(self, scorer: Scorer, space: AspectSpace, ranker: Ranker, candidates: Candidates, k: int) -> None:
        self._lists = RankedLists(scorer, space, ranker, candidates, k)

    def before(self, user: int, item: int) -> int:
        """The position of an item as it is."""
        return self._lists.position(user, item)

    def after(self, user: int, item: int, quality: FloatVector, score: float) -> int:  # noqa: ARG002
        """The position that an item would have with these qualities, which have this score."""
        return self._lists.position(user, item, score)

    def entered(self, user: int, item: int, score: float) -> IntVector:
        """The items that enter the list if an item gets this score."""
        return np.setdiff1d(self._lists.listed(user, item, score), self._lists.listed(user))
