"""Rivals ahead: for many sets of aspects of many pairs at once, who would be ahead without the set, and with only it.

``evaluation.necessity`` decides one set exactly. This counts for many sets, over the rivals that are looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from counterec.core.arrays import BoolMatrix, BoolVector, FloatMatrix, FloatVector, IntMatrix, IntVector, row_chunks
from counterec.core.explainers.complete.likelihood import Counts, Reach
from counterec.core.explainers.complete.rivals import Rivals
from counterec.core.explainers.complete.shared_scores import SharedScores
from counterec.core.explainers.tolerances import BATCH_ROUNDING, TIED

CELLS_AT_ONCE = 2**18
"""So many rivals of sets are counted at once: what is worked out for them stays in the processor's cache."""


@dataclass(frozen=True)
class PairsOfUsers:
    """The pairs of a question that are searched side by side, and what their users add."""

    items: IntVector
    """The item of every pair of the question."""
    offsets: FloatVector
    """Its offset."""
    anyway: BoolVector
    """Whether it stays in the list with no aspect at all: then no set is sufficient, and none is sought."""
    places: IntVector
    """The place of its user among those searched side by side; of no meaning for pairs that are not."""
    nothing: FloatVector
    """Per user the score of an item that has no aspect, if only aspects count; offsets apart."""


class RivalsAhead:
    """The rivals of pairs, one row per group of pairs that share theirs; ``group`` says which is whose."""

    def __init__(
        self,
        present: NDArray[np.uint64],
        k: int,
        shared: SharedScores,
        pairs: PairsOfUsers,
        rivals: Sequence[Rivals],
        group: IntVector,
        aspects_only: bool,
    ) -> None:
        self._k, self._shared, self._pairs, self._group, self._aspects_only = k, shared, pairs, group, aspects_only
        lengths = np.array([len(some.items) for some in rivals])
        self._there: BoolMatrix = np.arange(int(lengths.max())) < lengths[:, None]
        self._items: IntMatrix = self._filled([some.items for some in rivals], np.int64)
        self._scores: FloatMatrix = self._filled([some.scores for some in rivals], np.float32)
        self._offsets: FloatMatrix = self._filled([some.offsets for some in rivals], np.float32)
        self._own: BoolMatrix = self._filled([some.own for some in rivals], np.bool_)
        self._weights: FloatMatrix = self._filled([some.weights for some in rivals], np.float32)
        self._largest = np.abs(self._scores).max(axis=1)
        self._all_candidates = np.array([some.all_candidates for some in rivals])
        self._present = present[self._items]

    def _filled(self, parts: Sequence[NDArray[Any]], dtype: DTypeLike) -> NDArray[Any]:
        """One row per group, 0 where it has fewer rivals than others."""
        filled: NDArray[Any] = np.zeros(self._there.shape, dtype=dtype)
        filled[self._there] = np.concatenate(parts)
        return filled

    def counts(self, pairs: IntVector, named: BoolMatrix) -> Counts:
        """Count for many sets, one row of ``named`` [sets, aspects] each; set i belongs to the pair ``pairs[i]``."""
        chunks = row_chunks(len(pairs), max(1, CELLS_AT_ONCE // self._items.shape[1])) or [slice(0, 0)]
        found = [self._counts(pairs[rows], named[rows]) for rows in chunks]
        return Counts(*(np.concatenate([getattr(some, field.name) for some in found]) for field in fields(Counts)))

    def _counts(self, pairs: IntVector, named: BoolMatrix) -> Counts:
        sets = _Sets.of(self._pairs, pairs, self._group[pairs], named)
        others = self._there[sets.group] & (self._items[sets.group] != sets.items[:, None])
        has_some = others & (self._present[sets.group] & packed(named)[:, None]).any(axis=2)
        without = self._reach(sets, others, *self._scores_without(sets, has_some))
        left = self._reach(sets, others, *self._scores_with_only(sets, has_some, others))
        anyway = self._pairs.anyway[pairs]
        return Counts(
            necessary=without.reached,
            sufficient=~left.reached | anyway,
            likely_necessary=without.likely,
            likely_sufficient=np.where(anyway, 1.0, 1 - left.likely),
            # Too few ahead without an aspect is never certain: items that were behind are only assumed to stay there.
            necessity_known=without.surely,
            sufficiency_known=left.surely | (left.surely_not & self._all_candidates[sets.group]) | anyway,
        )

    def _scores_without(self, sets: _Sets, has_some: BoolMatrix) -> tuple[FloatMatrix, FloatVector]:
        """The scores without the set: items with none of it keep theirs; items behind are assumed to stay there."""
        own = self._shared.without(sets.users, sets.items, np.arange(len(sets.items)), sets.named) + sets.offsets
        world = self._scores[sets.group]
        which, rival = np.nonzero(has_some & (world >= own[:, None]))
        group = sets.group[which]
        scores = self._shared.without(sets.users[which], self._items[group, rival], which, sets.named)
        world[which, rival] = scores + self._offsets[group, rival]
        return world, own

    def _scores_with_only(
        self, sets: _Sets, has_some: BoolMatrix, others: BoolMatrix
    ) -> tuple[FloatMatrix, FloatVector]:
        """The scores with only the set: if only aspects count, all items with none of it have that of nothing."""
        which, rival = np.nonzero(has_some if self._aspects_only else others)
        group, everyone = sets.group[which], np.arange(len(sets.items))
        scores = self._shared.with_only(
            np.concatenate([sets.users, sets.users[which]]),
            np.concatenate([sets.items, self._items[group, rival]]),
            np.concatenate([everyone, which]),
            sets.named,
        )
        world = self._offsets[sets.group] + self._pairs.nothing[sets.users][:, None]
        world[which, rival] = scores[len(everyone) :] + self._offsets[group, rival]
        return world, scores[: len(everyone)] + sets.offsets

    def _reach(self, sets: _Sets, others: BoolMatrix, world: FloatMatrix, own: FloatVector) -> Reach:
        """Who is ahead of the items, and who is so near that rounding may decide."""
        apart = world - own[:, None]
        ahead, near = apart > 0, np.abs(apart)
        scale = np.maximum(self._largest[sets.group], np.abs(own))
        which, rival = np.nonzero(near <= (TIED * scale)[:, None])
        ahead[which, rival] = self._items[sets.group[which], rival] < sets.items[which]
        doubtful = near <= (BATCH_ROUNDING * scale)[:, None]
        own_rivals, weights = self._own[sets.group], self._weights[sets.group]
        return Reach.of(ahead & others, doubtful & others, own_rivals, weights, self._k)


@dataclass(frozen=True)
class _Sets:
    """Sets of aspects, one row of ``named`` [sets, aspects] each, and whose they are."""

    named: BoolMatrix
    users: IntVector
    """The places of the users among those searched side by side."""
    items: IntVector
    offsets: FloatVector
    group: IntVector

    @classmethod
    def of(cls, pairs: PairsOfUsers, which: IntVector, group: IntVector, named: BoolMatrix) -> _Sets:
        return cls(named, pairs.places[which], pairs.items[which], pairs.offsets[which], group)


def packed(flags: BoolMatrix) -> NDArray[np.uint64]:
    """Flags [rows, aspects] as whole numbers of 64 bits [rows, numbers]."""
    wide = np.zeros((len(flags), -(-flags.shape[1] // 64) * 64), dtype=bool)
    wide[:, : flags.shape[1]] = flags
    return np.packbits(wide, axis=1).view(np.uint64)
