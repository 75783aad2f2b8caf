"""Rank positions: where an item stands among a user's candidates, as it is or with other qualities.

Most positions follow from the stored beginning of the user's ranking, its *head*. Only if the head does not decide are
all candidates scored; the scorer, and PyTorch with it, is loaded then and not before.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from counterec.core.arrays import FloatVector, IntVector, require
from counterec.core.lists import ABSENT_ITEM, Recommendations
from counterec.core.remembered import remembered
from counterec.core.scorers.base import Scorer, aspect_part_of
from counterec.core.space import AspectSpace

if TYPE_CHECKING:
    from counterec.core.scorers.catalogue import Catalogue

USERS_REMEMBERED = 16
"""Users whose scores are remembered: questions about one user come in a row."""


class RankPositions:
    """Positions among the candidates of ``heads``, counted from 1.

    ``heads`` holds the beginning of each user's ranking by the scorer that ``load_scorer`` returns. The longer the
    heads, the fewer positions need the scorer.
    """

    def __init__(self, load_scorer: Callable[[], Scorer], space: AspectSpace, heads: Recommendations) -> None:
        self._load_scorer, self._space, self._heads = load_scorer, space, heads
        self._row_of = {user: row for row, user in enumerate(heads.users.tolist())}
        self._scored = remembered(self._scores, USERS_REMEMBERED)

    def before(self, user: int, item: int) -> int:
        """The position of an item as it is."""
        listed = np.flatnonzero(self._heads.items[self._row(user)] == item)
        if len(listed):
            return int(listed[0]) + 1
        items, _, scores = self._scored(user)
        return _position(items, scores, item, scores[items == item][0])

    def after(self, user: int, item: int, quality: FloatVector, score: float) -> int:
        """The position that an item would have with these qualities, which have this score.

        If the qualities are those of another candidate and only aspects count, the two have equal scores, offsets
        apart: the other's counts. Without the scorer it is unknown whether only aspects count, so the head decides if
        both scores lead to the same position.
        """
        candidates, scores = self._heads.candidates.of(user), [np.float32(score)]
        twins = candidates[_twins(self._space, candidates, quality)]
        if len(twins):
            scores.append(self._score_in_head(user, twins))
        found = {self._position_in_head(user, item, possible) for possible in scores}
        position = found.pop()
        return self._position_among_all(user, item, quality, score) if found or position is None else position

    def _row(self, user: int) -> int:
        require(user in self._row_of, f"there is no ranking of user {user}")
        return self._row_of[user]

    def _score_in_head(self, user: int, items: IntVector) -> np.float32:
        """The score of the first of these items that is in the head; NaN if none is."""
        row = self._row(user)
        listed = np.flatnonzero(np.isin(self._heads.items[row], items))
        return np.float32(self._heads.scores[row, listed[0]] if len(listed) else np.nan)

    def _position_in_head(self, user: int, item: int, score: np.float32) -> int | None:
        """The position of an item with this score, or None if an item behind the head might be ahead of it.

        No item behind the head precedes the last one of the head.
        """
        row = self._row(user)
        filled = self._heads.items[row] != ABSENT_ITEM
        items, scores = self._heads.items[row, filled], self._heads.scores[row, filled]
        everyone = len(items) == len(self._heads.candidates.of(user))
        reached = len(items) and (score > scores[-1] or (score == scores[-1] and item <= items[-1]))
        decided = reached or (everyone and not np.isnan(score))
        return _position(items, scores, item, score) if decided else None

    def _position_among_all(self, user: int, item: int, quality: FloatVector, score: float) -> int:
        items, by_aspects, scores = self._scored(user)
        twins = _twins(self._space, items, quality)
        if len(twins) and aspect_part_of(self._scorer).aspects_only:
            shared = self._catalogue.for_user(user).with_offsets(np.array([item]), by_aspects[twins[:1]])
            score = float(shared[0])
        return _position(items, scores, item, np.float32(score))

    def _scores(self, user: int) -> tuple[IntVector, FloatVector, FloatVector]:
        """The candidates, their scores by the aspect part, and their whole scores."""
        items, view = self._heads.candidates.of(user), self._catalogue.for_user(user)
        by_aspects = view.aspect_part.scores(items)
        return items, by_aspects, view.with_offsets(items, by_aspects)

    @cached_property
    def _scorer(self) -> Scorer:
        return self._load_scorer()

    @cached_property
    def _catalogue(self) -> Catalogue:
        from counterec.core.scorers.catalogue import catalogue_of  # imports PyTorch

        return catalogue_of(self._scorer, self._space)


def _position(items: IntVector, scores: FloatVector, item: int, score: np.float32) -> int:
    ahead = (scores > score) | ((scores == score) & (items < item))
    return 1 + int((ahead & (items != item)).sum())


def _twins(space: AspectSpace, items: IntVector, quality: FloatVector) -> IntVector:
    """The places, among these sorted items, of those that have these qualities."""
    alike = space.items_like(quality)
    places = np.searchsorted(items, alike)
    inside = places < len(items)
    return places[inside][items[places[inside]] == alike[inside]]


def score_among(space: AspectSpace, items: IntVector, scores: FloatVector, quality: FloatVector, score: float) -> float:
    """The score of a vector among scored items, for a scorer that uses aspects only.

    A vector equal to an item's gets exactly that item's score: float results vary with the batch.
    """
    twins = _twins(space, items, quality)
    return float(scores[twins[0]]) if len(twins) else score
