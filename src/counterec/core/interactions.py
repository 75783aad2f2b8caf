"""Which user interacted with which item, as numbers: B of the paper, stored as its non-zero entries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from counterec.core.arrays import BoolVector, IntVector, frozen, require, require_shape


@dataclass(frozen=True)
class Interactions:
    """Distinct pairs of a user and an item, sorted, and the total numbers of users and items."""

    users: IntVector
    items: IntVector
    n_users: int
    n_items: int

    def __post_init__(self) -> None:
        users, items = np.asarray(self.users, dtype=np.int64), np.asarray(self.items, dtype=np.int64)
        require_shape("items", items, users.shape)
        for name, numbers, count in (("a user", users, self.n_users), ("an item", items, self.n_items)):
            inside = (numbers >= 0) & (numbers < count)
            require(inside.all(), f"an interaction names {name} outside 0 to {count - 1}")
        keys = np.unique(users * self.n_items + items)
        object.__setattr__(self, "users", frozen(keys // self.n_items, np.int64))
        object.__setattr__(self, "items", frozen(keys % self.n_items, np.int64))

    def __len__(self) -> int:
        return len(self.users)

    @cached_property
    def _keys(self) -> IntVector:
        return self.users * self.n_items + self.items

    @cached_property
    def _starts(self) -> IntVector:
        return np.searchsorted(self.users, np.arange(self.n_users + 1))

    def of(self, user: int) -> IntVector:
        """The items of one user, sorted."""
        return self.items[self._starts[user] : self._starts[user + 1]]

    def contain(self, users: IntVector, items: IntVector) -> BoolVector:
        """Which of these pairs are among the interactions."""
        keys = users * self.n_items + items
        if not len(self._keys):
            return np.zeros(len(keys), dtype=bool)
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return self._keys[at] == keys

    def joined(self, other: Interactions) -> Interactions:
        """The interactions of both."""
        users = np.concatenate([self.users, other.users])
        items = np.concatenate([self.items, other.items])
        return Interactions(users, items, self.n_users, self.n_items)


def draw_outside(touched: Interactions, users: IntVector, random: np.random.Generator) -> IntVector:
    """Draw one untouched item for each of the users; −1 for a user who has touched everything.

    By rejection: all users who drew a touched item draw again, at once.
    """
    full = np.bincount(touched.users, minlength=touched.n_users)[users] >= touched.n_items
    drawn = random.integers(0, touched.n_items, len(users))
    again = np.flatnonzero(touched.contain(users, drawn) & ~full)
    while len(again):
        drawn[again] = random.integers(0, touched.n_items, len(again))
        again = again[touched.contain(users[again], drawn[again])]
    return np.where(full, -1, drawn)
