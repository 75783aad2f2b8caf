"""Candidates: the items that compete for each user's list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from counterec.core.arrays import IntVector, freeze, require
from counterec.core.interactions import Interactions
from counterec.randomness import generator


@dataclass(frozen=True)
class Candidates:
    """Per user, the items that compete for the list: the catalogue *without* the listed items, or *exactly* these.

    The listed items of user ``u`` are ``listed[starts[u]:starts[u + 1]]``, sorted.
    """

    kind: Literal["without", "exactly"]
    items: int
    starts: IntVector
    listed: IntVector

    def __post_init__(self) -> None:
        freeze(self, starts=np.int64, listed=np.int64)
        require(self.kind in ("without", "exactly"), f"unknown kind of candidates {self.kind!r}; without or exactly")
        require(len(self.starts) > 0 and self.starts[0] == 0, "candidates.starts must begin with 0")
        require((np.diff(self.starts) >= 0).all(), "candidates.starts must not decrease")
        require(self.starts[-1] == len(self.listed), "candidates.starts must end at the number of listed items")
        inside = (self.listed >= 0) & (self.listed < self.items)
        require(inside.all(), f"candidates name items outside 0 to {self.items - 1}")
        for user in range(self.users):
            own = self._listed(user)
            require((np.diff(own) > 0).all(), f"the listed items of user {user} are repeated or out of order")

    @classmethod
    def without(cls, items: int, excluded: Sequence[ArrayLike]) -> Candidates:
        """For each user the whole catalogue without these items."""
        return cls._of("without", items, excluded)

    @classmethod
    def exactly(cls, items: int, included: Sequence[ArrayLike]) -> Candidates:
        """For each user exactly these items."""
        return cls._of("exactly", items, included)

    @classmethod
    def _of(cls, kind: Literal["without", "exactly"], items: int, listed: Sequence[ArrayLike]) -> Candidates:
        rows = [np.unique(np.asarray(row, dtype=np.int64)) for row in listed]
        starts = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)])
        return cls(kind, items, starts, np.concatenate([np.empty(0, dtype=np.int64), *rows]))

    def with_items(self, users: IntVector, items: IntVector) -> Candidates:
        """The same candidates with one more item per pair of ``users`` and ``items``."""
        require(self.kind == "exactly", "items can be added to listed candidates only, not to a whole catalogue")
        further: dict[int, list[int]] = {}
        for user, item in zip(users.tolist(), items.tolist(), strict=True):
            further.setdefault(user, []).append(item)
        rows = [np.concatenate([self._listed(user), further.get(user, [])]) for user in range(self.users)]
        return Candidates.exactly(self.items, rows)

    def leave_out(self, seen: Interactions) -> Candidates:
        """The same candidates without what each user has seen."""
        merge = np.union1d if self.kind == "without" else np.setdiff1d
        return self._of(self.kind, self.items, [merge(self._listed(user), seen.of(user)) for user in range(self.users)])

    @property
    def users(self) -> int:
        """The number of users."""
        return len(self.starts) - 1

    def _listed(self, user: int) -> IntVector:
        return self.listed[self.starts[user] : self.starts[user + 1]]

    def of(self, user: int) -> IntVector:
        """The candidates of a user, sorted."""
        if self.kind == "exactly":
            return self._listed(user)
        keep = np.ones(self.items, dtype=bool)
        keep[self._listed(user)] = False
        return np.flatnonzero(keep)

    def count(self, user: int) -> int:
        """How many items compete for this user's list."""
        listed = len(self._listed(user))
        return listed if self.kind == "exactly" else self.items - listed

    def contain(self, user: int, item: int) -> bool:
        """Whether the item competes for this user's list."""
        listed = self._listed(user)
        at = int(np.searchsorted(listed, item))
        found = at < len(listed) and int(listed[at]) == item
        return found == (self.kind == "exactly")


def catalogue_candidates(touched: Interactions) -> Candidates:
    """Protocol *full*: for each user the catalogue without their training and validation items."""
    return Candidates.without(touched.n_items, [touched.of(user) for user in range(touched.n_users)])


def sampled_candidates(
    held_out: Interactions, touched: Interactions, user_ids: tuple[str, ...], seed: int, negatives: int = 100
) -> Candidates:
    """Protocol *sampled*: for each user the held-out items and ``negatives`` untouched ones, drawn by seed and id.

    A user who has fewer untouched items gets all of them.
    """
    everything = held_out.joined(touched)
    rows = []
    for user, user_id in enumerate(user_ids):
        free = np.setdiff1d(np.arange(everything.n_items), everything.of(user), assume_unique=True)
        random = generator(seed, "sampled candidates", user_id)
        drawn = random.choice(free, min(negatives, len(free)), replace=False)
        rows.append(np.concatenate([held_out.of(user), drawn]))
    return Candidates.exactly(everything.n_items, rows)
