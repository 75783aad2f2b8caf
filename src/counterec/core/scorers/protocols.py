"""What a scorer is: anything that scores (user, item) pairs given their aspect vectors, f(X, Y | Z, Θ) of Eq. 4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector, freeze, require, require_shape
from counterec.core.space import AspectSpace

if TYPE_CHECKING:  # reading stored answers needs no PyTorch
    from torch import Tensor

    from counterec.core.scorers.relu_layers import ReluLayers


@dataclass(frozen=True)
class PairBatch:
    """B pairs to be scored in one call.

    The vectors are what is scored. The numbers of users and items let a scorer look up anything else it needs (Z).
    """

    users: IntVector
    items: IntVector
    user_attention: FloatMatrix
    item_quality: FloatMatrix

    def __post_init__(self) -> None:
        freeze(
            self,
            users=np.int64,
            items=np.int64,
            user_attention=np.float32,
            item_quality=np.float32,
        )
        require_shape("items", self.items, self.users.shape)
        require(self.user_attention.ndim == 2, "user_attention must be a matrix with one row per pair")
        require_shape("user_attention", self.user_attention, (len(self.users), self.user_attention.shape[1]))
        require_shape("item_quality", self.item_quality, self.user_attention.shape)

    def __len__(self) -> int:
        return len(self.users)

    @classmethod
    def of(cls, space: AspectSpace, users: ArrayLike, items: ArrayLike) -> PairBatch:
        """The pairs with their vectors in the space."""
        u, i = np.asarray(users, dtype=np.int64), np.asarray(items, dtype=np.int64)
        return cls(u, i, space.user_attention[u], space.item_quality[i])

    @classmethod
    def for_user(cls, space: AspectSpace, user: int, items: IntVector, item_quality: FloatMatrix) -> PairBatch:
        """One user and many items with these qualities; the user's vector is shared, not copied."""
        attention = np.broadcast_to(space.user_attention[user], item_quality.shape)
        return cls(np.full(len(items), user), items, attention, item_quality)

    @classmethod
    def joined(cls, parts: Sequence[PairBatch]) -> PairBatch:
        """Several batches as one."""
        names = ("users", "items", "user_attention", "item_quality")
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def rows(self, index: slice | IntVector) -> PairBatch:
        """Some of the pairs."""
        return PairBatch(self.users[index], self.items[index], self.user_attention[index], self.item_quality[index])

    def with_quality(self, item_quality: FloatMatrix) -> PairBatch:
        """The same pairs with these qualities of their items."""
        return PairBatch(self.users, self.items, self.user_attention, item_quality)


@runtime_checkable
class Scorer(Protocol):
    """The black box."""

    @property
    def aspects_only(self) -> bool:
        """Whether the score depends on the two vectors alone (no Z), so that equal rows can share one score."""
        ...

    def score(self, pairs: PairBatch) -> FloatVector:
        """Return the score of each pair; higher is better."""
        ...


@runtime_checkable
class DifferentiableScorer(Scorer, Protocol):
    """A scorer that also returns its scores as tensors with gradients, on its own device."""

    def score_tensor(self, users: Tensor, items: Tensor, user_attention: Tensor, item_quality: Tensor) -> Tensor:
        """Return the score of each pair as a tensor with gradients."""
        ...


@runtime_checkable
class LayeredScorer(Scorer, Protocol):
    """A scorer that gives access to its two ReLU layers, or to those of the nets that it is the mean of.

    That makes answers fast and, since the score is piecewise linear, allows exact ones.
    What is found through the layers is always verified by ``score``.
    """

    def unrolled(self, users: IntVector, items: IntVector, user_attention: FloatMatrix) -> ReluLayers:
        """Return the layers at these pairs."""
        ...


@runtime_checkable
class OffsetScorer(Scorer, Protocol):
    """A scorer with a part that no aspect moves: s = f(X, Y | Θ) + offset(user, item), the second being part of Z.

    Where one item moves, its offset is taken into the target. Where items are ranked, each gets its own.
    """

    @property
    def aspect_part(self) -> Scorer:
        """The scorer of the aspects alone."""
        ...

    def offset(self, users: IntVector, items: IntVector) -> FloatVector:
        """Return what each pair gets whatever its aspects are; 0 for users and items that training did not see."""
        ...


@runtime_checkable
class HistoryScorer(OffsetScorer, Protocol):
    """A scorer whose offset is a sum over the user's own past items."""

    def history(self, user: int, items: IntVector) -> tuple[IntVector, FloatMatrix]:
        """Return the user's past items, and what each adds to the offset of each of these items [past, items]."""
        ...


@runtime_checkable
class ForgettingScorer(HistoryScorer, Protocol):
    """A scorer that also knows its offsets had the user not touched some of their past items."""

    def offset_without(self, user: int, items: IntVector, forgotten: IntVector) -> FloatVector:
        """Return the offset of each of these items had the user not touched the ``forgotten`` ones; all else stays.

        What is forgotten need not be among the user's past items.
        """
        ...


@runtime_checkable
class AveragedScorer(Scorer, Protocol):
    """A scorer that is the mean of several."""

    @property
    def members(self) -> Sequence[Scorer]:
        """The scorers it is the mean of, each with the whole offset, if there is one."""
        ...


# What isinstance would say of these protocols, asked of every pair of a list: it looks at each of their members anew.


def has_layers(scorer: Scorer) -> TypeGuard[LayeredScorer]:
    """Whether the scorer gives access to its layers."""
    return hasattr(scorer, "unrolled")


def has_offset(scorer: Scorer) -> TypeGuard[OffsetScorer]:
    """Whether a part of the score is moved by no aspect."""
    return hasattr(scorer, "aspect_part") and hasattr(scorer, "offset")


def has_history(scorer: Scorer) -> TypeGuard[HistoryScorer]:
    """Whether the offset is a sum over the user's own past items."""
    return has_offset(scorer) and hasattr(scorer, "history")


def is_averaged(scorer: Scorer) -> TypeGuard[AveragedScorer]:
    """Whether the scorer is the mean of several."""
    return hasattr(scorer, "members")
