"""What a baseline is: a recommender, trained on the training part, with its own lists and explanations.

Cornac trains some of them; for it, the data becomes ratings and the mentions of every (user, item) pair.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from counterec.core.arrays import BoolMatrix, FloatMatrix, FloatVector, IntVector, freeze, require, require_shape
from counterec.core.interactions import Interactions
from counterec.core.scorers.base import Scorer
from counterec.core.space import AspectSpace
from counterec.errors import BaselineUnavailableError


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


SOME_OPINION = 0
"""The opinion word to use if the data has none; only MTER uses opinions."""


@dataclass(frozen=True)
class CornacData:
    """A Cornac dataset, and our number of each of its aspects, which Cornac numbers in order of appearance."""

    dataset: Any
    aspects: IntVector
    opinions: int
    ceiling: float

    @property
    def has_positive_mentions(self) -> bool:
        """Whether any pair that Cornac kept has a positive mention."""
        by_pair = self.dataset.sentiment.sentiment.values()
        return any(sentiment > 0 for mentions in by_pair for _, _, sentiment in mentions)

    def in_our_order(self, rows: FloatMatrix, aspects: int) -> FloatMatrix:
        """Reorder one row per Cornac aspect into one row per aspect of ours; zeros for those Cornac never saw."""
        ours = np.zeros((aspects, rows.shape[1]), dtype=np.float32)
        ours[self.aspects] = rows[: len(self.aspects)]
        return ours


def cornac_data(name: str, data: BaselineData) -> CornacData:
    """Build the dataset; all users and items keep their numbers, even those without training data."""
    ratings, mentions = _needed(name, data)
    try:
        from cornac.data import Dataset, SentimentModality
    except ImportError as error:
        advice = "install it with: pip install 'counterec[baselines]'"
        raise BaselineUnavailableError(f"{name} needs Cornac, which is not installed; {advice}") from error
    rated, ceiling = np.isfinite(ratings), ceiling_of(data.space)
    pairs = data.train.users[rated], data.train.items[rated], on_scale(ratings[rated], ceiling)
    users, items = ({number: number for number in range(len(texts))} for texts in (data.space.users, data.space.items))
    dataset = Dataset(len(users), len(items), users, items, pairs)
    sentiment = SentimentModality(data=_by_pair(mentions))
    sentiment.build(uid_map=users, iid_map=items, dok_matrix=dataset.dok_matrix)
    dataset.add_modalities(sentiment=sentiment)
    if not sentiment.num_aspects:
        raise BaselineUnavailableError(f"{name} needs mentions in rated training pairs; there are none")
    return CornacData(dataset, np.array(list(sentiment.aspect_id_map)), sentiment.num_opinions, ceiling)


def _needed(name: str, data: BaselineData) -> tuple[FloatVector, TrainMentions]:
    """Return the ratings and the mentions; every Cornac model here needs both."""
    if data.ratings is None or not np.isfinite(data.ratings).any():
        raise BaselineUnavailableError(f"{name} needs ratings, and the data has none")
    if data.mentions is None or not len(data.mentions):
        raise BaselineUnavailableError(f"{name} needs mentions, and the data has none")
    return data.ratings, data.mentions


def on_scale(ratings: FloatVector, ceiling: float) -> FloatVector:
    """Return the ratings on a scale from 1 to the ceiling: unchanged if they fit, else rescaled.

    Cornac has one ceiling for ratings and aspects, and reads a rating of 0 as a missing one.
    """
    low, high = float(ratings.min()), float(ratings.max())
    if low >= 1 and high <= ceiling:
        return ratings
    return 1 + (ceiling - 1) * (ratings - low) / max(high - low, np.finfo(np.float64).tiny)


def _by_pair(mentions: TrainMentions) -> list[tuple[int, int, list[tuple[int, int, int]]]]:
    """Return the mentions grouped by (user, item), one row per pair."""
    opinions = mentions.opinions if mentions.opinions is not None else np.full(len(mentions), SOME_OPINION)
    columns = (mentions.users, mentions.items, mentions.aspects, opinions, mentions.sentiments)
    by_pair: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for user, item, *mention in zip(*(column.tolist() for column in columns), strict=True):
        aspect, opinion, sentiment = mention
        by_pair.setdefault((user, item), []).append((aspect, opinion, sentiment))
    return [(user, item, grouped) for (user, item), grouped in by_pair.items()]
