"""Necessity and sufficiency: how many rivals precede an item without some aspects, or with only these.

An aspect set A is *necessary* if the item leaves the list when the aspects of A are absent for all items (Eq. 14),
and *sufficient* if it stays when all other aspects are absent for all items (Eq. 15). X is untouched and the rivals
are the same. Only what changes is scored again. Without A, an item that has none of its aspects keeps its score, and
an item below the head of the ranking that keeps its score is no better than the last one of the head. With only A,
under a scorer that uses aspects only, items with equal values on A share one score; if it also has an offset, they
share what comes from aspects, and each has its own offset. Scoring ends as soon as K rivals are ahead.

Under a scorer that uses more than aspects, an item may stay in the list with no aspect at all. What it stays for are
not its aspects: none of them is called sufficient.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterec.core.arrays import BoolVector, FloatVector, IntVector
from counterec.core.explainers.tolerances import BATCH_ROUNDING
from counterec.core.lists import ABSENT_ITEM
from counterec.core.remembered import remembered
from counterec.core.scorers.base import Scorer, aspect_part_of
from counterec.core.scorers.catalogue import Catalogue, UserCatalogue, catalogue_of
from counterec.core.space import AspectSpace

USERS_ASKED = 16
"""Users whose scores tell which items are likely to be ahead of others."""


@dataclass(frozen=True)
class RivalCounts:
    """How many rivals of an item are ahead of it, tie with it and have a smaller number, and tie with it at all."""

    ahead: int = 0
    tied_before: int = 0
    tied: int = 0

    def in_list(self, k: int) -> tuple[bool, bool, bool]:
        """Whether the item is among the first K: by the rule, with every tie won, with every tie lost."""
        return self.ahead + self.tied_before < k, self.ahead < k, self.ahead + self.tied < k

    def __add__(self, other: RivalCounts) -> RivalCounts:
        return RivalCounts(self.ahead + other.ahead, self.tied_before + other.tied_before, self.tied + other.tied)

    @classmethod
    def of(cls, item: int, score: float, rivals: IntVector, scores: FloatVector) -> RivalCounts:
        """Count the rivals, none of them the item itself, against the item's score."""
        tied = scores == score
        return cls(int((scores > score).sum()), int((tied & (rivals < item)).sum()), int(tied.sum()))


@dataclass(frozen=True)
class Head:
    """The first items of a user's ranking and their scores; no other item is better than the last one."""

    items: IntVector
    scores: FloatVector

    @classmethod
    def of(cls, items: IntVector, scores: FloatVector) -> Head:
        """The filled places of a list."""
        filled = items != ABSENT_ITEM
        return cls(items[filled], scores[filled])

    @property
    def least(self) -> float:
        """The score that no other item exceeds."""
        return float(self.scores[-1]) if len(self.scores) else np.inf

    @property
    def largest(self) -> float:
        """The largest absolute score, which rounding grows with."""
        return float(np.abs(self.scores).max(initial=0))


NO_ITEMS = np.empty(0, dtype=np.int64)
NO_HEAD = Head(NO_ITEMS, np.empty(0, dtype=np.float32))


class Necessity:
    """What deciding necessity and sufficiency needs once for all users."""

    def __init__(self, scorer: Scorer, space: AspectSpace, k: int) -> None:
        self.k = k
        """Rivals are counted until this many are ahead: no longer list can be asked about."""
        self.aspects_only = aspect_part_of(scorer).aspects_only
        """Whether equal vectors have equal scores, offsets apart."""
        self.may_stay_without = not scorer.aspects_only
        """Whether something else than aspects may keep an item in the list."""
        self.catalogue: Catalogue = catalogue_of(scorer, space)
        self.groups = AspectGroups(space)
        self.quality, self._users = space.item_quality, len(space.users)

    def for_user(
        self, user: int, rivals: IntVector, head: Head = NO_HEAD, view: UserCatalogue | None = None
    ) -> UserNecessity:
        """Among these rivals of a user, sorted; ``head`` is the beginning of their ranking, if it is known.

        ``view`` is the user's view of this catalogue, if there is one already.
        """
        return UserNecessity(self, self.catalogue.for_user(user) if view is None else view, rivals, head)

    @cached_property
    def by_danger(self) -> IntVector:
        """All items, the likeliest to be ahead first: by their scores for a few users, picked evenly."""
        users = np.unique(np.linspace(0, self._users - 1, USERS_ASKED).astype(np.int64))
        everything = np.arange(len(self.quality))
        scores = [self.catalogue.for_user(user).scores(everything) for user in users.tolist()]
        return np.argsort(-np.sum(scores, axis=0), kind="stable")


