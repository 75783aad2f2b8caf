"""Lists: the first K items of each user, the one below them, and the candidates they came from."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector, IntMatrix, IntVector, freeze, require, require_shape
from counterec.core.candidates import Candidates

ABSENT_ITEM = -1
"""Stands in a list of recommendations where there were too few candidates to fill it."""


@dataclass(frozen=True)
class Recommendations:
    """For many users: the first K+1 candidates in the order of ranking, with their scores.

    Column K (counted from 0) is the first item below the list, whose score is the target of *why*. Where a user has
    fewer than K+1 candidates the row ends in item −1 with score NaN.
    """

    users: IntVector
    items: IntMatrix
    scores: FloatMatrix
    k: int
    candidates: Candidates = field(repr=False)

    def __post_init__(self) -> None:
        freeze(self, users=np.int64, items=np.int64, scores=np.float32)
        require(self.k >= 1, f"k is {self.k}; a list has at least one item")
        require_shape("items", self.items, (len(self.users), self.k + 1))
        require_shape("scores", self.scores, self.items.shape)
        present = self.items != ABSENT_ITEM
        require((present[:, 1:] <= present[:, :-1]).all(), "a list has a gap")
        require(np.isfinite(self.scores[present]).all(), "a recommended item has no finite score")
        before, after = self.scores[:, :-1], self.scores[:, 1:]
        ordered = (before > after) | ((before == after) & (self.items[:, :-1] < self.items[:, 1:]))
        require((ordered | ~present[:, 1:]).all(), "a list is not in the order of ranking")

    @property
    def target(self) -> FloatVector:
        """Per user the score of the first item below the list; NaN where there is none."""
        return self.scores[:, self.k]

    def rows_of(self, users: IntVector) -> IntVector:
        """In which row each of these users has their list; a user who has none is an error."""
        require(np.isin(users, self.users).all(), "a user has no list among these")
        order = np.argsort(self.users, kind="stable")
        return order[np.searchsorted(self.users, users, sorter=order)]

    def of_user(self, user: int) -> Recommendations:
        """The list of one user."""
        row = self.users == user
        return Recommendations(self.users[row], self.items[row], self.scores[row], self.k, self.candidates)

    def shortened(self, k: int) -> Recommendations:
        """The lists of fewer items."""
        require(k <= self.k, f"a list of {self.k} cannot be shortened to {k}")
        return Recommendations(self.users, self.items[:, : k + 1], self.scores[:, : k + 1], k, self.candidates)

    def pairs(self) -> tuple[IntVector, IntVector, IntVector]:
        """Every recommended (row of ``users``, position from 0, item), lists in order."""
        rows, positions = np.nonzero(self.items[:, : self.k] != ABSENT_ITEM)
        return rows, positions, self.items[rows, positions]
