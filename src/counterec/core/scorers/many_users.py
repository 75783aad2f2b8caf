"""Several users' views of the catalogue, asked side by side: items without some aspects, or with only some.

What a search asks about many users then goes through a scorer in few calls. Scores are those of the aspect part: the
caller adds offsets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import BoolMatrix, FloatVector, IntVector, row_chunks
from counterec.core.scorers.checked_scores import scores_of
from counterec.core.scorers.item_layer import ItemLayer
from counterec.core.scorers.protocols import PairBatch, Scorer
from counterec.core.scorers.relu_layers import ReluLayers
from counterec.core.space import AspectSpace

CHANGED_AT_ONCE = 16_384
"""Changed items that any scorer scores in one call, to bound the memory."""


class UserCatalogues(Protocol):
    """Scores changed items for several users.

    Row i is item ``items[i]`` for the user at place ``which[i]``, and ``named`` [rows, aspects] flags its aspects.
    """

    def scores_without(self, which: IntVector, items: IntVector, named: BoolMatrix) -> FloatVector:
        """Each item with the named aspects absent."""
        ...

    def scores_with_only(self, which: IntVector, items: IntVector, named: BoolMatrix) -> FloatVector:
        """Each item with all aspects absent but the named ones."""
        ...


@dataclass(frozen=True)
class PlainViews:
    """Of any scorer: every changed item is scored from its whole vector."""

    scorer: Scorer
    space: AspectSpace
    users: IntVector

    def scores_without(self, which: IntVector, items: IntVector, named: BoolMatrix) -> FloatVector:
        """Each item with the named aspects absent."""
        return self._scored(which, items, named)

    def scores_with_only(self, which: IntVector, items: IntVector, named: BoolMatrix) -> FloatVector:
        """Each item with all aspects absent but the named ones."""
        return self._scored(which, items, ~named)

    def _scored(self, which: IntVector, items: IntVector, absent: BoolMatrix) -> FloatVector:
        scores, space = np.empty(len(items), dtype=np.float32), self.space
        for chunk in row_chunks(len(items), CHANGED_AT_ONCE):
            users, some = self.users[which[chunk]], items[chunk]
            quality = np.where(absent[chunk], space.without, space.item_quality[some])
            scores[chunk] = scores_of(self.scorer, PairBatch(users, some, space.user_attention[users], quality))
        return scores


@dataclass(frozen=True)
class LayeredViews:
    """Of a scorer with two ReLU layers: every changed item starts from its part of the first layer."""

    items: ItemLayer
    layers: ReluLayers
    """With the share of each user."""

    def scores_without(self, which: IntVector, items: IntVector, named: BoolMatrix) -> FloatVector:
        """Each item with the named aspects absent."""
        return self._scored(which, items, named, keep=True)

    def scores_with_only(self, which: IntVector, items: IntVector, named: BoolMatrix) -> FloatVector:
        """Each item with all aspects absent but the named ones."""
        return self._scored(which, items, named, keep=False)

    @torch.inference_mode()
    def _scored(self, which: IntVector, items: IntVector, named: BoolMatrix, keep: bool) -> FloatVector:
        scores = np.empty(len(items), dtype=np.float32)
        for chunk in row_chunks(len(items), self.items.room.first.shape[0]):
            scores[chunk] = self._chunk(which[chunk], items[chunk], named[chunk], keep).cpu().numpy()
        return scores

    def _chunk(self, which: IntVector, items: IntVector, named: BoolMatrix, keep: bool) -> Tensor:
        layers, room, aspects = self.layers, self.items.room, np.flatnonzero(named.any(axis=0))
        first = self.items.changed(layers, items, aspects, named[:, aspects], keep)
        share = room.share[: len(items)]
        torch.index_select(layers.share, 0, torch.from_numpy(which).to(first.device), out=share)
        return layers.score(layers.second(first.add_(share).relu_(), room.second).relu_())