class UserNecessity:
    """One user's rivals, counted with aspects absent. Views of several users can be used in any order."""

    def __init__(self, necessity: Necessity, view: UserCatalogue, rivals: IntVector, head: Head) -> None:
        self._shared, self._rivals, self._head, self._catalogue = necessity, rivals, head, view
        self._in_tail = np.zeros(len(necessity.quality), dtype=bool)
        self._in_tail[rivals] = True
        self._in_tail[head.items] = False
        self._scores = np.full(len(necessity.quality), np.nan, dtype=np.float32)
        """The rivals' scores as they are; NaN until first needed."""

    def _scores_of(self, items: IntVector) -> FloatVector:
        """The scores of items as they are; each is computed once."""
        unknown = items[np.isnan(self._scores[items])]
        if len(unknown):
            self._scores[unknown] = self._catalogue.scores(unknown)
        return self._scores[items]

    def without(self, item: int, aspects: IntVector) -> RivalCounts:
        """The rivals of the item if these aspects were absent for all."""
        touched, head = self._shared.groups.having_any(tuple(aspects.tolist())), self._head
        changed = touched[head.items]
        again = np.append(head.items[changed], item)
        by_aspects = self._catalogue.aspect_part.scores_without(again, aspects)
        rescored = self._catalogue.with_offsets(again, by_aspects)
        own, scores = float(rescored[-1]), head.scores.copy()
        scores[changed] = rescored[:-1]
        shared = by_aspects[-1:]
        counts = self._counted_without(own, shared, item, aspects, head.items, scores)
        if counts.ahead >= self._shared.k:
            return counts
        in_doubt = self._in_tail
        if len(head.items) and own > head.least + BATCH_ROUNDING * max(head.largest, abs(own)):
            in_doubt = in_doubt & touched  # an item behind the head that keeps its score is behind this item, too
        by_danger = self._shared.by_danger if in_doubt.any() else NO_ITEMS
        for block in _growing_blocks(by_danger[in_doubt[by_danger]]):
            if counts.ahead >= self._shared.k:
                break
            changed = touched[block]
            scores = np.empty(len(block), dtype=np.float32)
            scores[~changed] = self._scores_of(block[~changed])
            scores[changed] = self._catalogue.scores_without(block[changed], aspects)
            counts += self._counted_without(own, shared, item, aspects, block, scores)
        return counts

    def _counted_without(
        self,
        own: float,
        shared: FloatVector,
        item: int,
        aspects: IntVector,
        rivals: IntVector,
        scores: FloatVector,
    ) -> RivalCounts:
        """Count these rivals in a world without the aspects.

        A rival that has the item's vector, these aspects apart, gets exactly the item's score by aspects, ``shared``,
        and its own offset: float results vary with the batch. Only a score that is this sum, or off by rounding, can
        belong to such a rival.
        """
        others = rivals != item
        rivals, scores = rivals[others], scores[others]
        if self._shared.aspects_only:
            as_twin = self._catalogue.with_offsets(rivals, np.broadcast_to(shared, rivals.shape))
            scale = max(1.0, self._head.largest, abs(own), float(np.abs(shared[0])))  # sums may cancel: not below 1
            near = np.flatnonzero(np.abs(scores - as_twin) <= BATCH_ROUNDING * scale)
            differs = self._shared.quality[rivals[near]] != self._shared.quality[item]
            differs[:, aspects] = False
            twins = near[~differs.any(axis=1)]
            scores[twins] = as_twin[twins]
        return RivalCounts.of(item, own, rivals, scores)

    def with_only(self, item: int, aspects: IntVector) -> RivalCounts:
        """The rivals of the item if all other aspects were absent for all."""
        if self._shared.aspects_only:
            return self._counted_by_group(item, aspects)
        own = float(self._catalogue.scores_with_only(np.array([item]), aspects)[0])
        counts = RivalCounts()
        for block in _growing_blocks(np.concatenate([self._head.items, np.flatnonzero(self._in_tail)])):
            if counts.ahead >= self._shared.k:
                break
            rivals = block[block != item]
            counts += RivalCounts.of(item, own, rivals, self._catalogue.scores_with_only(rivals, aspects))
        return counts

    def stay_without_aspects(self, items: IntVector, k: int) -> BoolVector:
        """Which of these items are in the list of K if no item had any aspect, with every tie lost.

        Where items tie without aspects, as all do if only aspects count, their numbers say nothing of them.
        """
        shared, view, rivals = self._shared, self._catalogue, self._rivals
        if not shared.may_stay_without:
            return np.zeros(len(items), dtype=bool)
        if not shared.aspects_only:
            stays = [self.with_only(item, NO_ITEMS).in_list(k)[2] for item in items.tolist()]
            return np.array(stays, dtype=bool)
        nothing = view.aspect_part.scores_with_only(rivals[:1], NO_ITEMS)
        own, others = (view.with_offsets(some, np.broadcast_to(nothing, some.shape)) for some in (items, rivals))
        not_behind = (others >= own[:, None]).sum(axis=1) - np.isin(items, rivals)
        return np.asarray(not_behind < k)

    def _counted_by_group(self, item: int, aspects: IntVector) -> RivalCounts:
        """Count the rivals with only the aspects; of rivals with equal values on these, one is scored for all."""
        first, group = self._shared.groups.equal_on(tuple(aspects.tolist()))
        own_group, groups = int(group[item]), group[self._rivals]
        view = self._catalogue
        by_aspects = np.empty(len(first), dtype=np.float32)
        by_aspects[own_group] = view.aspect_part.scores_with_only(np.array([item]), aspects)[0]
        counted = _GroupCounts(view, self._rivals, groups, item, own_group, by_aspects)
        counts = counted.among_equals()
        for block in _growing_blocks(counted.others):
            if counts.ahead >= self._shared.k:
                break
            by_aspects[block] = view.aspect_part.scores_with_only(first[block], aspects)
            counts += counted.among(block)
        return counts

    def ahead_with_only(self, item: int, aspects: IntVector) -> IntVector:
        """The rivals that are ahead of the item if all other aspects were absent for all, best first."""
        first = group = np.arange(len(self._shared.quality))
        if self._shared.aspects_only:
            first, group = self._shared.groups.equal_on(tuple(aspects.tolist()))
        present, groups = np.unique(group[self._rivals], return_inverse=True)
        by_aspects = self._catalogue.aspect_part.scores_with_only(first[present], aspects)[groups]
        scores = self._catalogue.with_offsets(self._rivals, by_aspects)
        ahead = np.flatnonzero(scores > scores[np.searchsorted(self._rivals, item)])
        return self._rivals[ahead[np.argsort(-scores[ahead], kind="stable")]]


