"""How an item stands among its rivals in a world without some aspects, or with only these.

An aspect set A is *necessary* if the item leaves the list when the aspects of A are absent for all items (Eq. 14),
and *sufficient* if it stays when all other aspects are absent for all items (Eq. 15). X is untouched and the rivals
are the same. Only what changes is scored again: in a world without A, an item with none of its aspects keeps its score,
and whoever stood below the list is still no better than its last; in a world with only A, under a scorer that uses
aspects only, items alike on A share one score. Scoring ends as soon as K rivals are ahead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from counterec.core.arrays import BoolVector, FloatVector, IntVector
from counterec.core.explainers.tolerances import BATCH_ROUNDING
from counterec.core.lists import ABSENT_ITEM
from counterec.core.scorers.protocols import Scorer
from counterec.core.scorers.ranking import SharedScores
from counterec.core.space import AspectSpace

USERS_ASKED = 16
"""Users whose scores tell which items are likely to be ahead of others."""

SETS_REMEMBERED = 256
"""Aspect sets whose items are remembered: users' explanations name the same few sets again and again."""


@dataclass(frozen=True)
class Standing:
    """How many rivals of an item are ahead of it, tie with it, and tie with a smaller number."""

    ahead: int = 0
    tied_before: int = 0
    tied: int = 0

    def in_list(self, k: int) -> tuple[bool, bool, bool]:
        """Whether the item is among the first K: by the rule, with every tie won, with every tie lost."""
        return self.ahead + self.tied_before < k, self.ahead < k, self.ahead + self.tied < k

    def __add__(self, other: Standing) -> Standing:
        return Standing(self.ahead + other.ahead, self.tied_before + other.tied_before, self.tied + other.tied)


@dataclass(frozen=True)
class Head:
    """The first items of a user's ranking and their scores: whoever is not among them is no better than the last."""

    items: IntVector
    scores: FloatVector

    @classmethod
    def of(cls, items: IntVector, scores: FloatVector) -> Head:
        """The filled places of a list."""
        filled = items != ABSENT_ITEM
        return cls(items[filled], scores[filled])

    @property
    def least(self) -> float:
        """The score that nobody else exceeds."""
        return float(self.scores[-1]) if len(self.scores) else np.inf


EMPTY = np.empty(0, dtype=np.int64)
NOBODY = Head(EMPTY, np.empty(0, dtype=np.float32))


