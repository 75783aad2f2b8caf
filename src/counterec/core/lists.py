"""Lists: the first K items of each user, the next one, and the candidates they came from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from counterec.core.arrays import (
    BoolMatrix,
    FloatMatrix,
    FloatVector,
    IntMatrix,
    IntVector,
    freeze,
    require,
    require_shape,
)
from counterec.core.candidates import Candidates
from counterec.errors import InvalidValueError

if TYPE_CHECKING:
    from counterec.core.list_rules import Ranker

ABSENT_ITEM = -1
"""Fills a list of recommendations if there are too few candidates."""

UNKNOWN = np.empty(0, dtype=np.float32)
"""Stands for a spread and a largest score that nobody gives."""


@dataclass(frozen=True)
class Recommendations:
    """The first K+1 candidates of each user in the order of ranking, with their scores.

    Column K (counted from 0) is the first item below the list, whose score is the target of *why*. If a user has fewer
    than K+1 candidates, the row ends in item −1 with score NaN. ``spread`` and ``largest`` describe the scores of all
    candidates, so that no question has to score them again; where they are not given, those of the listed items count.
    """

    users: IntVector
    items: IntMatrix
    scores: FloatMatrix
    k: int
    candidates: Candidates = field(repr=False)
    spread: FloatVector = field(default_factory=lambda: UNKNOWN)
    """Per user, the standard deviation of the candidates' scores; over a large catalogue within some thousandths."""
    largest: FloatVector = field(default_factory=lambda: UNKNOWN)
    """Per user, the largest absolute score of a candidate."""
    ranker: Ranker | None = None
    """What makes the lists; None: they are the first K in the order of ranking."""

    def __post_init__(self) -> None:
        freeze(self, users=np.int64, items=np.int64, scores=np.float32)
        if self.spread is UNKNOWN or self.largest is UNKNOWN:
            listed = [score_scale(row[~np.isnan(row)]) for row in self.scores]
            for name, values in zip(("spread", "largest"), np.array(listed).reshape(-1, 2).T, strict=True):
                object.__setattr__(self, name, values)
        freeze(self, spread=np.float32, largest=np.float32)
        for name in ("spread", "largest"):
            require_shape(name, getattr(self, name), self.users.shape)
        require(self.k >= 1, f"k is {self.k}; a list has at least one item")
        require_shape("items", self.items, (len(self.users), self.k + 1))
        require_shape("scores", self.scores, self.items.shape)
        present = self.items != ABSENT_ITEM
        require((present[:, 1:] <= present[:, :-1]).all(), "a list of recommendations has a gap: fill it from the left")
        require(np.isfinite(self.scores[present]).all(), "the score of a recommended item is not a finite number")
        if self.ranker is None:
            self._require_order(present)

    def _require_order(self, present: BoolMatrix) -> None:
        before, after = self.scores[:, :-1], self.scores[:, 1:]
        ordered = (before > after) | ((before == after) & (self.items[:, :-1] < self.items[:, 1:]))
        require((ordered | ~present[:, 1:]).all(), "a list is not in the order of ranking")

    @property
    def target(self) -> FloatVector:
        """Per user, the score of the first item below the list; NaN if there is none. A ranker decides otherwise."""
        return self.scores[:, self.k]

    def rows_of(self, users: IntVector) -> IntVector:
        """The row of each of these users; a user without a list is an error."""
        users = np.asarray(users, dtype=np.int64)
        if not len(self.users):
            _require_none(users)
            return users
        place = np.searchsorted(self.users, users, sorter=self._order)
        rows = self._order[np.minimum(place, len(self.users) - 1)]
        _require_none(users[self.users[rows] != users])
        return rows

    @cached_property
    def _order(self) -> IntVector:
        """The rows in the order of their users; sorted once, since questions come one by one."""
        return np.argsort(self.users, kind="stable")

    def of_user(self, user: int) -> Recommendations:
        """The list of one user."""
        return self.rows(np.flatnonzero(self.users == user))

    def rows(self, index: IntVector) -> Recommendations:
        """Some of the lists."""
        names = ("users", "items", "scores", "spread", "largest")
        return replace(self, **{name: getattr(self, name)[index] for name in names})

    def shortened(self, k: int) -> Recommendations:
        """The lists cut to fewer items."""
        require(k <= self.k, f"a list of {self.k} cannot be shortened to {k}")
        require(self.ranker is None or k == self.k, "a shorter list by a ranker may be another one: rank again")
        return replace(self, items=self.items[:, : k + 1], scores=self.scores[:, : k + 1], k=k)

    def pairs(self) -> tuple[IntVector, IntVector, IntVector]:
        """Row of ``users``, position from 0 and item of every recommendation, lists in order."""
        rows, positions = np.nonzero(self.items[:, : self.k] != ABSENT_ITEM)
        return rows, positions, self.items[rows, positions]


def _require_none(without_list: IntVector) -> None:
    for unknown in without_list[:1]:
        raise InvalidValueError(f"there is no list of user {unknown}")


def score_scale(scores: FloatVector) -> tuple[float, float]:
    """The standard deviation of some scores, and their largest absolute value."""
    if not len(scores):
        return 0.0, 0.0
    return float(scores.std(dtype=np.float64)), float(np.abs(scores).max())
