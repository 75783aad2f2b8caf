"""Everybody's past reviews that a model knows: of which item, and which aspects each mentions how often."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import IntMatrix, IntVector, freeze, require, require_shape
from counterec.core.interactions import Interactions
from counterec.core.mention_counts import MentionNumbers
from counterec.core.space import AspectSpace


@dataclass(frozen=True)
class PastReviews:
    """One review per pair of a user and an item, sorted; ``aspects`` are those of all mentions, review by review."""

    reviews: Interactions
    mention_starts: IntVector
    """The mentions of review n are those from ``mention_starts[n]`` to ``mention_starts[n + 1]``."""
    aspects: IntVector
    n_aspects: int

    def __post_init__(self) -> None:
        freeze(self, mention_starts=np.int64, aspects=np.int64)
        require_shape("mention_starts", self.mention_starts, (len(self.reviews) + 1,))
        require((np.diff(self.mention_starts) >= 0).all(), "mention_starts must not decrease")
        require(
            self.mention_starts[0] == 0 and self.mention_starts[-1] == len(self.aspects),
            f"mention_starts goes from {self.mention_starts[0]} to {self.mention_starts[-1]}, "
            f"but there are {len(self.aspects)} mentions",
        )
        inside = (self.aspects >= 0) & (self.aspects < self.n_aspects)
        require(inside.all(), f"a mention names an aspect outside 0 to {self.n_aspects - 1}")

    @classmethod
    def of(cls, reviews: Interactions, mentions: MentionNumbers, n_aspects: int) -> PastReviews:
        """The reviews with those of the mentions that stand in them."""
        keys = reviews.users * reviews.n_items + reviews.items
        said = mentions.users * reviews.n_items + mentions.items
        inside = reviews.contain(mentions.users, mentions.items)
        place = np.searchsorted(keys, said[inside])
        order = np.argsort(place, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(place, minlength=len(reviews)))])
        return cls(reviews, starts, mentions.aspects[inside][order], n_aspects)

    def items_of(self, user: int) -> IntVector:
        """The items that the user has reviewed, sorted."""
        return self.reviews.of(user)

    def counts_of(self, user: int) -> IntMatrix:
        """How often each review of the user, in the order of ``items_of``, mentions each aspect."""
        first, last = np.searchsorted(self.reviews.users, [user, user + 1]).tolist()
        found = np.zeros((last - first, self.n_aspects), dtype=np.int64)
        review = np.repeat(np.arange(last - first), np.diff(self.mention_starts[first : last + 1]))
        said = self.aspects[self.mention_starts[first] : self.mention_starts[last]]
        np.add.at(found, (review, said), 1)
        return found

    def require_behind(self, space: AspectSpace, user: int) -> None:
        """Raise unless these reviews are exactly what the user's attention was counted from."""
        require(space.opinions is not None, "this aspect space keeps no opinions: nobody knows which review gave what")
        assert space.opinions is not None
        known = space.opinions.user_praises[user] + space.opinions.user_complaints[user]
        said = (
            f"the past reviews of {space.users.texts[user]} do not hold the mentions that their attention was made from"
        )
        require(np.array_equal(self.counts_of(user).sum(axis=0), known), said)
