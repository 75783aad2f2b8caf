"""The hindsight bound: how well a method could match the held-out review that names only what flips by its absence.

For each pair with a ground truth, the best F1 of a set of the item's aspects whose absence takes the item off the list:
found by trying every set of at most ``EXHAUSTIVE`` aspects, the best F1 first. F1 = 2·h/(s + p) depends on a set only
by its size s and the number h of praised aspects in it, p being the number of praised aspects. Larger sets are too many
to try; for these there is a bound: as if each of them flipped.

It bounds no method that lowers values: where the score does not rise with every aspect, a lower value may flip although
absence does not, so the aspects of a continuous answer may be none of these sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, FloatVector, IntVector, freeze
from counterec.core.attribution.present_aspects import present
from counterec.core.evaluation.pair_lookup import NOWHERE
from counterec.core.evaluation.user_side import GroundTruth
from counterec.core.lists import Recommendations, off_the_list
from counterec.core.scorers.checked_scores import scores_of
from counterec.core.scorers.protocols import PairBatch, Scorer
from counterec.core.space import AspectSpace

SETS_AT_ONCE = 4096
"""Sets tried in one call: bounds the memory."""
EXHAUSTIVE = 3
"""All sets of at most so many aspects are tried."""


@dataclass(frozen=True)
class Hindsight:
    """One row per pair with a ground truth."""

    users: IntVector
    items: IntVector
    best: FloatVector
    """The best F1 of a set of at most ``EXHAUSTIVE`` aspects that flips; 0 where none with a praised aspect flips."""
    bound: FloatVector
    """No set that flips has a higher F1, however large."""
    unconstrained: FloatVector
    """The best F1 of any set of the item's aspects, whether it flips or not."""

    def __post_init__(self) -> None:
        floats = dict.fromkeys(("best", "bound", "unconstrained"), np.float64)
        freeze(self, users=np.int64, items=np.int64, **floats)


def hindsight(
    scorer: Scorer, space: AspectSpace, lists: Recommendations, truth: GroundTruth, eligible: BoolMatrix | None = None
) -> Hindsight:
    """The best F1 in hindsight for the recommended pairs whose held-out review praises something.

    ``eligible`` has one row per recommended pair, in the order of ``lists.pairs()``: the aspects that may be named.
    Without it, an item of a hundred aspects has thousands of sets to try.
    """
    at, _, items = lists.pairs()
    users = lists.users[at]
    held_out = truth.rows_of(users, items)
    counts = np.flatnonzero((held_out != NOWHERE) & truth.praised[held_out].any(axis=1))
    may = present(space, items) if eligible is None else present(space, items) & eligible
    found = []
    for row in counts:
        flips = _Flips(scorer, space, lists, int(users[row]), int(items[row]))
        found.append(_pair(flips, may[row], truth.praised[held_out[row]]))
    best, bound, whole = np.array(found, dtype=np.float64).reshape(-1, 3).T
    return Hindsight(users[counts], items[counts], best, bound, whole)


def _pair(flips: _Flips, may: BoolVector, praised: BoolVector) -> tuple[float, float, float]:
    right, wrong, total = np.flatnonzero(may & praised), np.flatnonzero(may & ~praised), int(praised.sum())
    best = 0.0
    for hits, size in _classes(len(right), len(wrong), total):
        if flips.any(right, wrong, hits, size):
            best = _f1(hits, size, total)
            break
    larger = _best_of_larger(len(right), len(wrong), total)
    return best, max(best, larger), _f1(len(right), len(right), total)


def _f1(hits: int, size: int, praised: int) -> float:
    return 2 * hits / (size + praised)


def _classes(right: int, wrong: int, praised: int) -> list[tuple[int, int]]:
    """Every (hits, size) of sets of at most ``EXHAUSTIVE`` aspects with at least one hit, the best F1 first."""
    found = [
        (hits, size)
        for size in range(1, EXHAUSTIVE + 1)
        for hits in range(1, size + 1)
        if hits <= right and size - hits <= wrong
    ]
    return sorted(found, key=lambda one: (-_f1(one[0], one[1], praised), one[1]))


def _best_of_larger(right: int, wrong: int, praised: int) -> float:
    """The best F1 of a set of more than ``EXHAUSTIVE`` aspects, if all of them flipped; 0 where there is none."""
    sizes = range(EXHAUSTIVE + 1, right + wrong + 1)
    return max((_f1(min(size, right), size, praised) for size in sizes), default=0.0)


class _Flips:
    """Whether the absence of some aspects takes one item off one list."""

    def __init__(self, scorer: Scorer, space: AspectSpace, lists: Recommendations, user: int, item: int) -> None:
        row = lists.rows_of(np.array([user]))[0]
        self._scorer, self._space, self._user, self._item = scorer, space, user, item
        self._target, self._below = lists.target[row], lists.items[row, lists.k]

    def any(self, right: IntVector, wrong: IntVector, hits: int, size: int) -> bool:
        """Whether any set of this many praised aspects among so many flips."""
        sets = (one + other for one in combinations(right, hits) for other in combinations(wrong, size - hits))
        return any(self._of(chunk).any() for chunk in _chunks(sets))

    def _of(self, sets: list[tuple[int, ...]]) -> BoolVector:
        users, items = np.full(len(sets), self._user), np.full(len(sets), self._item)
        pairs = PairBatch.of(self._space, users, items)
        quality = pairs.item_quality.copy()
        for row, aspects in enumerate(sets):
            quality[row, list(aspects)] = self._space.without[list(aspects)]
        scores = scores_of(self._scorer, pairs.with_quality(quality))
        return off_the_list(scores, items, self._target, self._below)


def _chunks(sets: Iterator[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
    while chunk := list(islice(sets, SETS_AT_ONCE)):
        yield chunk
