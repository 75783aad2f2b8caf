"""Who interacted with what, as numbers: B of the paper, held as its non-zero entries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from counterec.core.arrays import BoolVector, IntVector, frozen, require, require_shape


@dataclass(frozen=True)
class Interactions:
    """Pairs of a user and an item, sorted, each once; and how many users and items there are in all."""

    users: IntVector
    items: IntVector
    n_users: int
    n_items: int

    def __post_init__(self) -> None:
        users, items = np.asarray(self.users, dtype=np.int64), np.asarray(self.items, dtype=np.int64)
        require_shape("items", items, users.shape)
        require(bool(((users >= 0) & (users < self.n_users)).all()), "an interaction of an unknown user")
        require(bool(((items >= 0) & (items < self.n_items)).all()), "an interaction with an unknown item")
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
        """Whether each of these pairs is among the interactions."""
        keys = users * self.n_items + items
        if not len(self._keys):
            return np.zeros(len(keys), dtype=bool)
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return self._keys[at] == keys

    def joined(self, other: Interactions) -> Interactions:
        """These and the other interactions."""
        users = np.concatenate([self.users, other.users])
        items = np.concatenate([self.items, other.items])
        return Interactions(users, items, self.n_users, self.n_items)


def draw_outside(touched: Interactions, users: IntVector, random: np.random.Generator) -> IntVector:
    """Draw for each of the users one item they did not touch; −1 for a user who has touched everything.

    Rejection: whoever drew a touched item draws again, all of them at once.
    """
    full = np.bincount(touched.users, minlength=touched.n_users)[users] >= touched.n_items
    drawn = random.integers(0, touched.n_items, len(users))
    again = np.flatnonzero(touched.contain(users, drawn) & ~full)
    while len(again):
        drawn[again] = random.integers(0, touched.n_items, len(again))
        again = again[touched.contain(users[again], drawn[again])]
    return np.where(full, -1, drawn)