class _GroupCounts:
    """Counts rivals that come in groups with one score by aspects each, ``by_aspects`` [groups]."""

    def __init__(
        self,
        view: UserCatalogue,
        rivals: IntVector,
        groups: IntVector,
        item: int,
        own_group: int,
        by_aspects: FloatVector,
    ) -> None:
        self._view, self._rivals, self._groups, self._item = view, rivals, groups, item
        self._own_group, self._by_aspects = own_group, by_aspects
        self._own = float(view.with_offsets(np.array([item]), by_aspects[[own_group]])[0])
        self._members = np.bincount(groups, minlength=len(by_aspects))
        present = np.flatnonzero(self._members)
        self.others: IntVector = present[present != own_group]
        """The groups of which the item is none."""

    def among_equals(self) -> RivalCounts:
        """Count those of the item's own group."""
        return self._each((self._groups == self._own_group) & (self._rivals != self._item))

    def among(self, block: IntVector) -> RivalCounts:
        """Count the members of these groups, which are neighbours among the others."""
        if self._view.aspect_part is not self._view:
            between = (self._groups >= block[0]) & (self._groups <= block[-1])
            return self._each(between & (self._groups != self._own_group))
        # Without offsets, all members of a group have its score.
        scores = self._by_aspects[block]
        tied = block[scores == self._own]
        counts = RivalCounts(ahead=int(self._members[block[scores > self._own]].sum()))
        return counts + self._each(np.isin(self._groups, tied)) if len(tied) else counts

    def _each(self, chosen: BoolVector) -> RivalCounts:
        rivals = self._rivals[chosen]
        scores = self._view.with_offsets(rivals, self._by_aspects[self._groups[chosen]])
        return RivalCounts.of(self._item, self._own, rivals, scores)


