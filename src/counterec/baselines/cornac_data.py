"""Our data as a Cornac dataset: ratings, and the mentions of every (user, item) pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from counterec.baselines.protocol import BaselineData, TrainMentions, ceiling_of
from counterec.core.arrays import FloatMatrix, FloatVector, IntVector
from counterec.errors import BaselineUnavailableError

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
