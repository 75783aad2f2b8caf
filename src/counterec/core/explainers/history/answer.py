"""The answer by history: which past reviews a user would not have written, and what then becomes of the item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterec.core.arrays import BoolVector, FloatVector, IntVector, freeze, require
from counterec.core.explainers.answer import Status

COLUMNS = (
    "users",
    "items",
    "score_before",
    "score_after",
    "target_before",
    "target_after",
    "margin",
    "position_before",
    "position_after",
    "entered",
    "left",
    "past",
    "sets",
    "status",
    "proof",
)
"""The fields of ``HistoryAnswers`` that are arrays with one value per pair."""


@dataclass(frozen=True)
class HistoryAnswers:
    """Verified answers, one row per pair. A *target* is the score of the Kth best of the other candidates."""

    users: IntVector
    items: IntVector
    removed: tuple[IntVector, ...]
    """The items whose reviews are left out, the strongest first: of an explanation or, without one, of the nearest
    miss."""
    score_before: FloatVector
    score_after: FloatVector
    target_before: FloatVector
    target_after: FloatVector
    margin: FloatVector
    """By how much the item has to fall behind the target."""
    position_before: IntVector
    position_after: IntVector
    entered: IntVector
    """The best item that enters the list; −1 where none does."""
    left: BoolVector
    """Whether the item leaves the list without these reviews, by a fresh scoring of all candidates."""
    past: IntVector
    """How many past reviews of the user the model knows."""
    sets: IntVector
    """How many sets of reviews were scored."""
    status: NDArray[np.int8]
    proof: NDArray[np.int8]

    def __post_init__(self) -> None:
        floats = ("score_before", "score_after", "target_before", "target_after", "margin")
        whole = ("users", "items", "position_before", "position_after", "entered", "past", "sets")
        freeze(self, **dict.fromkeys(floats, np.float32), **dict.fromkeys(whole, np.int64))
        freeze(self, left=np.bool_, status=np.int8, proof=np.int8)
        for name in (*COLUMNS, "removed"):
            rows = len(getattr(self, name))
            require(rows == len(self.users), f"{name} has {rows} rows, expected one per pair: {len(self.users)}")
        require((self.left | ~self.explained).all(), "a row says explained, but the item stays in the list")
        require(
            all(len(removed) for removed, said in zip(self.removed, self.explained, strict=True) if said),
            "a row says explained, but every review stays",
        )

    def __len__(self) -> int:
        return len(self.users)

    @property
    def explained(self) -> BoolVector:
        """Which pairs have an explanation."""
        return self.status == Status.EXPLAINED

    @property
    def sizes(self) -> IntVector:
        """How many reviews each answer, or nearest miss, leaves out."""
        return np.array([len(removed) for removed in self.removed], dtype=np.int64)

    @classmethod
    def joined(cls, parts: Sequence[HistoryAnswers]) -> HistoryAnswers:
        """Several batches as one; of none, no answers."""
        empty: list[NDArray[Any]] = [np.empty(0)]
        whole: dict[str, Any] = {
            name: np.concatenate([getattr(part, name) for part in parts] or empty) for name in COLUMNS
        }
        return cls(**whole, removed=tuple(removed for part in parts for removed in part.removed))

    def rows(self, index: IntVector) -> HistoryAnswers:
        """Some of the rows, in this order."""
        removed = tuple(self.removed[row] for row in index.tolist())
        return HistoryAnswers(**{name: getattr(self, name)[index] for name in COLUMNS}, removed=removed)
