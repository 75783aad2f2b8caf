"""Ranking: *a* precedes *b* if its score is higher, or equal and its number smaller."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from counterec.core.arrays import FloatVector, IntVector, require
from counterec.core.candidates import Candidates
from counterec.core.lists import ABSENT_ITEM, Recommendations, score_scale
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
) -> Recommendations:
    """Return the first K+1 candidates of each user, by default of all; memory is bounded by one user's candidates."""
    require(k >= 1, f"k is {k}; a list has at least one item")
    chosen = np.arange(len(space.users)) if users is None else space.users.checked_numbers(users)
    catalogue = catalogue_of(scorer, space)
    items = np.full((len(chosen), k + 1), ABSENT_ITEM)
    scores = np.full((len(chosen), k + 1), np.nan, dtype=np.float32)
    scale = np.zeros((len(chosen), 2))
    for row, user in enumerate(chosen.tolist()):
        own = candidates.of(user)
        own_scores = catalogue.for_user(user).scores(own)
        first = first_in_order(own_scores, own, k + 1)
        items[row, : len(first)] = own[first]
        scores[row, : len(first)] = own_scores[first]
        scale[row] = score_scale(own_scores)
        progress(1)
    return Recommendations(chosen, items, scores, k, candidates, *scale.T)


def member_lists_of(
    scorer: Scorer, space: AspectSpace, candidates: Candidates, k: int, progress: Progress = no_progress
) -> tuple[Recommendations, ...]:
    """The own lists of the members of a mean; none of any other scorer."""
    members = scorer.members if isinstance(scorer, AveragedScorer) else ()
    return tuple(rank(member, space, candidates, k, progress=progress) for member in members)


def first_in_order(scores: FloatVector, numbers: IntVector, count: int) -> IntVector:
    """Return the places of the first ``count`` items in the order of ranking."""
    require(not np.isnan(scores).any(), "a scorer returned NaN; every score must be a number")
    if len(scores) > count:
        least = np.partition(scores, len(scores) - count)[len(scores) - count]
        eligible = np.flatnonzero(scores >= least)
    else:
        eligible = np.arange(len(scores))
    order = np.lexsort((numbers[eligible], -scores[eligible]))
    return eligible[order[:count]]
