"""What a baseline is: a recommender with lists and explanations of its own, learned from the training part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector, freeze, require, require_shape
from counterec.core.interactions import Interactions
from counterec.core.scorers.protocols import Scorer
from counterec.core.space import AspectSpace


@dataclass(frozen=True)
class TrainMentions:
    """The mentions of the training part as numbers; opinions are numbers of opinion words, where the data has them."""

    users: IntVector
    items: IntVector
    aspects: IntVector
    opinions: IntVector | None
    sentiments: IntVector

    def __post_init__(self) -> None:
        freeze(self, users=np.int64, items=np.int64, aspects=np.int64, sentiments=np.int64)
        if self.opinions is not None:
            freeze(self, opinions=np.int64)
            require_shape("mentions.opinions", self.opinions, self.users.shape)
        for name in ("items", "aspects", "sentiments"):
            require_shape(f"mentions.{name}", getattr(self, name), self.users.shape)
        require(np.isin(self.sentiments, (-1, 1)).all(), "the sentiment of a mention is +1 or -1")

    def __len__(self) -> int:
        return len(self.users)


@dataclass(frozen=True)
class BaselineData:
    """All that a baseline may learn from; nothing of the test part is in it."""

    space: AspectSpace
    train: Interactions
    validation: Interactions
    ratings: FloatVector | None
    """One a row of ``train``, NaN where this pair was not rated; None where the data has no ratings."""
    mentions: TrainMentions | None
    """None where the data came as aspect vectors, without mentions."""

    def __post_init__(self) -> None:
        require(len(self.train) > 0, "there is no training interaction")
        if self.ratings is not None:
            freeze(self, ratings=np.float64)
            require_shape("ratings", self.ratings, (len(self.train),))
        if self.mentions is not None:
            inside = self.train.contain(self.mentions.users, self.mentions.items)
            require(inside.all(), "a mention is of a pair outside the training part")


@dataclass(frozen=True)
class Fitted:
    """A trained baseline, ready to rank and to explain."""

    name: str
    space: AspectSpace
    """Its own predicted X and Y over the same vocabularies; for MTER, which predicts neither, those of the data."""
    scorer: Scorer
    """Ranks over ``space``, with ``rank(scorer, space, candidates, k)``."""
    model_side: bool
    """Whether its score rests on the aspects of ``space``, so that PN and PS can be asked."""
    weights: Callable[[IntVector, IntVector], FloatMatrix]
    """For pairs, how well each aspect aligns [pairs, aspects]; −inf where the user never mentioned the aspect."""


class Baseline(Protocol):
    """A way to recommend and explain."""

    @property
    def name(self) -> str:
        """Its name, in tables and on disk."""
        ...

    def fitted(self, data: BaselineData, seed: int) -> Fitted:
        """Train it; ``BaselineUnavailableError`` says why where it cannot be."""
        ...


def among_mentioned(space: AspectSpace, users: IntVector, weights: FloatMatrix) -> FloatMatrix:
    """The mask of the paper's baselines: they choose among the aspects that the user has mentioned (X ≠ 0)."""
    return np.where(space.user_attention[users] != 0, weights, -np.inf)


def ceiling_of(space: AspectSpace) -> float:
    """N of Eq. 1."""
    return float(space.scale.high.max())
