"""What a set of reviews promises: the gap that it would leave if its reviews' own effects added up.

Where scores are linear in the history they do add up, and a promise is a fact but for rounding: then the fewest reviews
that could ever put enough others ahead are found by sorting, and what does not promise to flip need not be scored.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from counterec.core.arrays import BoolVector, FloatMatrix, FloatVector, IntMatrix, row_chunks
from counterec.core.explainers.tolerances import ROUNDING

MOST_RIVALS = 300
"""Where promises are no facts, only the candidates that come nearest to passing the item are looked at."""
NUMBERS_AT_ONCE = 4_000_000


@dataclass(frozen=True)
class Promises:
    """The gaps of an item to its rivals, and what each review's absence adds to them [reviews, rivals]."""

    gaps: FloatVector
    effects: FloatMatrix
    k: int
    margin: float
    room: float
    """By how much rounding may move a promise, for each review that is removed."""

    @classmethod
    def of(cls, scores: FloatVector, effects: FloatMatrix, at: int, k: int, margin: float, *, exact: bool) -> Promises:
        """From the candidates' scores, the effects on them, and the place of the item.

        ``exact``: promises are facts, so no rival is left out that any set of reviews could put ahead.
        """
        gaps, added = scores[at] - np.delete(scores, at), effects[:, [at]] - np.delete(effects, at, axis=1)
        room = ROUNDING / 4 * float(max(np.abs(scores).max(), np.abs(scores + effects).max(initial=0)))
        nearest = gaps + np.minimum(added, 0).sum(axis=0)
        order = np.argsort(nearest, kind="stable")
        if exact:
            possible = nearest[order] < -margin + room * (1 + len(effects))
            order = order[: max(k, int(possible.sum()))]
        else:
            order = order[: max(k, MOST_RIVALS)]
        return cls(gaps[order].astype(np.float64), added[:, order].astype(np.float64), k, margin, room)

    def gap(self, sets: IntMatrix) -> FloatVector:
        """The gap that each of these sets [sets, size] promises."""
        found, reach = np.empty(len(sets)), min(self.k, len(self.gaps))
        width = max(1, len(self.gaps) * max(1, sets.shape[1]))
        for rows in row_chunks(len(sets), max(1, NUMBERS_AT_ONCE // width)):
            left = self.gaps + self.effects[sets[rows]].sum(axis=1)
            found[rows] = np.partition(left, reach - 1, axis=1)[:, reach - 1] if reach else 0.0
        return found

    def may_flip(self, promised: FloatVector, size: int) -> BoolVector:
        """Which gaps of sets of this size may be flips, whatever rounding does."""
        return promised < -self.margin + self.room * (1 + size)

    @property
    def least(self) -> int | None:
        """So many reviews at least have to go before K rivals can be ahead; None if no number does.

        The fewest that put one rival ahead are those with the strongest effects on it. K rivals must be ahead, perhaps
        by different reviews: so at least as many go as the Kth easiest rival takes.
        """
        strongest = np.sort(np.minimum(self.effects, 0), axis=0)
        gaps = self.gaps + np.vstack([np.zeros(len(self.gaps)), np.cumsum(strongest, axis=0)])
        for size, of_rivals in enumerate(gaps):
            if self.may_flip(of_rivals, size).sum() >= self.k:
                return size
        return None


def sets_of(reviews: int, size: int) -> IntMatrix:
    """All sets of this size [sets, size], in lexicographic order."""
    flat: Iterable[int] = (review for one in combinations(range(reviews), size) for review in one)
    return np.fromiter(flat, dtype=np.int64).reshape(-1, size)