def _growing_blocks(items: IntVector, first: int = 64) -> Iterator[IntVector]:
    """Cut into blocks that grow fourfold: little is scored if the first few decide."""
    start, size = 0, first
    while start < len(items):
        yield items[start : start + size]
        start, size = start + size, size * 4


SETS_REMEMBERED = 256
"""Aspect sets whose groups are remembered: the explanations of different users name the same few sets."""


class AspectGroups:
    """The items of a catalogue by sets of aspects, which are tuples of aspect numbers; the same for every user."""

    def __init__(self, space: AspectSpace) -> None:
        self._quality = space.item_quality
        self._present = (space.item_quality != space.scale.absent).T.copy()
        self._having = remembered(self._find_having, SETS_REMEMBERED)
        self._equal = remembered(self._find_equal, SETS_REMEMBERED)
        self._coded = remembered(self._codes_of, None)

    def having_any(self, aspects: tuple[int, ...]) -> BoolVector:
        """Which items have any of the aspects."""
        return self._having(aspects)

    def equal_on(self, aspects: tuple[int, ...]) -> tuple[IntVector, IntVector]:
        """The items grouped by their values on the aspects: the first item of each group, and each item's group."""
        return self._equal(aspects)

    def _find_having(self, aspects: tuple[int, ...]) -> BoolVector:
        return self._present[list(aspects)].any(axis=0)

    def _find_equal(self, aspects: tuple[int, ...]) -> tuple[IntVector, IntVector]:
        """Items that have none of the aspects are one group, the last one: only the others have to be sorted."""
        having = self.having_any(aspects)
        some, others = np.flatnonzero(having), np.flatnonzero(~having)
        coded = [self._coded(aspect) for aspect in aspects]
        combined = _combined_codes([codes[some] for codes, _ in coded], [levels for _, levels in coded], len(some))
        _, first, group = np.unique(combined, return_index=True, return_inverse=True)
        groups: NDArray[Any] = np.full(len(having), len(first), dtype=np.int32)
        groups[some] = group
        return np.concatenate([some[first], others[:1]]), groups

    def _codes_of(self, aspect: int) -> tuple[np.ndarray, int]:
        """The values of an aspect as small integers [items], and the number of distinct ones."""
        values, codes = np.unique(self._quality[:, aspect], return_inverse=True)
        return codes.astype(np.int32), len(values)


def _combined_codes(codes: Sequence[np.ndarray], levels: Sequence[int], items: int) -> IntVector:
    """One integer per item, equal exactly if the items are; renumbered whenever the next digit would not fit."""
    key, size = np.zeros(items, dtype=np.int64), 1
    for column, level in zip(codes, levels, strict=True):
        if size * level >= 2**62:
            values, key = np.unique(key, return_inverse=True)
            size = len(values)
        key, size = key * level + column, size * level
    return key
