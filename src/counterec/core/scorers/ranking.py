"""Ranking: *a* precedes *b* if its score is higher, or equal and its number smaller."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from counterec.core.arrays import FloatVector, IntVector, require
from counterec.core.candidates import Candidates
from counterec.core.lists import ABSENT_ITEM, Recommendations
from counterec.core.scorers.catalogue import catalogue_of
from counterec.core.scorers.protocols import PairBatch, Scorer
from counterec.core.space import AspectSpace

Progress = Callable[[int], None]
"""Told how many users more are done."""


def no_progress(_: int) -> None:
    """Tell nobody."""


class SharedScores:
    """The scores of one user's items, equal vectors sharing one score where aspects are all that counts."""

    def __init__(self, scorer: Scorer, space: AspectSpace) -> None:
        self.catalogue = catalogue_of(scorer, space)
        if scorer.aspects_only:
            _, self._first, self._group = np.unique(space.item_quality, axis=0, return_index=True, return_inverse=True)
        else:
            self._first = self._group = np.arange(len(space.items))

    def of(self, user: int, items: IntVector) -> FloatVector:
        """Return the scores of these items for this user."""
        self.catalogue.turn_to(user)
        groups, place = np.unique(self._group[items], return_inverse=True)
        return self.catalogue.scores(self._first[groups])[place]


def rank(
    scorer: Scorer,
    space: AspectSpace,
    candidates: Candidates,
    k: int,
    users: IntVector | None = None,
    progress: Progress = no_progress,
) -> Recommendations:
    """Return the first K+1 candidates of each user, by default of all; memory is bounded by one user's candidates."""
    require(k >= 1, f"k is {k}; a list has at least one item")
    chosen = np.arange(len(space.users)) if users is None else np.asarray(users, dtype=np.int64)
    scores_of = SharedScores(scorer, space)
    items = np.full((len(chosen), k + 1), ABSENT_ITEM)
    scores = np.full((len(chosen), k + 1), np.nan, dtype=np.float32)
    for row, user in enumerate(chosen):
        own = candidates.of(int(user))
        own_scores = scores_of.of(int(user), own)
        first = first_in_order(own_scores, own, k + 1)
        items[row, : len(first)] = own[first]
        scores[row, : len(first)] = own_scores[first]
        progress(1)
    return Recommendations(chosen, items, scores, k, candidates)


def first_in_order(scores: FloatVector, numbers: IntVector, count: int) -> IntVector:
    """Return where the first ``count`` stand, in the order of ranking."""
    require(not np.isnan(scores).any(), "a scorer returned NaN")
    if len(scores) > count:
        least = np.partition(scores, len(scores) - count)[len(scores) - count]
        eligible = np.flatnonzero(scores >= least)
    else:
        eligible = np.arange(len(scores))
    order = np.lexsort((numbers[eligible], -scores[eligible]))
    return eligible[order[:count]]


class PopularityScorer:
    """Scores an item by how often it was interacted with, the same for every user; uses no aspects at all."""

    aspects_only = False

    def __init__(self, interactions: IntVector, items: int) -> None:
        self._counts = np.bincount(interactions, minlength=items).astype(np.float32)

    def score(self, pairs: PairBatch) -> FloatVector:
        """Return the number of training interactions of each pair's item."""
        return self._counts[pairs.items]
