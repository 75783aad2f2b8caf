"""The catalogue as users see it: the scores of items as they are, without some aspects, or with only some.

Float results vary with the batch they are computed in. Under a scorer that uses aspects only, items with equal vectors
therefore share one score. A scorer with two ReLU layers keeps the items' part of its first layer, which is the same for
every user, and adds to it what the user and a change of a few aspects bring. If a scorer has an offset, a view consists
of its aspect part, in which equal vectors share one score, and the offsets of all items, computed once. Views of
several users side by side score by the aspect part alone: the caller adds offsets.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol, Self

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import BoolMatrix, FloatMatrix, FloatVector, IntVector, row_chunks
from counterec.core.compute_limits import rows_at_once
from counterec.core.scorers.base import (
    LayeredScorer,
    OffsetScorer,
    PairBatch,
    Scorer,
    has_layers,
    has_offset,
    offsets_of,
    require_scorer,
    scores_of,
)
from counterec.core.scorers.relu_layers import ReluLayers
from counterec.core.space import AspectSpace

ROWS_AT_ONCE, UNITS_AT_ONCE = 1024, 768 * 1024
"""Items scored in one product, and more of them as long as their layers have no more units: they stay in the
processor's cache."""

NO_ASPECTS = np.empty(0, dtype=np.int64)


class UserCatalogue(Protocol):
    """Scores the items of a catalogue for one user. Views of several users can be used in any order."""

    @property
    def aspect_part(self) -> UserCatalogue:
        """The same without offsets; the view itself if it has none."""
        ...

    def with_offsets(self, items: IntVector, scores: FloatVector) -> FloatVector:
        """The whole scores of these items, from their scores by the aspect part."""
        ...

    def scores(self, items: IntVector) -> FloatVector:
        """The items as they are; equal vectors share one score if only aspects count."""
        ...

    def scores_without(self, items: IntVector, aspects: IntVector) -> FloatVector:
        """The items with these aspects absent."""
        ...

    def scores_with_only(self, items: IntVector, aspects: IntVector) -> FloatVector:
        """The items with all other aspects absent."""
        ...

    def scores_without_each(self, items: IntVector, aspects: IntVector, chosen: BoolMatrix) -> FloatVector:
        """Each item with those of the aspects absent that its row of ``chosen`` [items, aspects] marks."""
        ...

    def scores_with_only_each(self, items: IntVector, aspects: IntVector, chosen: BoolMatrix) -> FloatVector:
        """Each item with all aspects absent but those that its row of ``chosen`` [items, aspects] marks."""
        ...


class Catalogue(Protocol):
    """What a scorer needs once for all users."""

    def for_user(self, user: int, attention: FloatVector | None = None) -> UserCatalogue:
        """The catalogue as this user sees it, or would see it with another attention."""
        ...

    def for_users(self, users: IntVector) -> UserCatalogues:
        """The catalogue as these users see it, offsets apart."""
        ...


def catalogue_of(scorer: Scorer, space: AspectSpace) -> Catalogue:
    """The fastest catalogue that the scorer allows."""
    require_scorer(scorer)
    if has_offset(scorer):
        return OffsetCatalogue(scorer, space)
    if has_layers(scorer) and scorer.aspects_only:
        return LayeredCatalogue(scorer, space)
    return PlainCatalogue(scorer, space)


class PlainCatalogue:
    """Works with any scorer: every changed item is scored from its whole vector."""

    def __init__(self, scorer: Scorer, space: AspectSpace) -> None:
        self._scorer, self._space = scorer, space
        self._equal = EqualItems(space, scorer.aspects_only)

    def for_user(self, user: int, attention: FloatVector | None = None) -> UserCatalogue:
        """The catalogue as this user sees it, or would see it with another attention."""
        own = self._space.user_attention[user] if attention is None else attention
        return _PlainView(self._scorer, self._space, self._equal, user, own)

    def for_users(self, users: IntVector) -> UserCatalogues:
        """The catalogue as these users see it."""
        return PlainViews(self._scorer, self._space, users)


class _WithoutOffsets:
    """What a view without offsets says of its parts."""

    @property
    def aspect_part(self) -> Self:
        return self

    def with_offsets(self, items: IntVector, scores: FloatVector) -> FloatVector:  # noqa: ARG002
        return scores


