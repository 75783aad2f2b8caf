"""The collaborative part: what the items that a user has touched say of an item, whatever its aspects are.

It is the part Z of f(X, Y | Z, Θ) (Eq. 4) that no aspect moves:

    offset(u, i) = w_u · c(u, i),    c(u, i) = Σ B[j, i] over the user's past items j.

B is sparse, and what is stored is what scores. w_u is computed once, at training, and moved by no question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from counterec.core.arrays import (
    FloatMatrix,
    FloatVector,
    IntVector,
    freeze,
    require,
    require_finite,
    require_shape,
)
from counterec.core.interactions import Interactions
from counterec.core.remembered import remembered

NAMES = (
    "item_to_item.indptr",
    "item_to_item.indices",
    "item_to_item.values",
    "history.indptr",
    "history.items",
    "user_weight",
)
"""The arrays on disk."""

USERS_REMEMBERED = 32
"""Users whose sums are remembered."""


@dataclass(frozen=True)
class ItemToItem:
    """B, sparse, by rows: past item j gives ``values[n]`` to item ``indices[n]``, n from indptr[j] to indptr[j + 1]."""

    indptr: IntVector
    indices: IntVector
    values: FloatVector

    def __post_init__(self) -> None:
        freeze(self, indptr=np.int64, indices=np.int64, values=np.float32)
        _require_rows("item_to_item", self.indptr, self.indices, self.items)
        require_shape("item_to_item.values", self.values, self.indices.shape)
        require_finite("item_to_item.values", self.values)

    @property
    def items(self) -> int:
        """The number of items."""
        return len(self.indptr) - 1

    @classmethod
    def of_entries(cls, past: IntVector, items: IntVector, values: FloatVector, n_items: int) -> ItemToItem:
        """From the entries B[past, items], in any order."""
        order = np.lexsort((items, past))
        indptr = np.concatenate([[0], np.cumsum(np.bincount(past, minlength=n_items))])
        return cls(indptr, items[order], values[order])

    def thinned(self, kept: int) -> ItemToItem:
        """Of each item only the ``kept`` entries that are largest in size; of equal ones those of smaller numbers."""
        past = np.repeat(np.arange(self.items), np.diff(self.indptr))
        order = np.lexsort((past, -np.abs(self.values), self.indices))
        ends = np.searchsorted(self.indices[order], np.arange(self.items))
        stay = order[np.arange(len(order)) - ends[self.indices[order]] < kept]
        return ItemToItem.of_entries(past[stay], self.indices[stay], self.values[stay], self.items)

    def rows(self, past: IntVector) -> FloatMatrix:
        """The rows of these past items, dense [past, items]."""
        rows, entries = _entries(self.indptr, past)
        dense = np.zeros((len(past), self.items), dtype=np.float32)
        dense[rows, self.indices[entries]] = self.values[entries]
        return dense

    def summed(self, past: IntVector) -> FloatVector:
        """The sum of the rows of these past items, in double precision."""
        _, entries = _entries(self.indptr, past)
        values = self.values[entries].astype(np.float64)
        return np.bincount(self.indices[entries], values, self.items).astype(np.float64)  # no entries: whole numbers


@dataclass(frozen=True)
class Collaborative:
    """B, everybody's past items, and the weight of each user: plain arrays from which NumPy alone can score."""

    item_to_item: ItemToItem
    history_indptr: IntVector
    history_items: IntVector
    user_weight: FloatVector

    def __post_init__(self) -> None:
        freeze(self, history_indptr=np.int64, history_items=np.int64, user_weight=np.float32)
        _require_rows("history", self.history_indptr, self.history_items, self.item_to_item.items)
        require_shape("user_weight", self.user_weight, (len(self.history_indptr) - 1,))
        require_finite("user_weight", self.user_weight)

    @classmethod
    def of(cls, item_to_item: ItemToItem, past: Interactions, user_weight: FloatVector | None = None) -> Collaborative:
        """With everybody's past items; a weight of 1 for everybody if none is given."""
        indptr = np.searchsorted(past.users, np.arange(past.n_users + 1))
        return cls(item_to_item, indptr, past.items, np.ones(past.n_users) if user_weight is None else user_weight)

    @property
    def users(self) -> int:
        """The number of users that training saw."""
        return len(self.user_weight)

    def weighted(self, user_weight: FloatVector) -> Collaborative:
        """The same part with other weights of users."""
        return replace(self, user_weight=user_weight)

    def past(self, user: int) -> IntVector:
        """The items that the user has touched; none of a user whom training did not see."""
        if user >= self.users:
            return self.history_items[:0]
        return self.history_items[self.history_indptr[user] : self.history_indptr[user + 1]]

    def relatedness(self, user: int) -> FloatVector:
        """c(u, i) of all items, before the user's weight, in double precision."""
        return self._remembered(user)

    @cached_property
    def _remembered(self) -> Callable[[int], FloatVector]:
        """Remembers a few users: one question asks for the same ones several times."""
        return remembered(self._summed, USERS_REMEMBERED)

    def _summed(self, user: int) -> FloatVector:
        found = self.item_to_item.summed(self.past(user))
        found.flags.writeable = False
        return found

    def offset(self, users: IntVector, items: IntVector) -> FloatVector:
        """w_u · c(u, i) of each pair; 0 for users and items that training did not see."""
        users, items = np.asarray(users, dtype=np.int64), np.asarray(items, dtype=np.int64)
        offsets = np.zeros(len(users), dtype=np.float32)
        known = items < self.item_to_item.items
        if len(users) and (users == users[0]).all():  # the usual case: the candidates of one user
            groups = [(int(users[0]), np.arange(len(users)))]
        else:
            different, group = np.unique(users, return_inverse=True)
            order = np.argsort(group, kind="stable")
            ends = np.searchsorted(group[order], np.arange(1, len(different)))
            groups = list(zip(different.tolist(), np.split(order, ends), strict=True)) if len(users) else []
        for user, rows in groups:
            rows = rows[known[rows]]
            if user < self.users and self.user_weight[user] and len(rows):
                offsets[rows] = self.user_weight[user] * self.relatedness(user)[items[rows]]
        return offsets

    def offset_without(self, user: int, items: IntVector, forgotten: IntVector) -> FloatVector:
        """w_u · c(u, i) of these items had the user not touched the ``forgotten`` ones; B and w_u stay."""
        items, past = np.asarray(items, dtype=np.int64), self.past(user)
        offsets = np.zeros(len(items), dtype=np.float32)
        left, known = past[~np.isin(past, forgotten)], items < self.item_to_item.items
        if len(left) and self.user_weight[user]:
            offsets[known] = self.user_weight[user] * self.item_to_item.summed(left)[items[known]]
        return offsets

    def history(self, user: int, items: IntVector) -> tuple[IntVector, FloatMatrix]:
        """The user's past items, and what each adds to the offset of each of these items [past, items]."""
        items, past = np.asarray(items, dtype=np.int64), self.past(user)
        parts = np.zeros((len(past), len(items)), dtype=np.float32)
        if len(past):
            known = items < self.item_to_item.items
            parts[:, known] = self.user_weight[user] * self.item_to_item.rows(past)[:, items[known]]
        return past, parts

    def named(self) -> dict[str, np.ndarray]:
        """The arrays by the names they have on disk."""
        matrix = self.item_to_item
        numbers = (matrix.indices.astype(np.int32), self.history_items.astype(np.int32))  # half the room
        arrays = (matrix.indptr, numbers[0], matrix.values, self.history_indptr, numbers[1], self.user_weight)
        return dict(zip(NAMES, arrays, strict=True))

    @classmethod
    def from_named(cls, arrays: Mapping[str, np.ndarray]) -> Collaborative:
        """The inverse of ``named``."""
        require(
            set(arrays) == set(NAMES),
            f"a collaborative part has the arrays {', '.join(NAMES)}; got {', '.join(arrays)}",
        )
        indptr, indices, values, *history = (arrays[name] for name in NAMES)
        return cls(ItemToItem(indptr, indices, values), *history)


def _entries(indptr: IntVector, rows: IntVector) -> tuple[IntVector, IntVector]:
    """The numbers of all entries of some rows, one row after another, and which of the rows each belongs to."""
    starts, counts = indptr[rows], indptr[rows + 1] - indptr[rows]
    owner = np.repeat(np.arange(len(rows)), counts)
    before = np.cumsum(counts) - counts
    return owner, np.arange(counts.sum()) + (starts - before)[owner]


def _require_rows(name: str, indptr: IntVector, columns: IntVector, items: int) -> None:
    """Check rows that are stored one after another."""
    require(len(indptr) > 0 and indptr[0] == 0, f"{name}.indptr must begin with 0")
    require((np.diff(indptr) >= 0).all(), f"{name}.indptr must not decrease")
    require(indptr[-1] == len(columns), f"{name}.indptr ends at {indptr[-1]}, but there are {len(columns)} entries")
    inside = (columns >= 0) & (columns < items)
    require(inside.all(), f"{name} names items outside 0 to {items - 1}")
