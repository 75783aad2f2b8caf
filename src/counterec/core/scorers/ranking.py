"""Ranking: the first K+1 candidates of each user, by their scores alone or by a ranker."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from counterec.core.arrays import FloatVector, IntVector, require
from counterec.core.candidates import Candidates
from counterec.core.lists import ABSENT_ITEM, Recommendations, score_scale
from counterec.core.rankers.protocol import Ranker, require_ranker, whole_order
from counterec.core.scorers.order import first_in_order
from counterec.core.scorers.per_user import catalogue_of
from counterec.core.scorers.protocols import AveragedScorer, Scorer
from counterec.core.space import AspectSpace

Progress = Callable[[int], None]
"""Called with the number of users or rows finished since the last call."""


def no_progress(_: int) -> None:
    """Report nothing."""


def rank(
    scorer: Scorer,
    space: AspectSpace,
    candidates: Candidates,
    k: int,
    users: IntVector | None = None,
    progress: Progress = no_progress,
    ranker: Ranker | None = None,
) -> Recommendations:
    """Return the first K+1 candidates of each user, by default of all; memory is bounded by one user's candidates.

    With a ranker, they are its list and the first item below that.
    """
    require(k >= 1, f"k is {k}; a list has at least one item")
    if ranker is not None:
        require_ranker(ranker)
    chosen = np.arange(len(space.users)) if users is None else space.users.checked_numbers(users)
    catalogue = catalogue_of(scorer, space)
    items = np.full((len(chosen), k + 1), ABSENT_ITEM)
    scores = np.full((len(chosen), k + 1), np.nan, dtype=np.float32)
    scale = np.zeros((len(chosen), 2))
    for row, user in enumerate(chosen.tolist()):
        own = candidates.of(user)
        own_scores = catalogue.for_user(user).scores(own)
        first = _first(user, own, own_scores, k, ranker)
        items[row, : len(first)] = own[first]
        scores[row, : len(first)] = own_scores[first]
        scale[row] = score_scale(own_scores)
        progress(1)
    spread, largest = scale.T
    return Recommendations(chosen, items, scores, k, candidates, spread, largest, ranker)


def _first(user: int, candidates: IntVector, scores: FloatVector, k: int, ranker: Ranker | None) -> IntVector:
    """The places of the list and of the first item below it; a list that is not full has none."""
    if ranker is None:
        return first_in_order(scores, candidates, k + 1)
    order, listed = whole_order(ranker, user, candidates, np.asarray(scores, dtype=np.float32), k)
    return np.searchsorted(candidates, order[: k + 1 if listed == k else listed])


def member_lists_of(
    scorer: Scorer,
    space: AspectSpace,
    candidates: Candidates,
    k: int,
    progress: Progress = no_progress,
    ranker: Ranker | None = None,
    users: IntVector | None = None,
) -> tuple[Recommendations, ...]:
    """The own lists of the members of a mean; none of any other scorer."""
    members = scorer.members if isinstance(scorer, AveragedScorer) else ()
    return tuple(rank(member, space, candidates, k, users, progress, ranker) for member in members)
