"""At most so many items of a group, such as a brand, in one list."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from counterec.core.arrays import FloatVector, IntVector, freeze, require
from counterec.core.scorers.base import first_in_order

NO_GROUP = -1
"""The group of an item that belongs to none: there may be any number of these."""


@dataclass(frozen=True, eq=False)
class AtMostPerGroup:
    """The first K candidates, leaving out those whose group has had its places: ``most`` of each."""

    groups: IntVector = field(repr=False)
    """The group of every item; −1 for an item that belongs to none."""
    most: int

    def __post_init__(self) -> None:
        freeze(self, groups=np.int64)
        require(self.groups.ndim == 1, "groups must be a vector, the group of every item")
        require((self.groups >= NO_GROUP).all(), "a group is a number from 0 on, or -1 for an item of none")
        require(self.most >= 1, f"most is {self.most}; a list has at least one item of a group")

    @property
    def monotone(self) -> bool:
        """An item with a higher score comes earlier, and finds no more of its group before it."""
        return True

    def ranked(self, user: int, candidates: IntVector, scores: FloatVector, k: int) -> IntVector:  # noqa: ARG002
        """Walk down the ranking until the list is full."""
        order = first_in_order(scores, candidates, len(candidates))
        groups = self.groups[candidates[order]]
        allowed = (groups == NO_GROUP) | (_earlier_of_the_same(groups) < self.most)
        return candidates[order[allowed][:k]]


def _earlier_of_the_same(groups: IntVector) -> IntVector:
    """For each entry, how many earlier ones are equal."""
    by_group = np.argsort(groups, kind="stable")
    ordered = groups[by_group]
    count = np.empty(len(groups), dtype=np.int64)
    count[by_group] = np.arange(len(groups)) - np.searchsorted(ordered, ordered)
    return count