@dataclass(frozen=True)
class _PlainView(_WithoutOffsets):
    scorer: Scorer
    space: AspectSpace
    equal: EqualItems
    user: int
    attention: FloatVector

    def scores(self, items: IntVector) -> FloatVector:
        return self.equal.scored_once(items, lambda some: self._scored(some, self.space.item_quality[some]))

    def scores_without(self, items: IntVector, aspects: IntVector) -> FloatVector:
        return self.scores_without_each(items, aspects, _all_of(items, aspects))

    def scores_with_only(self, items: IntVector, aspects: IntVector) -> FloatVector:
        return self.scores_with_only_each(items, aspects, _all_of(items, aspects))

    def scores_without_each(self, items: IntVector, aspects: IntVector, chosen: BoolMatrix) -> FloatVector:
        quality = self.space.item_quality[items]
        quality[:, aspects] = np.where(chosen, self.space.without[aspects], quality[:, aspects])
        return self._scored(items, quality)

    def scores_with_only_each(self, items: IntVector, aspects: IntVector, chosen: BoolMatrix) -> FloatVector:
        absent = self.space.without
        quality = np.broadcast_to(absent, (len(items), len(absent))).copy()
        quality[:, aspects] = np.where(chosen, self.space.item_quality[np.ix_(items, aspects)], absent[aspects])
        return self._scored(items, quality)

    def _scored(self, items: IntVector, quality: FloatMatrix) -> FloatVector:
        attention = np.broadcast_to(self.attention, quality.shape)  # shared, not copied
        return scores_of(self.scorer, PairBatch(np.full(len(items), self.user), items, attention, quality))


