"""Necessity and sufficiency under a ranker: the list is made anew with aspects absent for all, and the item looked up.

A ranker has to see whole candidates, so nothing can be left out of the scoring as ``necessity`` does. At most
``MOST_LOOKED_AT`` candidates of a user are looked at, the first in the order of ranking and the item itself; how many
they were is reported with the verdicts. Ties are resolved for and against the item by one unit in the last place.

An item may stay in the list with no aspect at all, for a rule or for something else that the scorer knows. What it
stays for are not its aspects: none of them is called sufficient.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, FloatMatrix, FloatVector, IntVector
from counterec.core.list_rules import RankedLists, list_by, whole_order
from counterec.core.scorers.base import PairBatch, Scorer, aspect_part_of, first_in_order, offsets_of, scores_of
from counterec.core.space import AspectSpace
from counterec.randomness import generator

MOST_LOOKED_AT = 1000
"""Candidates of a user that are looked at."""


@dataclass(frozen=True)
class Stays:
    """Whether an item stays where it is: by the rule, with every tie won, with every tie lost."""

    rule: bool
    won: bool
    lost: bool


class RankedNecessity:
    """What deciding necessity and sufficiency under a ranker needs once for all users."""

    def __init__(self, scorer: Scorer, space: AspectSpace, lists: RankedLists) -> None:
        self._scorer, self._part, self._space, self.lists = scorer, aspect_part_of(scorer), space, lists
        self._digits = generator(0, "keys of aspect values").random(len(space.aspects))

    def for_item(self, user: int, item: int, versus: int | None = None) -> ItemNecessity:
        """About one item of a user; if another is given, about whether it comes before that."""
        items, scores = self.lists.scored(user)
        if len(items) > MOST_LOOKED_AT:
            asked = [item] if versus is None else [item, versus]
            first = items[first_in_order(scores, items, MOST_LOOKED_AT - len(asked))]
            items = np.union1d(first, asked)
        return ItemNecessity(self, user, item, versus, items)

    def scores(self, user: int, items: IntVector, quality: FloatMatrix) -> FloatVector:
        """The scores of items with these qualities; equal ones share one score, offsets apart, if only aspects count.

        Equal vectors have equal keys, and different ones hardly ever; if they do, every row is scored by itself.
        """
        first = group = np.arange(len(items))
        if self._part.aspects_only:
            _, first, group = np.unique(quality @ self._digits, return_index=True, return_inverse=True)
            if (quality != quality[first][group]).any():
                first = group = np.arange(len(items))
        pairs = PairBatch.for_user(self._space, user, items[first], quality[first])
        by_aspects = scores_of(self._part, pairs)[group]
        return (by_aspects + offsets_of(self._scorer, np.full(len(items), user), items)).astype(np.float32)

    def quality(self, items: IntVector, kept: BoolVector) -> FloatMatrix:
        """The qualities of items with all aspects absent but those that are kept."""
        return np.where(kept, self._space.item_quality[items], self._space.without).astype(np.float32)


@dataclass(frozen=True)
class ItemNecessity:
    """One item among the candidates that are looked at."""

    shared: RankedNecessity
    user: int
    item: int
    versus: int | None
    items: IntVector

    def without(self, named: BoolVector) -> Stays:
        """Whether the item stays if these aspects were absent for all."""
        return self._stays(~named)

    def with_only(self, named: BoolVector) -> Stays:
        """Whether the item stays if all other aspects were absent for all."""
        return self._stays(named)

    def stays_without_aspects(self, aspects: int) -> bool:
        """Whether the item stays if no item had any aspect, with every tie lost."""
        return self._stays(np.zeros(aspects, dtype=bool)).lost

    def judged(self, sets: BoolMatrix) -> tuple[BoolVector, BoolVector]:
        """Whether each set of aspects, one row of flags each, is necessary, and whether it is sufficient."""
        anyway = self.stays_without_aspects(sets.shape[1])
        necessary = [not self.without(named).rule for named in sets]
        sufficient = [not anyway and self.with_only(named).rule for named in sets]
        return np.array(necessary, dtype=bool), np.array(sufficient, dtype=bool)

    def _stays(self, kept: BoolVector) -> Stays:
        scores = self.shared.scores(self.user, self.items, self.shared.quality(self.items, kept))
        place = int(np.searchsorted(self.items, self.item))
        rule = self._stands(scores)
        if (scores == scores[place]).sum() == 1:
            return Stays(rule, rule, rule)
        bounds = []
        for end in (np.inf, -np.inf):
            moved = scores.copy()
            moved[place] = np.nextafter(scores[place], np.float32(end))
            bounds.append(self._stands(moved))
        return Stays(rule, *bounds)

    def _stands(self, scores: FloatVector) -> bool:
        ranker, k = self.shared.lists.ranker, self.shared.lists.k
        if self.versus is None:
            return bool((list_by(ranker, self.user, self.items, scores, k) == self.item).any())
        order, _ = whole_order(ranker, self.user, self.items, scores, k)
        return bool((order == self.item).argmax() < (order == self.versus).argmax())
