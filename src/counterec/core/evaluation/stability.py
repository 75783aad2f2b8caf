"""Stability: does a pair get the same explanation from a model trained again, or for a list that is one item longer?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import FloatVector, IntVector, freeze, require_shape
from counterec.core.evaluation.pair_lookup import NOWHERE, rows_of_pairs
from counterec.core.explainers.answer import NamedAspects


@dataclass(frozen=True)
class Overlap:
    """One row per pair that has both explanations: from 0, nothing in common, to 1, the same aspects."""

    users: IntVector
    items: IntVector
    value: FloatVector

    def __post_init__(self) -> None:
        freeze(self, users=np.int64, items=np.int64, value=np.float64)
        require_shape("items", self.items, self.users.shape)
        require_shape("value", self.value, self.users.shape)


def jaccard(one: NamedAspects, other: NamedAspects) -> Overlap:
    """|named by both| / |named by either|, over the pairs that both explain."""
    require_shape("the other's named", other.named, (len(other), one.named.shape[1]))
    rows = rows_of_pairs(one.users, one.items, other.users, other.items)
    both = (rows != NOWHERE) & one.any_named
    both[both] = other.any_named[rows[both]]
    first, second = one.named[both], other.named[rows[both]]
    value = (first & second).sum(axis=1) / (first | second).sum(axis=1)
    return Overlap(one.users[both], one.items[both], value)
