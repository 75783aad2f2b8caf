"""The hybrid: nets that see aspects, plus a collaborative part that sees who reviewed what."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector
from counterec.core.scorers.base import PairBatch
from counterec.core.scorers.net import StackedNets


class Offsets(Protocol):
    """What a pair gets whatever its aspects are: a sum over the user's own past items."""

    def offset(self, users: IntVector, items: IntVector) -> FloatVector:
        """Return the offset of each pair; 0 for users and items that training did not see."""
        ...

    def history(self, user: int, items: IntVector) -> tuple[IntVector, FloatMatrix]:
        """Return the user's past items, and what each adds to the offset of each of these items [past, items]."""
        ...

    def offset_without(self, user: int, items: IntVector, forgotten: IntVector) -> FloatVector:
        """Return the offset of each of these items had the user not touched the ``forgotten`` ones."""
        ...


class HybridScorer:
    """The mean of a few nets, plus the offset of each pair: s = f(X, Y | Θ) + offset."""

    aspects_only = False

    def __init__(self, aspect_part: StackedNets, offsets: Offsets) -> None:
        self.aspect_part, self.offsets = aspect_part, offsets

    @property
    def device(self) -> torch.device:
        """Where the nets are."""
        return self.aspect_part.device

    @cached_property
    def members(self) -> Sequence[HybridScorer]:
        """Each net with the same, whole offset."""
        nets = getattr(self.aspect_part, "members", (self.aspect_part,))
        return tuple(HybridScorer(net, self.offsets) for net in nets)

    def offset(self, users: IntVector, items: IntVector) -> FloatVector:
        """Return the offset of each pair."""
        return np.asarray(self.offsets.offset(users, items), dtype=np.float32)

    def history(self, user: int, items: IntVector) -> tuple[IntVector, FloatMatrix]:
        """Return the user's past items, and what each adds to the offset of each of these items [past, items]."""
        return self.offsets.history(user, items)

    def offset_without(self, user: int, items: IntVector, forgotten: IntVector) -> FloatVector:
        """Return the offset of each of these items had the user not touched the ``forgotten`` ones."""
        return np.asarray(self.offsets.offset_without(user, items, forgotten), dtype=np.float32)

    def score(self, pairs: PairBatch) -> FloatVector:
        """Return the sum of both parts."""
        return self.aspect_part.score(pairs) + self.offset(pairs.users, pairs.items)

    def score_tensor(self, users: Tensor, items: Tensor, user_attention: Tensor, item_quality: Tensor) -> Tensor:
        """Return the same sums as a tensor, with the gradients of the nets."""
        offset = self.offset(users.cpu().numpy(), items.cpu().numpy())
        part = self.aspect_part.score_tensor(users, items, user_attention, item_quality)
        return part + torch.from_numpy(offset).to(part.device)