class LayeredCatalogue:
    """Works with a scorer of two ReLU layers: starts from the items' part of its first layer."""

    def __init__(self, scorer: LayeredScorer, space: AspectSpace) -> None:
        self._scorer, self._space = scorer, space
        layers = self.layers_of(0)
        item, device = layers.item, layers.item.device
        units = item.shape[1] + layers.hidden_bias.numel()
        most = rows_at_once(max(ROWS_AT_ONCE, UNITS_AT_ONCE // units), device)
        self._items = ItemLayer(
            space=space,
            equal=EqualItems(space, aspects_only=True),
            part=torch.tensor(space.item_quality, device=device) @ item,
            nothing=torch.tensor(space.without, device=device) @ item,
            room=Room(layers, most),
        )

    def layers_of(self, user: int, attention: FloatVector | None = None) -> ReluLayers:
        """The layers as this user sees them, or would see them with another attention."""
        own = self._space.user_attention[user] if attention is None else attention
        return self._scorer.unrolled(np.array([user]), np.array([0]), np.asarray(own, dtype=np.float32)[None])

    @torch.inference_mode()
    def for_user(self, user: int, attention: FloatVector | None = None) -> UserCatalogue:
        """The catalogue as this user sees it, or would see it with another attention."""
        return _LayeredView(self._items, self.layers_of(user, attention))

    @torch.inference_mode()
    def for_users(self, users: IntVector) -> UserCatalogues:
        """The catalogue as these users see it."""
        layers = [self.layers_of(user) for user in users.tolist()]  # one by one: a share must not vary with the others
        return LayeredViews(self._items, replace(layers[0], share=torch.cat([own.share for own in layers])))


@dataclass(frozen=True)
class _LayeredView(_WithoutOffsets):
    items: ItemLayer
    layers: ReluLayers

    def scores(self, items: IntVector) -> FloatVector:
        if 2 * len(items) > len(self.items.space.items):  # sooner than finding out which groups are needed
            distinct, row = self.items.distinct
            return self._score_distinct(distinct)[row[items]]
        return self.items.equal.scored_once(items, lambda some: self._scored(some, NO_ASPECTS, None, keep=True))

    def scores_without(self, items: IntVector, aspects: IntVector) -> FloatVector:
        return self._scored(items, aspects, None, keep=True)

    def scores_with_only(self, items: IntVector, aspects: IntVector) -> FloatVector:
        return self._scored(items, aspects, None, keep=False)

    def scores_without_each(self, items: IntVector, aspects: IntVector, chosen: BoolMatrix) -> FloatVector:
        return self._scored(items, aspects, chosen, keep=True)

    def scores_with_only_each(self, items: IntVector, aspects: IntVector, chosen: BoolMatrix) -> FloatVector:
        return self._scored(items, aspects, chosen, keep=False)

    @torch.inference_mode()
    def _score_distinct(self, distinct: Tensor) -> FloatVector:
        """Score items by their parts of the first layer, without copying them first."""
        room = self.items.room.first
        scores = np.empty(len(distinct), dtype=np.float32)
        for chunk in row_chunks(len(distinct), len(room)):
            part = distinct[chunk]
            scores[chunk] = self._score(torch.add(part, self.layers.share, out=room[: len(part)])).cpu().numpy()
        return scores

    @torch.inference_mode()
    def _scored(self, items: IntVector, aspects: IntVector, chosen: BoolMatrix | None, keep: bool) -> FloatVector:
        """Take the aspects out of the items' first layer (``keep``), or put them alone into an empty one."""
        scores = np.empty(len(items), dtype=np.float32)
        for chunk in row_chunks(len(items), self.items.room.first.shape[0]):
            rows = None if chosen is None else chosen[chunk]
            scores[chunk] = self._chunk(items[chunk], aspects, rows, keep).cpu().numpy()
        return scores

    def _chunk(self, items: IntVector, aspects: IntVector, chosen: BoolMatrix | None, keep: bool) -> Tensor:
        return self._score(self.items.changed(self.layers, items, aspects, chosen, keep).add_(self.layers.share))

    def _score(self, first: Tensor) -> Tensor:
        """Return the scores that follow from the first layer's input, which is overwritten."""
        return self.layers.score(self.layers.second(first.relu_(), self.items.room.second).relu_())


class OffsetCatalogue:
    """Works with a scorer that has an offset: the fastest catalogue of its aspect part, and the offsets."""

    def __init__(self, scorer: OffsetScorer, space: AspectSpace) -> None:
        self._scorer, self._items = scorer, np.arange(len(space.items))
        self.aspect_part: Catalogue = catalogue_of(scorer.aspect_part, space)

    def for_user(self, user: int, attention: FloatVector | None = None) -> UserCatalogue:
        """The catalogue as this user sees it, or would see it with another attention."""
        return _OffsetView(self.aspect_part.for_user(user, attention), self._scorer, user, self._items)

    def for_users(self, users: IntVector) -> UserCatalogues:
        """The aspect part as these users see it."""
        return self.aspect_part.for_users(users)


@dataclass(frozen=True)
class _OffsetView:
    aspect_part: UserCatalogue
    scorer: OffsetScorer
    user: int
    everything: IntVector

    @cached_property
    def _offsets(self) -> FloatVector:
        """Of all items; computed once, if they are needed."""
        return offsets_of(self.scorer, np.full(len(self.everything), self.user), self.everything)

    def with_offsets(self, items: IntVector, scores: FloatVector) -> FloatVector:
        return np.asarray(scores + self._offsets[items], dtype=np.float32)

    def scores(self, items: IntVector) -> FloatVector:
        return self.with_offsets(items, self.aspect_part.scores(items))

    def scores_without(self, items: IntVector, aspects: IntVector) -> FloatVector:
        return self.with_offsets(items, self.aspect_part.scores_without(items, aspects))

    def scores_with_only(self, items: IntVector, aspects: IntVector) -> FloatVector:
        return self.with_offsets(items, self.aspect_part.scores_with_only(items, aspects))

    def scores_without_each(self, items: IntVector, aspects: IntVector, chosen: BoolMatrix) -> FloatVector:
        return self.with_offsets(items, self.aspect_part.scores_without_each(items, aspects, chosen))

    def scores_with_only_each(self, items: IntVector, aspects: IntVector, chosen: BoolMatrix) -> FloatVector:
        return self.with_offsets(items, self.aspect_part.scores_with_only_each(items, aspects, chosen))


def _all_of(items: IntVector, aspects: IntVector) -> BoolMatrix:
    return np.ones((len(items), len(aspects)), dtype=bool)


class EqualItems:
    """Which items have equal vectors; if a scorer uses more than aspects, no two items count as equal."""

    def __init__(self, space: AspectSpace, aspects_only: bool) -> None:
        self._space, self._aspects_only = space, aspects_only

    @cached_property
    def groups(self) -> tuple[IntVector, IntVector]:
        """The first item of each group, and the group of each item."""
        if self._aspects_only:
            return self._space.equal_items()
        everything = np.arange(len(self._space.items))
        return everything, everything

    def scored_once(self, items: IntVector, score: Callable[[IntVector], FloatVector]) -> FloatVector:
        """Score one item per group."""
        first, group = self.groups
        groups, place = np.unique(group[items], return_inverse=True)
        return score(first[groups])[place]


class Room(threading.local):
    """Room for the layers of one chunk, for each thread its own.

    It is overwritten by every chunk: allocating it for each product costs as much as the product.
    """

    def __init__(self, layers: ReluLayers, rows: int) -> None:
        self.first = torch.empty((rows, layers.item.shape[1]), device=layers.item.device)
        self.second = layers.second_room(rows)

    @cached_property
    def share(self) -> Tensor:
        """What the users of a chunk add to its first layer."""
        return torch.empty_like(self.first)


@dataclass(frozen=True)
class ItemLayer:
    """The items' part of the first layer, the same for every user; and room for the layers of one chunk."""

    space: AspectSpace
    equal: EqualItems
    part: Tensor
    nothing: Tensor
    """The part of an item that has no aspect."""
    room: Room

    @cached_property
    def distinct(self) -> tuple[Tensor, IntVector]:
        """The part of one item of each group of equal items, and the row of each item's group."""
        first, group = self.equal.groups
        if len(first) == len(group):
            return self.part, np.arange(len(group))
        return self.part[torch.from_numpy(first)], group

    def changed(
        self, layers: ReluLayers, items: IntVector, aspects: IntVector, chosen: BoolMatrix | None, keep: bool
    ) -> Tensor:
        """Take the aspects out of the items' part (``keep``), or put them alone into an empty one; made in the room.

        All of the aspects, or those that are chosen for each item.
        """
        first, space = self.room.first[: len(items)], self.space
        if keep:
            torch.index_select(self.part, 0, torch.from_numpy(items).to(first.device), out=first)
        else:
            first.copy_(self.nothing.expand_as(first))
        if len(aspects):
            some = space.item_quality[np.ix_(items, aspects)] - space.without[aspects]
            if chosen is not None:
                some *= chosen
            part = torch.from_numpy(some).to(first.device)
            first.addmm_(part, layers.item[torch.from_numpy(aspects).to(first.device)], alpha=-1 if keep else 1)
        return first


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
