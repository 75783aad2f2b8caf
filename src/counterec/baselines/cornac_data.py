"""Our tables as Cornac wants them: a data set of ratings with what was said about every pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from counterec.baselines.protocol import BaselineData, TrainMentions, ceiling_of
from counterec.core.arrays import FloatMatrix, FloatVector, IntVector
from counterec.errors import BaselineUnavailableError

SOME_OPINION = 0
"""Stands for the opinion word where the data has none; only MTER looks at opinions."""


@dataclass(frozen=True)
class CornacData:
    """A data set of Cornac's, and which of our aspects each of its aspects is: it numbers them as it meets them."""

    dataset: Any
    aspects: IntVector
    opinions: int
    ceiling: float

    @property
    def any_praise(self) -> bool:
        """Whether any pair that Cornac kept was told of with praise."""
        told = self.dataset.sentiment.sentiment.values()
        return any(sentiment > 0 for mentions in told for _, _, sentiment in mentions)

    def in_our_order(self, rows: FloatMatrix, aspects: int) -> FloatMatrix:
        """A row for each of our aspects, from a row for each of Cornac's; one that it never met gets zeros."""
        ours = np.zeros((aspects, rows.shape[1]), dtype=np.float32)
        ours[self.aspects] = rows[: len(self.aspects)]
        return ours


def cornac_data(name: str, data: BaselineData) -> CornacData:
    """The data set; users and items keep their numbers, also those of which the training part says nothing."""
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
    said = SentimentModality(data=_by_pair(mentions))
    said.build(uid_map=users, iid_map=items, dok_matrix=dataset.dok_matrix)
    dataset.add_modalities(sentiment=said)
    if not said.num_aspects:
        raise BaselineUnavailableError(f"{name} needs mentions in rated training pairs; there are none")
    return CornacData(dataset, np.array(list(said.aspect_id_map)), said.num_opinions, ceiling)


def _needed(name: str, data: BaselineData) -> tuple[FloatVector, TrainMentions]:
    """The ratings and the mentions, both of which every model of Cornac's needs here."""
    if data.ratings is None or not np.isfinite(data.ratings).any():
        raise BaselineUnavailableError(f"{name} needs ratings, and the data has none")
    if data.mentions is None or not len(data.mentions):
        raise BaselineUnavailableError(f"{name} needs mentions, and the data has none")
    return data.ratings, data.mentions


def on_scale(ratings: FloatVector, ceiling: float) -> FloatVector:
    """The ratings between 1 and the ceiling: as they are if they are, else brought there.

    Cornac takes one ceiling for ratings and aspects alike, and a rating of 0 for none at all.
    """
    low, high = float(ratings.min()), float(ratings.max())
    if low >= 1 and high <= ceiling:
        return ratings
    return 1 + (ceiling - 1) * (ratings - low) / max(high - low, np.finfo(np.float64).tiny)


def _by_pair(mentions: TrainMentions) -> list[tuple[int, int, list[tuple[int, int, int]]]]:
    """What was said, a row a pair of a user and an item."""
    opinions = mentions.opinions if mentions.opinions is not None else np.full(len(mentions), SOME_OPINION)
    columns = (mentions.users, mentions.items, mentions.aspects, opinions, mentions.sentiments)
    said: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for user, item, *mention in zip(*(column.tolist() for column in columns), strict=True):
        aspect, opinion, sentiment = mention
        said.setdefault((user, item), []).append((aspect, opinion, sentiment))
    return [(user, item, told) for (user, item), told in said.items()]
