"""The rankings that any recommender has to beat: by popularity and by chance."""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.scorers.protocols import PairBatch
from counterec.randomness import generator


class PopularityScorer:
    """Scores an item by its number of interactions, the same for every user; uses no aspects."""

    aspects_only = False

    def __init__(self, interactions: IntVector, items: int) -> None:
        self._counts = np.bincount(interactions, minlength=items).astype(np.float32)

    def score(self, pairs: PairBatch) -> FloatVector:
        """Return the number of training interactions of each pair's item."""
        return self._counts[pairs.items]


class RandomScorer:
    """Scores each pair of a user and an item by a number drawn from the seed."""

    aspects_only = False

    def __init__(self, items: int, seed: int) -> None:
        self._items, self._seed = items, seed

    def score(self, pairs: PairBatch) -> FloatVector:
        """Return the same number for the same pair, whatever the batch."""
        scores = np.empty(len(pairs.users), dtype=np.float32)
        for user in np.unique(pairs.users):
            drawn = generator(self._seed, "random ranking", int(user)).random(self._items, dtype=np.float32)
            scores[pairs.users == user] = drawn[pairs.items[pairs.users == user]]
        return scores
