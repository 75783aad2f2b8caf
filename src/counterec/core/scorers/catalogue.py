"""One user against the catalogue: the scores of items as they are, without some aspects, or with only some.

Float results vary with the batch they are computed in, so under a scorer that uses aspects only, items with equal
vectors share one score. A scorer with two ReLU layers keeps the items' part of its first layer, which is the same for
every user, and only adds to it what a user and a change of a few aspects bring.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import BoolMatrix, FloatMatrix, FloatVector, IntVector, row_chunks
from counterec.core.devices import rows_at_once
from counterec.core.scorers.protocols import LayeredScorer, PairBatch, ReluLayers, Scorer
from counterec.core.space import AspectSpace

ROWS_AT_ONCE = 1024
"""Items scored in one product: the layers of so many stay in the processor's cache."""


class Catalogue(Protocol):
    """Scores the items of a catalogue for one user at a time."""

    def turn_to(self, user: int) -> None:
        """Score for this user from now on."""
        ...

    def scores(self, items: IntVector) -> FloatVector:
        """The items as they are."""
        ...

    def scores_without(self, items: IntVector, aspects: IntVector) -> FloatVector:
        """The items, were these aspects absent."""
        ...

    def scores_with_only(self, items: IntVector, aspects: IntVector) -> FloatVector:
        """The items, were all other aspects absent."""
        ...

    def scores_without_each(self, items: IntVector, aspects: IntVector, chosen: BoolMatrix) -> FloatVector:
        """The items, were those of the aspects absent that are chosen for it, a row an item."""
        ...

    def scores_with_only_each(self, items: IntVector, aspects: IntVector, chosen: BoolMatrix) -> FloatVector:
        """The items, were all aspects absent but those chosen for it, a row an item."""
        ...


def catalogue_of(scorer: Scorer, space: AspectSpace) -> Catalogue:
    """The fastest catalogue that the scorer allows."""
    if isinstance(scorer, LayeredScorer) and scorer.aspects_only:
        return LayeredCatalogue(scorer, space)
    return PlainCatalogue(scorer, space)


class PlainCatalogue:
    """Asks any scorer, item by item."""

    def __init__(self, scorer: Scorer, space: AspectSpace) -> None:
        self._scorer, self._space, self._user = scorer, space, 0

    def turn_to(self, user: int) -> None:
        """Score for this user from now on."""
        self._user = user

    def scores(self, items: IntVector) -> FloatVector:
        """The items as they are."""
        return self._scored(items, self._space.item_quality[items])

    def scores_without(self, items: IntVector, aspects: IntVector) -> FloatVector:
        """The items, were these aspects absent."""
        return self.scores_without_each(items, aspects, _all_of(items, aspects))

    def scores_with_only(self, items: IntVector, aspects: IntVector) -> FloatVector:
        """The items, were all other aspects absent."""
        return self.scores_with_only_each(items, aspects, _all_of(items, aspects))

    def scores_without_each(self, items: IntVector, aspects: IntVector, chosen: BoolMatrix) -> FloatVector:
        """The items, were those of the aspects absent that are chosen for it, a row an item."""
        quality = self._space.item_quality[items]
        quality[:, aspects] = np.where(chosen, self._space.scale.absent[aspects], quality[:, aspects])
        return self._scored(items, quality)

    def scores_with_only_each(self, items: IntVector, aspects: IntVector, chosen: BoolMatrix) -> FloatVector:
        """The items, were all aspects absent but those chosen for it, a row an item."""
        absent = self._space.scale.absent
        quality = np.broadcast_to(absent, (len(items), len(absent))).copy()
        quality[:, aspects] = np.where(chosen, self._space.item_quality[np.ix_(items, aspects)], absent[aspects])
        return self._scored(items, quality)

    def _scored(self, items: IntVector, quality: FloatMatrix) -> FloatVector:
        return self._scorer.score(PairBatch.for_user(self._space, self._user, items, quality))


