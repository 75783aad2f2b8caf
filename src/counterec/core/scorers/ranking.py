"""Ranking: the first K+1 candidates of each user, by their scores alone or by a ranker."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from counterec.core.arrays import FloatVector, IntVector, require
from counterec.core.candidates import Candidates
from counterec.core.list_rules import Ranker, require_ranker, whole_order
from counterec.core.lists import ABSENT_ITEM, Recommendations, score_scale
from counterec.core.scorers.base import AveragedScorer, Scorer, first_in_order
from counterec.core.scorers.catalogue import UserCatalogue, catalogue_of
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
    return Ranking([scorer], space, candidates, ranker).lists([k], users, progress)[0]


def rank_with_members(
    scorer: Scorer,
    space: AspectSpace,
    candidates: Candidates,
    k: int,
    member_k: int,
    progress: Progress = no_progress,
) -> tuple[Recommendations, tuple[Recommendations, ...]]:
    """Rank, and return the own lists of the members of a mean as well; of any other scorer there are none."""
    return Ranking.with_members(scorer, space, candidates).with_member_lists(k, member_k, progress=progress)


class Ranking:
    """What ranking needs once for all users: by a scorer, and perhaps by the members of the mean that it is."""

    def __init__(
        self, scorers: Sequence[Scorer], space: AspectSpace, candidates: Candidates, ranker: Ranker | None = None
    ) -> None:
        if ranker is not None:
            require_ranker(ranker)
        self._space, self._candidates, self._ranker = space, candidates, ranker
        self._catalogues = [catalogue_of(scorer, space) for scorer in scorers]

    @classmethod
    def with_members(cls, scorer: Scorer, space: AspectSpace, candidates: Candidates) -> Self:
        """By a scorer and its members, if it is a mean of several."""
        return cls([scorer, *(scorer.members if isinstance(scorer, AveragedScorer) else ())], space, candidates)

    def with_member_lists(
        self, k: int, member_k: int, users: IntVector | None = None, progress: Progress = no_progress
    ) -> tuple[Recommendations, tuple[Recommendations, ...]]:
        """The first K+1 by the scorer, and the lists by each member."""
        ranked, *own = self.lists([k, *(member_k for _ in self._catalogues[1:])], users, progress)
        return ranked, tuple(own)

    def lists(
        self, lengths: Sequence[int], users: IntVector | None = None, progress: Progress = no_progress
    ) -> list[Recommendations]:
        """The lists of these users by every scorer, with its own K."""
        for k in lengths:
            require(k >= 1, f"k is {k}; a list has at least one item")
        chosen = np.arange(len(self._space.users)) if users is None else self._space.users.checked_numbers(users)
        tables = [_Table(len(chosen), k) for k in lengths]
        for row, user in enumerate(chosen.tolist()):
            for table, found in zip(tables, self._of_user(user, lengths), strict=True):
                table.put(row, found)
            progress(1)
        return [table.filled(chosen, self._candidates, self._ranker) for table in tables]

    def _of_user(self, user: int, lengths: Sequence[int]) -> Iterator[UserList]:
        own, ranker = self._candidates.of(user), self._ranker
        for catalogue, k in zip(self._catalogues, lengths, strict=True):
            view = catalogue.for_user(user)
            yield rank_candidates(view, own, k + 1) if ranker is None else _by_ranker(view, user, own, k, ranker)


@dataclass(frozen=True)
class UserList:
    """The first items of one user's ranking, their scores, and the scale of all candidates' scores."""

    items: IntVector
    scores: FloatVector
    spread: float
    largest: float


def rank_candidates(view: UserCatalogue, candidates: IntVector, count: int) -> UserList:
    """Score all candidates of a user, and take the first ``count``."""
    scores = view.scores(candidates)
    first = first_in_order(scores, candidates, count)
    return UserList(candidates[first], scores[first], *score_scale(scores))


def _by_ranker(view: UserCatalogue, user: int, candidates: IntVector, k: int, ranker: Ranker) -> UserList:
    """The ranker's list and the first item below it; a list that is not full has none."""
    scores = view.scores(candidates)
    order, listed = whole_order(ranker, user, candidates, np.asarray(scores, dtype=np.float32), k)
    first = np.searchsorted(candidates, order[: k + 1 if listed == k else listed])
    return UserList(candidates[first], scores[first], *score_scale(scores))


class _Table:
    """The lists of many users, filled row by row."""

    def __init__(self, users: int, k: int) -> None:
        self._k = k
        self._items = np.full((users, k + 1), ABSENT_ITEM)
        self._scores = np.full((users, k + 1), np.nan, dtype=np.float32)
        self._spread, self._largest = np.zeros((2, users))

    def put(self, row: int, found: UserList) -> None:
        self._items[row, : len(found.items)] = found.items
        self._scores[row, : len(found.items)] = found.scores
        self._spread[row], self._largest[row] = found.spread, found.largest

    def filled(self, users: IntVector, candidates: Candidates, ranker: Ranker | None) -> Recommendations:
        return Recommendations(
            users, self._items, self._scores, self._k, candidates, self._spread, self._largest, ranker
        )
