"""Places: where an item stands among a user's candidates, or would stand with other qualities."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.candidates import Candidates
from counterec.core.lists import Recommendations
from counterec.core.scorers.protocols import Scorer
from counterec.core.scorers.ranking import SharedScores
from counterec.core.space import AspectSpace

USERS_REMEMBERED = 16
"""Users whose scores are remembered: questions about one come one after another."""


class RankPositions:
    """The places of a scorer's candidates; those in the lists are the lists' own."""

    def __init__(self, scorer: Scorer, space: AspectSpace, candidates: Candidates, lists: Recommendations) -> None:
        self._space, self._candidates, self._lists = space, candidates, lists
        self._shared, self._aspects_only = SharedScores(scorer, space), scorer.aspects_only
        # Bound to this object, so that what is remembered goes when it goes.
        self._scored = lru_cache(USERS_REMEMBERED)(self._scores)

    def _scores(self, user: int) -> tuple[IntVector, FloatVector]:
        items = self._candidates.of(user)
        return items, self._shared.of(user, items)

    def of(self, user: int, item: int) -> int:
        """Which place an item has, counted from 1."""
        listed = np.flatnonzero(self._lists.items[self._lists.rows_of(np.array([user]))[0]] == item)
        if len(listed):
            return int(listed[0]) + 1
        items, scores = self._scored(user)
        return self._place(items, scores, item, float(scores[items == item][0]))

    def after(self, user: int, item: int, quality: FloatVector, score: float) -> int:
        """Which place an item would have with these qualities, which score so much."""
        items, scores = self._scored(user)
        if self._aspects_only:
            score = score_among(self._space, items, scores, quality, score)
        return self._place(items, scores, item, score)

    @staticmethod
    def _place(items: IntVector, scores: FloatVector, item: int, score: float) -> int:
        ahead = (scores > score) | ((scores == score) & (items < item))
        return 1 + int((ahead & (items != item)).sum())


def score_among(space: AspectSpace, items: IntVector, scores: FloatVector, quality: FloatVector, score: float) -> float:
    """The score of a vector among scored items, where aspects are all that counts.

    An item that has become another's equal gets that one's very score: float results vary with the batch.
    """
    twins = np.flatnonzero((space.item_quality[items] == quality).all(axis=1))
    return float(scores[twins[0]]) if len(twins) else score