class LayeredCatalogue:
    """Asks a scorer with two ReLU layers, from the items' part of its first layer."""

    def __init__(self, scorer: LayeredScorer, space: AspectSpace) -> None:
        self._scorer, self._space = scorer, space
        self._layers = self._unrolled(0)
        device = self._layers.item.device
        self._items = torch.tensor(space.item_quality, device=device) @ self._layers.item
        self._nothing = torch.tensor(space.scale.absent, device=device) @ self._layers.item
        # Memory that is taken anew for every product costs as much as the product.
        self._most = rows_at_once(ROWS_AT_ONCE, device)
        self._first = torch.empty((self._most, self._items.shape[1]), device=device)
        self._second = torch.empty((self._most, len(self._layers.hidden_bias)), device=device)

    def _unrolled(self, user: int) -> ReluLayers:
        attention = self._space.user_attention[user : user + 1]
        return self._scorer.unrolled(np.array([user]), np.array([0]), attention)

    @torch.inference_mode()
    def turn_to(self, user: int) -> None:
        """Score for this user from now on."""
        self._layers = self._unrolled(user)

    @torch.inference_mode()
    def scores(self, items: IntVector) -> FloatVector:
        """The items as they are."""
        return self._in_chunks(items, np.empty(0, dtype=np.int64), None, keep=True)

    @torch.inference_mode()
    def scores_without(self, items: IntVector, aspects: IntVector) -> FloatVector:
        """The items, were these aspects absent: their part is taken out of the first layer."""
        return self._in_chunks(items, aspects, None, keep=True)

    @torch.inference_mode()
    def scores_with_only(self, items: IntVector, aspects: IntVector) -> FloatVector:
        """The items, were all other aspects absent: their part is all that is put into the first layer."""
        return self._in_chunks(items, aspects, None, keep=False)

    @torch.inference_mode()
    def scores_without_each(self, items: IntVector, aspects: IntVector, chosen: BoolMatrix) -> FloatVector:
        """The items, were those of the aspects absent that are chosen for it, a row an item."""
        return self._in_chunks(items, aspects, chosen, keep=True)

    @torch.inference_mode()
    def scores_with_only_each(self, items: IntVector, aspects: IntVector, chosen: BoolMatrix) -> FloatVector:
        """The items, were all aspects absent but those chosen for it, a row an item."""
        return self._in_chunks(items, aspects, chosen, keep=False)

    def _in_chunks(self, items: IntVector, aspects: IntVector, chosen: BoolMatrix | None, keep: bool) -> FloatVector:
        scores = np.empty(len(items), dtype=np.float32)
        for chunk in row_chunks(len(items), self._most):
            rows = None if chosen is None else chosen[chunk]
            scores[chunk] = self._chunk(items[chunk], aspects, rows, keep).cpu().numpy()
        return scores

    def _chunk(self, items: IntVector, aspects: IntVector, chosen: BoolMatrix | None, keep: bool) -> Tensor:
        layers, first, second = self._layers, self._first[: len(items)], self._second[: len(items)]
        if keep:
            torch.index_select(self._items, 0, torch.from_numpy(items).to(first.device), out=first)
        else:
            first.copy_(self._nothing.expand_as(first))
        if len(aspects):
            some = self._space.item_quality[np.ix_(items, aspects)] - self._space.scale.absent[aspects]
            if chosen is not None:
                some *= chosen
            part = torch.from_numpy(some).to(first.device)
            first.addmm_(part, layers.item[torch.from_numpy(aspects).to(first.device)], alpha=-1 if keep else 1)
        first.add_(layers.share).relu_()
        torch.addmm(layers.hidden_bias, first, layers.hidden, out=second).relu_()
        return second @ layers.output + layers.output_bias


def _all_of(items: IntVector, aspects: IntVector) -> BoolMatrix:
    return np.ones((len(items), len(aspects)), dtype=bool)
