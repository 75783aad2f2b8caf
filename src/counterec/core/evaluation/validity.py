"""Validity: would the item leave the list if it alone lost the named aspects? And are all of them needed for that?

PN removes the aspects from *all* items. Here only the explained item loses them, which is what a counterfactual says.
The others stay as they are, so the item leaves its list exactly if the first item below the list then precedes it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, FloatVector, IntVector, freeze, require, row_chunks
from counterec.core.explainers.answer import NamedAspects
from counterec.core.explainers.probe import ROWS_AT_ONCE
from counterec.core.lists import ABSENT_ITEM, Recommendations, off_the_list
from counterec.core.scorers.checked_scores import scores_of
from counterec.core.scorers.offsets import aspect_part_of, offsets_of
from counterec.core.scorers.protocols import PairBatch, Scorer
from counterec.core.space import AspectSpace


@dataclass(frozen=True)
class Validity:
    """One row per pair with named aspects."""

    valid: BoolVector
    """Whether their absence from this item alone takes it off the list; never if nothing is named."""
    redundant: FloatVector
    """The share of named aspects without each of which the others still take it off; NaN if not valid."""

    def __post_init__(self) -> None:
        freeze(self, valid=np.bool_, redundant=np.float64)


def validity(scorer: Scorer, space: AspectSpace, lists: Recommendations, named: NamedAspects) -> Validity:
    """Remove the named aspects of every pair, all together and with each one left out."""
    removal = _Removal(scorer, space, lists, named)
    asked = np.flatnonzero(named.any_named)
    valid = np.zeros(len(named), dtype=bool)
    valid[asked] = removal.takes_off(asked)
    rows, aspects = np.nonzero(named.named & valid[:, None])
    # An aspect that the item lacks cannot matter: deciding that needs no score, and is free of float noise.
    spare = space.item_quality[named.items[rows], aspects] == space.scale.absent[aspects]
    had = np.flatnonzero(~spare)
    spare[had] = removal.takes_off(rows[had], aspects[had])
    share = np.bincount(rows, weights=spare, minlength=len(named)) / np.maximum(named.named.sum(axis=1), 1)
    return Validity(valid, np.where(valid, share, np.nan))


class _Removal:
    """Removes the named aspects from the item of a pair, and decides whether it leaves the list of its user."""

    def __init__(self, scorer: Scorer, space: AspectSpace, lists: Recommendations, named: NamedAspects) -> None:
        self._scorer, self._space, self._named = scorer, space, named
        asked = named.any_named
        at = lists.rows_of(named.users[asked])
        listed = (lists.items[at, : lists.k] == named.items[asked, None]).any(axis=1)
        require(listed.all(), "an item with named aspects is not in the list of its user")
        self._below = np.full(len(named), ABSENT_ITEM)
        self._target = np.full(len(named), np.nan, dtype=np.float32)
        self._below[asked], self._target[asked] = lists.items[at, lists.k], lists.target[at]

    def takes_off(self, rows: IntVector, left_out: IntVector | None = None) -> BoolVector:
        """Which items of these rows fall behind the first item below their list.

        ``left_out`` holds one aspect per row that the item keeps.
        """
        found = np.zeros(len(rows), dtype=bool)
        for chunk in row_chunks(len(rows), ROWS_AT_ONCE):
            aspects = self._named.named[rows[chunk]]
            if left_out is not None:
                aspects[np.arange(len(aspects)), left_out[chunk]] = False
            found[chunk] = self._falls(rows[chunk], aspects)
        return found

    def _falls(self, rows: IntVector, aspects: BoolMatrix) -> BoolVector:
        items, below, target = self._named.items[rows], self._below[rows], self._target[rows]
        pairs = PairBatch.of(self._space, self._named.users[rows], items)
        quality = np.where(aspects, self._space.without, pairs.item_quality)
        part = aspect_part_of(self._scorer)
        part_scores = scores_of(part, pairs.with_quality(quality))
        scores = part_scores + offsets_of(self._scorer, pairs.users, items)
        twins = (quality == self._space.item_quality[below]).all(axis=1) & (below != ABSENT_ITEM)
        if part.aspects_only and twins.any():  # equal vectors have equal scores, offsets apart, whatever the batch
            target = target.copy()
            target[twins] = part_scores[twins] + offsets_of(self._scorer, pairs.users[twins], below[twins])
        return off_the_list(scores, items, target, below) & (quality != pairs.item_quality).any(axis=1)
