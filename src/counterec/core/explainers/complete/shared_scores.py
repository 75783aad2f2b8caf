"""Scores of items without some aspects, or with only some, each computed once for a user.

A search asks about sets that differ in one aspect. An item that does not have this aspect is the same in both worlds,
and with only few aspects many items are alike. So what is left of an item has a *mark*: the sum, modulo 2⁶⁴, of one
random number per aspect and value that it still has, per user and, if more than aspects count, per item. Equal marks
share one score. That different ones are equal has a chance of 2⁻⁶⁴ for each two: in the largest run one in a million.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterec.core.arrays import BoolMatrix, FloatVector, IntVector
from counterec.core.scorers.catalogue import UserCatalogues
from counterec.core.space import AspectSpace
from counterec.randomness import generator

Marks = NDArray[np.uint64]

PLACES = 2**18
"""Scores that are remembered; a later one takes the place of an earlier one, which is then computed again."""


class AspectMarks:
    """One random number per aspect and value, and sums of them."""

    def __init__(self, space: AspectSpace) -> None:
        random = generator(0, "marks of aspect values")
        factors = random.integers(2**64, size=len(space.aspects), dtype=np.uint64) | np.uint64(1)
        bits = np.ascontiguousarray(space.item_quality, dtype=np.float32).view(np.uint32).astype(np.uint64)
        self._values: Marks = np.where(space.item_quality == space.scale.absent, 0, _mixed(_mixed(bits) * factors))
        """[items, aspects]; 0 if an item does not have the aspect."""
        self._whole: Marks = self._values.sum(axis=1, dtype=np.uint64)

    def with_only(self, items: IntVector, sets: IntVector, named: BoolMatrix) -> Marks:
        """What is left of each item with only the aspects of its set; item i with ``named[sets[i]]``."""
        sizes = named.sum(axis=1)
        aspects = np.argsort(~named, axis=1, kind="stable")[:, : max(1, int(sizes.max(initial=0)))]
        marks, counts = np.zeros(len(items), dtype=np.uint64), sizes[sets]
        for column in range(int(sizes.max(initial=0))):
            rows = slice(None) if (counts > column).all() else np.flatnonzero(counts > column)
            marks[rows] += self._values[items[rows], aspects[sets[rows], column]]
        return marks

    def without(self, items: IntVector, sets: IntVector, named: BoolMatrix) -> Marks:
        """What is left of each item without the aspects of its set."""
        return self._whole[items] - self.with_only(items, sets, named)


class SharedScores:
    """The scores of changed items for some users, by the aspect part of a scorer."""

    def __init__(self, views: UserCatalogues, marks: AspectMarks, users: IntVector, aspects_only: bool) -> None:
        self._views, self._marks, self._aspects_only = views, marks, aspects_only
        self._of_user = _mixed(_mixed(users.astype(np.uint64) + np.uint64(1)))
        self._known = np.zeros(PLACES, dtype=np.uint64)
        self._scores = np.empty(PLACES, dtype=np.float32)
        self._stand_in = np.empty(PLACES, dtype=np.int64)

    def without(self, which: IntVector, items: IntVector, sets: IntVector, named: BoolMatrix) -> FloatVector:
        """Item i for the user at place ``which[i]``, with the aspects ``named[sets[i]]`` absent."""
        return self._shared(self._marks.without(items, sets, named), which, items, sets, named, keep=True)

    def with_only(self, which: IntVector, items: IntVector, sets: IntVector, named: BoolMatrix) -> FloatVector:
        """Item i for the user at place ``which[i]``, with all aspects absent but ``named[sets[i]]``."""
        return self._shared(self._marks.with_only(items, sets, named), which, items, sets, named, keep=False)

    def _shared(
        self, marks: Marks, which: IntVector, items: IntVector, sets: IntVector, named: BoolMatrix, keep: bool
    ) -> FloatVector:
        marks = _mixed(marks + self._of_user[which])
        if not self._aspects_only:
            marks = _mixed(marks + _mixed(items.astype(np.uint64)))
        places = (marks % np.uint64(PLACES)).astype(np.int64)
        unknown = np.flatnonzero(self._known[places] != marks)
        scores = self._scores[places]
        if not len(unknown):
            return scores
        first, group = self._first_of_equal(marks[unknown], places[unknown])
        rows = unknown[first]
        score = self._views.scores_without if keep else self._views.scores_with_only
        found = score(which[rows], items[rows], named[sets[rows]])
        self._known[places[rows]], self._scores[places[rows]] = marks[rows], found
        scores[unknown] = found[group]
        return scores

    def _first_of_equal(self, marks: Marks, places: IntVector) -> tuple[IntVector, IntVector]:
        """Of rows with equal marks one, and which of these stands for each row; a few may be taken for different."""
        self._stand_in[places] = np.arange(len(places))
        chosen = self._stand_in[places]
        alone = np.flatnonzero(marks[chosen] != marks)  # another mark has the same place
        chosen[alone] = alone
        number = np.zeros(len(places), dtype=np.int64)
        number[chosen] = 1
        first = np.flatnonzero(number)
        number[first] = np.arange(len(first))
        return first, number[chosen]


def _mixed(numbers: NDArray[Any]) -> Marks:
    """Numbers that look random, different ones for different ones (the finalizer of SplitMix64)."""
    mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)), dtype=np.uint64)
