"""The items' part of a scorer's first layer, and which items have equal vectors: the same for every user."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import BoolMatrix, FloatVector, IntVector
from counterec.core.scorers.relu_layers import ReluLayers
from counterec.core.space import AspectSpace


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
