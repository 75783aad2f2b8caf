"""What a baseline is: a recommender, trained on the training part, with its own lists and explanations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from counterec.core.arrays import BoolMatrix, FloatMatrix, FloatVector, IntVector, freeze, require, require_shape
from counterec.core.interactions import Interactions
from counterec.core.scorers.base import Scorer
from counterec.core.space import AspectSpace


@dataclass(frozen=True)
class TrainMentions:
    """The mentions of the training part as numbers; ``opinions`` numbers the opinion words, None without any."""

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
        require(np.isin(self.sentiments, (-1, 1)).all(), "the sentiment of every mention must be +1 or -1")

    def __len__(self) -> int:
        return len(self.users)


@dataclass(frozen=True)
class BaselineData:
    """Everything a baseline may learn from; it contains nothing of the test part."""

    space: AspectSpace
    train: Interactions
    validation: Interactions
    ratings: FloatVector | None
    """One rating per row of ``train``, NaN for a pair without one; None if the data has no ratings."""
    mentions: TrainMentions | None
    """None if the data came as aspect vectors, without mentions."""

    def __post_init__(self) -> None:
        require(len(self.train) > 0, "the training part has no interaction; a baseline needs some")
        if self.ratings is not None:
            freeze(self, ratings=np.float64)
            require_shape("ratings", self.ratings, (len(self.train),))
        if self.mentions is not None:
            inside = self.train.contain(self.mentions.users, self.mentions.items)
            require(inside.all(), "a mention belongs to a pair outside the training part; leave it out")


@dataclass(frozen=True)
class Fitted:
    """A trained baseline, ready to rank and to explain."""

    name: str
    space: AspectSpace
    """Its own predicted X and Y over the same vocabularies; for MTER, which predicts neither, those of the data."""
    scorer: Scorer
    """Ranks over ``space``, with ``rank(scorer, space, candidates, k)``."""
    model_side: bool
    """Whether its score depends on the aspects of ``space``, so that PN and PS are defined."""
    weights: Callable[[IntVector, IntVector], FloatMatrix]
    """How well each aspect of a pair aligns [pairs, aspects]; −inf for aspects that cannot be a reason of its list, and
    for those that the user never mentioned."""
    arrays: Mapping[str, np.ndarray]
    """What was learned; ``Baseline.restored`` makes the same of it again."""
    scored: Callable[[IntVector], BoolMatrix] | None = None
    """Which aspects each user's scores depend on [users, aspects], where that is not all of them."""


class Baseline(Protocol):
    """A recommender that explains its own lists."""

    @property
    def name(self) -> str:
        """Its name in tables and on disk."""
        ...

    def fitted(self, data: BaselineData, seed: int) -> Fitted:
        """Train it; raise ``BaselineUnavailableError`` with the reason if that is impossible."""
        ...

    def restored(self, space: AspectSpace, arrays: Mapping[str, np.ndarray]) -> Fitted:
        """Make it again from what it learned; ``space`` is that of the data."""
        ...


def among_mentioned(space: AspectSpace, users: IntVector, weights: FloatMatrix) -> FloatMatrix:
    """Mask the weights as the paper's baselines do: they choose among the aspects the user has mentioned (X ≠ 0)."""
    return np.where(space.user_attention[users] != 0, weights, -np.inf)


def ceiling_of(space: AspectSpace) -> float:
    """Return N of Eq. 1."""
    return float(space.scale.high.max())
