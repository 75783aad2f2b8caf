"""Where an item stands among the scored candidates of its user: in the list, or off it by how much.

Without rules after the score, an item is off the list if K others precede it. By the rules of flips it has left the
list if its score is below that of the Kth best of the others, the *target*, by more than the margin.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.explainers.question import Direction, crossed
from counterec.core.list_rules import Ranker, list_by, position_in, whole_order
from counterec.core.lists import ABSENT_ITEM
from counterec.core.scorers.base import first_in_order


@dataclass(frozen=True)
class Place:
    """One item among candidates that are sorted by their numbers."""

    user: int
    item: int
    candidates: IntVector
    k: int
    margin: float
    ranker: Ranker | None = None

    @property
    def at(self) -> int:
        """Where the item is among the candidates."""
        return int(np.searchsorted(self.candidates, self.item))

    def target(self, scores: FloatVector) -> float:
        """The Kth best score of the other candidates; NaN where there are fewer."""
        return self._best_others(scores) if self.has_target else np.nan

    @property
    def has_target(self) -> bool:
        """Whether there are K other candidates: with fewer, nothing takes the item off the list."""
        return len(self.candidates) > self.k

    def gap(self, scores: FloatVector) -> float:
        """How far the item is ahead of its target, negative if it is behind; of fewer others, of the last of them."""
        return float(scores[self.at]) - self._best_others(scores)

    def _best_others(self, scores: FloatVector) -> float:
        """The Kth best score of the others, or the last of fewer; 0 where there are none."""
        others = np.delete(scores, self.at)
        last = len(others) - min(self.k, len(others))
        return float(np.partition(others, last)[last]) if len(others) else 0.0

    def left(self, scores: FloatVector) -> bool:
        """Whether the item has left the list: by the margin or, where a ranker decides, by not being in its list."""
        if self.ranker is not None:
            return self.item not in list_by(self.ranker, self.user, self.candidates, _single(scores), self.k)
        score, target, margin = (_single([value]) for value in (scores[self.at], self.target(scores), self.margin))
        return bool(crossed(score, target, Direction.LOWER, margin)[0])

    def position(self, scores: FloatVector) -> int:
        """The position of the item, counted from 1."""
        if self.ranker is not None:
            order, listed = whole_order(self.ranker, self.user, self.candidates, _single(scores), self.k)
            return position_in(order, listed, self.k, self.item)
        own = scores[self.at]
        ahead = (scores > own) | ((scores == own) & (self.candidates < self.item))
        return 1 + int(ahead.sum())

    def entered(self, before: FloatVector, after: FloatVector) -> int:
        """The best item that is in the list after, and was not before; −1 if there is none."""
        old, new = self._listed(before), self._listed(after)
        fresh = new[~np.isin(new, old)]
        return int(fresh[0]) if len(fresh) else ABSENT_ITEM

    def _listed(self, scores: FloatVector) -> IntVector:
        if self.ranker is not None:
            return list_by(self.ranker, self.user, self.candidates, _single(scores), self.k)
        return self.candidates[first_in_order(scores, self.candidates, self.k)]


def _single(values: FloatVector | list[float]) -> FloatVector:
    return np.asarray(values, dtype=np.float32)
