"""Slow and plain: what becomes of a list if some reviews had not been written. Imports nothing from the explainers."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import exp

import numpy as np

from tests import naive

Mention = tuple[int, int, int, int]
"""User, item, aspect, sentiment."""


@dataclass(frozen=True)
class PlainHistory:
    """Everything that a score is made of, as plain values."""

    net: naive.Arrays
    qualities: np.ndarray
    mentions: tuple[Mention, ...]
    reviewed: tuple[frozenset[int], ...]
    """Per user the items that they have reviewed."""
    matrix: np.ndarray
    """B[j, i]: what past item j gives to item i."""
    weight: np.ndarray
    relative: bool = False
    ceiling: float = 5.0

    def attention(self, user: int, removed: Collection[int]) -> np.ndarray:
        """X from the mentions that remain; what everybody says stays."""
        aspects = range(self.qualities.shape[1])
        own = [aspect for who, item, aspect, _ in self.mentions if who == user and item not in removed]
        counts, everybody = ([said.count(k) for k in aspects] for said in (own, [m[2] for m in self.mentions]))
        return np.array([self._value(counts, everybody, aspect) for aspect in aspects], dtype=np.float32)

    def _value(self, counts: list[int], everybody: list[int], aspect: int) -> float:
        t = counts[aspect]
        if t == 0:
            return 0.0
        if self.relative:
            return 1 + (self.ceiling - 1) * t / (t + 1 + sum(counts) * everybody[aspect] / sum(everybody))
        return 1 + (self.ceiling - 1) * (2 / (1 + exp(-t)) - 1)

    def scores(self, user: int, items: np.ndarray, removed: Collection[int]) -> np.ndarray:
        """The score of each item, in double precision, without the reviews of these items."""
        attention, past = self.attention(user, removed), self.reviewed[user] - set(removed)
        related = [self.weight[user] * sum(float(self.matrix[j, item]) for j in past) for item in items]
        return naive.shared_scores(self.net, attention, self.qualities[items]) + np.array(related)

    def lead(self, user: int, item: int, items: np.ndarray, k: int, removed: Collection[int]) -> float:
        """How far the item is ahead of the Kth best of the others."""
        scores = self.scores(user, items, removed)
        others = sorted(scores[items != item], reverse=True)
        return float(scores[items == item][0] - others[k - 1])

    def position(self, user: int, item: int, items: np.ndarray, removed: Collection[int]) -> int:
        """Where the item stands, counted from 1."""
        return naive.order(self.scores(user, items, removed), items).index(item) + 1

    def sets(self, user: int, size: int) -> Iterator[tuple[int, ...]]:
        """All sets of so many of the user's reviews, by their items."""
        return combinations(sorted(self.reviewed[user]), size)

    def smallest(self, user: int, item: int, items: np.ndarray, k: int, margin: float) -> int | None:
        """How many reviews must go at least, by trying all sets; None if none does."""
        for size in range(1, len(self.reviewed[user]) + 1):
            if any(self.lead(user, item, items, k, removed) < -margin for removed in self.sets(user, size)):
                return size
        return None
