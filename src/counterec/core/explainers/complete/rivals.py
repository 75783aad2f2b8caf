"""The rivals of one user's items, as far as a search looks at them: candidates, and a *reserve*.

The reserve holds items that could as well have been candidates. A verdict that depends on a single rival does not
survive another draw of candidates; how many of all rivals are ahead says how likely it does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from counterec.core.arrays import BoolVector, FloatVector, IntVector
from counterec.core.evaluation.necessity import NO_ITEMS, Head
from counterec.core.scorers.base import first_in_order
from counterec.core.scorers.catalogue import UserCatalogue

MOST_RIVALS = 400
"""If there are more candidates than this, half as many of the best are looked at, and a sample of the rest."""


@dataclass(frozen=True)
class Rivals:
    """The rivals of one user's items, as far as they are looked at."""

    items: IntVector
    scores: FloatVector
    offsets: FloatVector
    """What each score has whatever the aspects are."""
    own: BoolVector
    """Which of the items are candidates; the others belong to the reserve."""
    weights: FloatVector
    """How many rivals each item stands for."""
    all_candidates: bool
    """Whether all candidates are looked at."""
    head: Head
    """The beginning of the ranking of the candidates; mostly all of it."""

    @classmethod
    def of(cls, view: UserCatalogue, candidates: IntVector, reserve: IntVector = NO_ITEMS) -> Rivals:
        """Look at all candidates, and at the reserve, which holds further items, none of them a candidate.

        Candidates and reserve count half each, if there is a reserve.
        """
        items = np.concatenate([candidates, reserve])
        scores = view.scores(items)
        own = np.arange(len(items)) < len(candidates)
        beside = 0.5 * len(candidates) / len(reserve) if len(reserve) else 0.0
        weights = np.where(own, 0.5 if len(reserve) else 1.0, beside).astype(np.float32)
        best = np.lexsort((candidates, -scores[own]))
        return cls(items, scores, _offsets(view, items), own, weights, True, Head(candidates[best], scores[best]))

    @classmethod
    def of_many(cls, view: UserCatalogue, candidates: IntVector) -> Rivals:
        """Look at the best of very many candidates, and at a sample of the rest; so many need no reserve."""
        count = MOST_RIVALS // 2
        all_scores = view.scores(candidates)
        first = first_in_order(all_scores, candidates, count)
        head = Head(candidates[first], all_scores[first])
        rest = np.setdiff1d(candidates, head.items, assume_unique=True)
        sample = rest[:: max(1, len(rest) // count)]
        items = np.concatenate([head.items, sample])
        order = np.argsort(items)
        weights = np.repeat(np.array([1, len(rest) / len(sample)], dtype=np.float32), [count, len(sample)])
        return cls(
            items=items[order],
            scores=np.concatenate([head.scores, all_scores[np.searchsorted(candidates, sample)]])[order],
            offsets=_offsets(view, items[order]),
            own=np.ones(len(order), dtype=bool),
            weights=weights[order],
            all_candidates=False,
            head=head,
        )

    def looking_at(self, view: UserCatalogue, candidates: IntVector) -> Rivals:
        """The rivals with these candidates among them, each of which stands for itself."""
        new = np.setdiff1d(candidates, self.items)
        return replace(
            self,
            items=np.concatenate([self.items, new]),
            scores=np.concatenate([self.scores, view.scores(new)]),
            offsets=np.concatenate([self.offsets, _offsets(view, new)]),
            own=np.concatenate([self.own, np.ones(len(new), dtype=bool)]),
            weights=np.concatenate([self.weights, np.ones(len(new), dtype=np.float32)]),
        )


def _offsets(view: UserCatalogue, items: IntVector) -> FloatVector:
    return view.with_offsets(items, np.zeros(len(items), dtype=np.float32))
