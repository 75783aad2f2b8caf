"""What a scorer is: anything that scores (user, item) pairs given their aspect vectors, f(X, Y | Z, Θ) of Eq. 4.

A scorer may be anybody's, so what it returns is checked in one place (``scores_of``): one number per pair, or an error
that says what came instead. A vector of floats passes after a look at its shape and for NaN and infinity. A list, a
tensor, whole numbers and a column (n, 1) have one meaning, and are converted; everything else is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector, freeze, require, require_shape
from counterec.core.space import AspectSpace
from counterec.errors import InvalidValueError, UsageError

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


ADVICE = "it must return one number per pair, a vector of shape (n,)"


def require_scorer(scorer: object) -> None:
    """Refuse what cannot be asked for scores, such as a bare model, by naming what it lacks."""
    if isinstance(scorer, type):
        raise UsageError(f"{scorer.__name__} is a class, not a scorer; pass an instance of it")
    lacks = [name for name in ("aspects_only", "score") if not hasattr(scorer, name)]
    if lacks:
        raise UsageError(
            f"{type(scorer).__name__} is not a scorer: it has no {' and no '.join(lacks)}; a scorer is an object with "
            "aspects_only (whether the two aspect vectors alone decide) and score(pairs), a number per pair"
        )


def scores_of(scorer: Scorer, pairs: PairBatch) -> FloatVector:
    """The score of each pair."""
    found = as_scores(_name(scorer), scorer.score(pairs), len(pairs))
    if not np.isfinite(found).all():
        place = int((~np.isfinite(found)).argmax())
        value = "NaN" if np.isnan(found[place]) else f"{found[place]}"
        raise InvalidValueError(
            f"{_name(scorer)} returned {value} for user {pairs.users[place]} and item {pairs.items[place]}; "
            "every score must be a number, and finite"
        )
    return found


def as_scores(name: str, found: Any, rows: int) -> FloatVector:
    """What a scorer of this name returned for so many rows, as a vector of floats; which numbers is not looked at."""
    if isinstance(found, np.ndarray) and found.dtype.kind == "f" and found.shape == (rows,):
        return found
    return _as_vector(name, found, rows)


def scores_together(scorer: Scorer, *batches: PairBatch) -> list[FloatVector]:
    """The scores of several batches; a black box is called once, since a call may be slow, whatever it asks.

    A scorer with layers is fast, and keeps a call for each: float results vary with the batch.
    """
    if has_layers(aspect_part_of(scorer)):
        return [scores_of(scorer, pairs) for pairs in batches]
    ends = np.cumsum([len(pairs) for pairs in batches])[:-1]
    return np.split(scores_of(scorer, PairBatch.joined(batches)), ends)


def tensor_scores_of(
    scorer: DifferentiableScorer, users: Tensor, items: Tensor, user_attention: Tensor, item_quality: Tensor
) -> Tensor:
    """The score of each pair, with gradients."""
    found: Any = scorer.score_tensor(users, items, user_attention, item_quality)
    shape = getattr(found, "shape", None)
    if shape != users.shape:  # a column would be spread over a square without a word
        what = _kind(found) if shape is None else f"the shape {tuple(shape)}"
        raise InvalidValueError(
            f"score_tensor of {_name(scorer)} returned {what} for {len(users)} pairs; it must return a tensor of "
            "one number per pair, of shape (n,)"
        )
    return found


def _as_vector(name: str, found: Any, rows: int) -> FloatVector:
    """What was returned as a vector of floats, where it can mean only one."""
    try:
        array = np.asarray(found.detach().cpu() if hasattr(found, "detach") else found)
    except (TypeError, ValueError):  # rows of different lengths, and objects that refuse
        array = np.asarray(None)
    if array.dtype.kind not in "fiu":
        raise InvalidValueError(f"{name} returned {_kind(found)} for {rows} pairs; {ADVICE}")
    if array.shape not in ((rows,), (rows, 1)):
        raise InvalidValueError(f"{name} returned the shape {array.shape} for {rows} pairs; {ADVICE}")
    return array.reshape(rows).astype(array.dtype if array.dtype.kind == "f" else np.float32)


def _kind(found: Any) -> str:
    return "None" if found is None else f"a {type(found).__name__}"


def _name(scorer: Scorer) -> str:
    return type(scorer).__name__


def aspect_part_of(scorer: Scorer) -> Scorer:
    """Return the part of the scorer that sees aspects; the scorer itself if it has no offset."""
    return scorer.aspect_part if has_offset(scorer) else scorer


def offsets_of(scorer: Scorer, users: IntVector, items: IntVector) -> FloatVector:
    """Return what each pair gets whatever its aspects are; 0 if the scorer has no offset."""
    if not has_offset(scorer):
        return np.zeros(len(users), dtype=np.float32)
    return np.asarray(scorer.offset(users, items), dtype=np.float32)


def first_in_order(scores: FloatVector, numbers: IntVector, count: int) -> IntVector:
    """Return the places of the first ``count`` items in the order of ranking.

    Item *a* precedes *b* if its score is higher, or equal and its number smaller.
    """
    require(not np.isnan(scores).any(), "a scorer returned NaN; every score must be a number")
    if len(scores) > count:
        least = np.partition(scores, len(scores) - count)[len(scores) - count]
        eligible = np.flatnonzero(scores >= least)
    else:
        eligible = np.arange(len(scores))
    order = np.lexsort((numbers[eligible], -scores[eligible]))
    return eligible[order[:count]]
