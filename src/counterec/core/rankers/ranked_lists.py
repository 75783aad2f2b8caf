"""The lists of a scorer under a ranker, and what becomes of an item in them with another score.

An item *stands* if it is in its user's list or, where two items are compared, if it comes before the other one in the
user's whole order. Under a monotone ranker one score decides about each item: above it the item stands, below it not.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.candidates import Candidates
from counterec.core.rankers.protocol import Ranker, list_by, position_in, require_ranker, whole_order
from counterec.core.remembered import remembered
from counterec.core.scorers.base import Scorer
from counterec.core.scorers.catalogue import catalogue_of
from counterec.core.space import AspectSpace

USERS_REMEMBERED = 256
"""Users whose scores are remembered: questions come user by user."""

FAR = 1e30
"""No ranker is asked about larger scores than this, unless a scorer returns them."""


class RankedLists:
    """What a ranker makes of the scores of each user's candidates."""

    def __init__(self, scorer: Scorer, space: AspectSpace, ranker: Ranker, candidates: Candidates, k: int) -> None:
        require_ranker(ranker)
        self.ranker, self.k = ranker, k
        self._catalogue, self._candidates = catalogue_of(scorer, space), candidates
        self._remembered = remembered(self._score_candidates, USERS_REMEMBERED)

    def scored(self, user: int) -> tuple[IntVector, FloatVector]:
        """The candidates of a user and their scores."""
        return self._remembered(user)

    def _score_candidates(self, user: int) -> tuple[IntVector, FloatVector]:
        items = self._candidates.of(user)
        scores = np.asarray(self._catalogue.for_user(user).scores(items), dtype=np.float32)
        scores.flags.writeable = False
        return items, scores

    def listed(self, user: int, item: int | None = None, score: float | np.float32 = 0.0) -> IntVector:
        """The list of a user, with another score of one item, if one is given."""
        items, scores = self._with(user, item, score)
        return list_by(self.ranker, user, items, scores, self.k)

    def order(self, user: int, item: int | None = None, score: float | np.float32 = 0.0) -> tuple[IntVector, int]:
        """All candidates of a user in their order, and how many of them are the list."""
        items, scores = self._with(user, item, score)
        return whole_order(self.ranker, user, items, scores, self.k)

    def position(self, user: int, item: int, score: float | np.float32 | None = None) -> int:
        """Where an item stands, counted from 1; what is not in the list comes after place K."""
        order, listed = self.order(user) if score is None else self.order(user, item, score)
        return position_in(order, listed, self.k, item)

    def stands(self, user: int, item: int, score: float | np.float32, versus: int | None = None) -> bool:
        """Whether an item with this score is in the list or, if another one is given, comes before that."""
        if versus is None:
            return bool((self.listed(user, item, score) == item).any())
        order, _ = self.order(user, item, score)
        return bool((order == item).argmax() < (order == versus).argmax())

    def _with(self, user: int, item: int | None, score: float | np.float32) -> tuple[IntVector, FloatVector]:
        items, scores = self.scored(user)
        if item is not None:
            scores = scores.copy()
            scores[np.searchsorted(items, item)] = score
        return items, scores

    def threshold(self, user: int, item: int, versus: int | None = None) -> tuple[float, float]:
        """The largest score with which the item does not stand, and the next one, with which it does.

        Found by bisection over all numbers of single precision, which a monotone ranker allows. An end is NaN if the
        item stands with any score, or with none.
        """
        far = np.float32(max(FAR, 2 * float(np.abs(self.scored(user)[1]).max(initial=0))))
        return threshold(lambda score: self.stands(user, item, score, versus), far)


def threshold(stands: Callable[[np.float32], bool], far: np.float32) -> tuple[float, float]:
    """The largest score between −far and far that does not stand, and the next one, where ``stands`` never falls."""
    low, high = _place_of(-far), _place_of(far)
    if stands(_score_at(low)):
        return float("nan"), float(-far)
    if not stands(_score_at(high)):
        return float(far), float("nan")
    while high - low > 1:
        middle = (low + high) // 2
        if stands(_score_at(middle)):
            high = middle
        else:
            low = middle
    return float(_score_at(low)), float(_score_at(high))


def _place_of(score: np.float32) -> int:
    """The number of a float, in the order of floats; −0 and 0 have the same."""
    bits = int(np.array([score], dtype=np.float32).view(np.int32)[0])
    return bits if bits >= 0 else -(bits & 0x7FFFFFFF)


def _score_at(place: int) -> np.float32:
    """The float of this number."""
    found = np.array([abs(place)], dtype=np.int32).view(np.float32)[0]
    return np.float32(-found if place < 0 else found)