class Trial:
    """One user's rivals at a time, and how an item stands among them in other worlds."""

    def __init__(self, scorer: Scorer, space: AspectSpace, k: int) -> None:
        self._k, self._aspects_only = k, scorer.aspects_only
        self.shared = SharedScores(scorer, space)
        self._catalogue = self.shared.catalogue
        self._quality, self._users = space.item_quality, len(space.users)
        self._likeness = _Likeness(space)

    def turn_to(self, user: int, rivals: IntVector, head: Head = NOBODY) -> None:
        """Turn to a user; ``head`` is the beginning of the ranking of these rivals, where it is known."""
        self._rivals, self._head = rivals, head
        self._in_tail = np.zeros(len(self._quality), dtype=bool)
        self._in_tail[rivals] = True
        self._in_tail[head.items] = False
        self._scores = np.full(len(self._quality), np.nan, dtype=np.float32)
        """Of the rivals as they are, as far as they were asked for."""
        self._user = user
        self._catalogue.turn_to(user)

    @cached_property
    def _by_danger(self) -> IntVector:
        """All items, those first that score best with some users picked evenly: who is likely to be ahead."""
        users = np.unique(np.linspace(0, self._users - 1, USERS_ASKED).astype(np.int64))
        everything = np.arange(len(self._quality))
        order = np.argsort(-np.sum([self.shared.of(int(user), everything) for user in users], axis=0), kind="stable")
        self._catalogue.turn_to(self._user)
        return order

    def _scores_of(self, items: IntVector) -> FloatVector:
        """The scores of items as they are; each is asked for once a user."""
        unknown = items[np.isnan(self._scores[items])]
        if len(unknown):
            self._scores[unknown] = self.shared.of(self._user, unknown)
        return self._scores[items]

    def without(self, item: int, aspects: IntVector) -> Standing:
        """How the item stands if these aspects were absent for all."""
        touched = self._likeness.touched(tuple(aspects.tolist()))
        changed = touched[self._head.items]
        rescored = self._catalogue.scores_without(np.append(self._head.items[changed], item), aspects)
        own, scores = float(rescored[-1]), self._head.scores.copy()
        scores[changed] = rescored[:-1]
        standing = self._stand(own, item, aspects, self._head.items, scores)
        if standing.ahead >= self._k:
            return standing
        in_doubt = self._in_tail
        if len(self._head.items) and own > self._head.least + BATCH_ROUNDING * max(1.0, abs(own)):
            in_doubt = in_doubt & touched  # whoever is behind the head and keeps its score is behind the item, too
        tail = self._by_danger[in_doubt[self._by_danger]] if in_doubt.any() else EMPTY
        for block in _growing_blocks(tail):
            if standing.ahead >= self._k:
                break
            changed = touched[block]
            scores = np.empty(len(block), dtype=np.float32)
            scores[~changed] = self._scores_of(block[~changed])
            scores[changed] = self._catalogue.scores_without(block[changed], aspects)
            standing += self._stand(own, item, aspects, block, scores)
        return standing

    def _stand(self, own: float, item: int, aspects: IntVector, rivals: IntVector, scores: FloatVector) -> Standing:
        """How the item stands among these rivals in a world without the aspects.

        Rivals that have its very vector, these aspects apart, have its very score: float results vary with the
        batch. Only a score that is equal, or off by what a batch can make it, can belong to such a rival.
        """
        others = rivals != item
        rivals, scores = rivals[others], scores[others]
        if self._aspects_only:
            near = np.flatnonzero(np.abs(scores - own) <= BATCH_ROUNDING * max(1.0, abs(own)))
            differs = self._quality[rivals[near]] != self._quality[item]
            differs[:, aspects] = False
            scores[near[~differs.any(axis=1)]] = own
        tied = scores == own
        return Standing(int((scores > own).sum()), int((tied & (rivals < item)).sum()), int(tied.sum()))

    def with_only(self, item: int, aspects: IntVector) -> Standing:
        """How the item stands if all other aspects were absent for all."""
        return self._among_groups(item, aspects) if self._aspects_only else self._among_all(item, aspects)

    def ahead_with_only(self, item: int, aspects: IntVector) -> IntVector:
        """Who is ahead of the item if all other aspects were absent for all, the best first."""
        first, group = np.arange(len(self._quality)), np.arange(len(self._quality))
        if self._aspects_only:
            first, group = self._likeness.groups(tuple(aspects.tolist()))
        present, groups = np.unique(group[self._rivals], return_inverse=True)
        scores = self._catalogue.scores_with_only(first[present], aspects)[groups]
        ahead = np.flatnonzero(scores > scores[np.searchsorted(self._rivals, item)])
        return self._rivals[ahead[np.argsort(-scores[ahead], kind="stable")]]

    def _among_groups(self, item: int, aspects: IntVector) -> Standing:
        """Of the rivals that are alike on the aspects, one is scored for all."""
        first, group = self._likeness.groups(tuple(aspects.tolist()))
        own, own_group = float(self._catalogue.scores_with_only(np.array([item]), aspects)[0]), int(group[item])
        groups = group[self._rivals]
        members = np.bincount(groups, minlength=len(first))
        alike = self._rivals[groups == own_group]
        standing = Standing(0, int((alike < item).sum()), int((alike != item).sum()))
        present = np.flatnonzero(members)
        for block in _growing_blocks(present[present != own_group]):
            if standing.ahead >= self._k:
                break
            scores = self._catalogue.scores_with_only(first[block], aspects)
            standing += Standing(ahead=int(members[block[scores > own]].sum()))
            if (scores == own).any():
                rivals = self._rivals[np.isin(groups, block[scores == own])]
                standing += Standing(0, int((rivals < item).sum()), len(rivals))
        return standing

    def _among_all(self, item: int, aspects: IntVector) -> Standing:
        own = float(self._catalogue.scores_with_only(np.array([item]), aspects)[0])
        standing = Standing()
        for block in _growing_blocks(np.concatenate([self._head.items, np.flatnonzero(self._in_tail)])):
            if standing.ahead >= self._k:
                break
            rivals = block[block != item]
            scores = self._catalogue.scores_with_only(rivals, aspects)
            tied = scores == own
            standing += Standing(int((scores > own).sum()), int((tied & (rivals < item)).sum()), int(tied.sum()))
        return standing


class _Likeness:
    """Which items have any of some aspects, and which are alike on them; the same for every user, so remembered."""

    def __init__(self, space: AspectSpace) -> None:
        self._present = (space.item_quality != space.scale.absent).T.copy()
        self._codes, self._levels = _coded(space)
        # Bound to this object, so that what is remembered goes when it goes.
        self.touched = lru_cache(SETS_REMEMBERED)(self._touched)
        self.groups = lru_cache(SETS_REMEMBERED)(self._groups)

    def _touched(self, aspects: tuple[int, ...]) -> BoolVector:
        """Which items of the catalogue have any of the aspects."""
        return self._present[list(aspects)].any(axis=0)

    def _groups(self, aspects: tuple[int, ...]) -> tuple[IntVector, IntVector]:
        """The items of the catalogue by their values on the aspects: the first of each group, and each one's group."""
        combined = _combined_codes(self._codes[list(aspects)], self._levels[list(aspects)])
        _, first, group = np.unique(combined, return_index=True, return_inverse=True)
        return first, group.astype(np.int32)


def _growing_blocks(items: IntVector, first: int = 64) -> Iterator[IntVector]:
    """Cut into blocks that grow fourfold: little is scored where the first few already decide."""
    start, size = 0, first
    while start < len(items):
        yield items[start : start + size]
        start, size = start + size, size * 4


def _coded(space: AspectSpace) -> tuple[np.ndarray, IntVector]:
    """Each aspect's values as small whole numbers, a row an aspect, and how many different ones it has."""
    codes = np.empty(space.item_quality.T.shape, dtype=np.int32)
    levels = np.empty(len(codes), dtype=np.int64)
    for aspect, column in enumerate(space.item_quality.T):
        values, codes[aspect] = np.unique(column, return_inverse=True)
        levels[aspect] = len(values)
    return codes, levels


def _combined_codes(codes: np.ndarray, levels: IntVector) -> IntVector:
    """One whole number an item, equal exactly where the items are; folded whenever the next digit would not fit."""
    key, size = np.zeros(codes.shape[1], dtype=np.int64), 1
    for column, level in zip(codes, levels.tolist(), strict=True):
        if size * level >= 2**62:
            values, key = np.unique(key, return_inverse=True)
            size = len(values)
        key, size = key * level + column, size * level
    return key
