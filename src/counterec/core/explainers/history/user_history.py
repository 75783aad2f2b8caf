"""One user's candidates, scored as if some of the user's past reviews had not been written.

Without a review, its mentions are missing from the counts behind X, and its item from the user's past items. Y, the
model, the weight of the user and the candidates stay: what is no longer reviewed does not become a candidate.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from counterec.core.arrays import BoolVector, FloatMatrix, FloatVector, IntVector, require
from counterec.core.counted_attention import CountedAttention
from counterec.core.explainers.history.past_reviews import PastReviews
from counterec.core.lists import Recommendations
from counterec.core.scorers.base import ForgettingScorer, Scorer
from counterec.core.scorers.catalogue import Catalogue
from counterec.errors import UsageError

Removed = tuple[int, ...]
"""The places of reviews in the user's history, sorted."""


def is_forgetting(scorer: Scorer) -> bool:
    """Whether a scorer takes nothing from a user's past but what it can be asked to leave out."""
    return scorer.aspects_only or isinstance(scorer, ForgettingScorer)


def require_forgetting(scorer: Scorer) -> None:
    """Refuse a scorer that takes more from a user's past."""
    if is_forgetting(scorer):
        return
    raise UsageError(
        f"{type(scorer).__name__} does not say what it takes from a user's past reviews, so nobody can tell what it "
        "would do without one: ask by aspects, or give it history and offset_without"
    )


class UserHistory:
    """Scores a user's candidates without some of the reviews; what was scored is remembered."""

    def __init__(
        self,
        scorer: Scorer,
        catalogue: Catalogue,
        lists: Recommendations,
        past: PastReviews,
        attention: CountedAttention,
        user: int,
    ) -> None:
        require_forgetting(scorer)
        self.user, self.candidates = user, lists.candidates.of(user)
        self.items, self._counts = past.items_of(user), past.counts_of(user)
        self._scorer, self._catalogue, self._attention = scorer, catalogue, attention
        self._parts: dict[bytes, FloatVector] = {}
        self._scores: dict[Removed, FloatVector] = {}

    def __len__(self) -> int:
        return len(self.items)

    @property
    def linear(self) -> bool:
        """Whether no review moves X: then scores are linear in the history, each review adding its own part."""
        return not self._counts.any()

    @property
    def removable(self) -> BoolVector:
        """Which reviews can matter: those that mention an aspect, and those of past items of the collaborative part."""
        matters = np.asarray(self._counts.any(axis=1))
        if isinstance(self._scorer, ForgettingScorer):
            past, _ = self._scorer.history(self.user, self.candidates[:1])
            matters = matters | np.isin(self.items, past)
        return matters

    def scores(self, removed: Sequence[int]) -> FloatVector:
        """The scores of all candidates without these reviews, by the scorer's own forward pass."""
        key = tuple(sorted(removed))
        if key not in self._scores:
            self._scores[key] = self.scored_anew(key)
        return self._scores[key]

    def scored_anew(self, removed: Removed) -> FloatVector:
        """The same, remembered or not."""
        require(len(set(removed)) == len(removed), f"a review is removed twice: {removed}")
        gone = np.array(removed, dtype=np.int64)
        part = self._aspect_part(gone)
        if not isinstance(self._scorer, ForgettingScorer):
            return part
        offsets = self._scorer.offset_without(self.user, self.candidates, self.items[gone])
        return np.asarray(part + offsets, dtype=np.float32)

    def _aspect_part(self, gone: IntVector) -> FloatVector:
        left = self._counts.sum(axis=0) - self._counts[gone].sum(axis=0)
        attention = self._attention.rows(left[None])[0]
        key = attention.tobytes()
        if key not in self._parts:  # reviews that mention nothing leave the nets out of it
            view = self._catalogue.for_user(self.user, attention).aspect_part
            self._parts[key] = np.asarray(view.scores(self.candidates), dtype=np.float32)
        return self._parts[key]

    def effects(self, reviews: IntVector) -> FloatMatrix:
        """How much the score of each candidate changes without each of these reviews alone [reviews, candidates]."""
        now = self.scores(()).astype(np.float64)
        changes = [self.scores((review,)) - now for review in reviews.tolist()]
        return np.array(changes).reshape(len(reviews), len(now))
