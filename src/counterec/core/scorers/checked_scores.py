"""What a scorer hands back, checked in one place: one number per pair, or an error that says what came instead.

A scorer may be anybody's. A vector of floats passes after a look at its shape and for
NaN and infinity. A list, a tensor, whole
numbers and a column (n, 1) have one meaning, and are converted; everything else is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from counterec.core.arrays import FloatVector
from counterec.core.scorers.offsets import aspect_part_of
from counterec.core.scorers.protocols import PairBatch, Scorer, has_layers
from counterec.errors import InvalidValueError, UsageError

if TYPE_CHECKING:  # reading stored answers needs no PyTorch
    from torch import Tensor

    from counterec.core.scorers.protocols import DifferentiableScorer

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
