"""Ranking quality: NDCG, recall and hit rate at K against the held-out items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.evaluation.measure import Measure, mean
from counterec.core.interactions import Interactions
from counterec.core.lists import Recommendations


@dataclass(frozen=True)
class RankingQuality:
    """Measures of the first K; every user with a held-out item is one case."""

    ndcg: Measure
    recall: Measure
    hit_rate: Measure

    def as_dict(self) -> dict[str, object]:
        """The measures by name."""
        return {name: getattr(self, name).as_dict() for name in ("ndcg", "recall", "hit_rate")}


@dataclass(frozen=True)
class UserQuality:
    """The same measures of every user with a held-out item."""

    users: IntVector
    ndcg: FloatVector
    recall: FloatVector
    hit: FloatVector


def user_quality(recommendations: Recommendations, held_out: Interactions) -> UserQuality:
    """Measure each list against the held-out items of its user."""
    k, users = recommendations.k, recommendations.users
    relevant = np.bincount(held_out.users, minlength=held_out.n_users)[users]
    listed = recommendations.items[:, :k]
    hits = held_out.contain(np.repeat(users, k), np.maximum(listed, 0).ravel()).reshape(listed.shape) & (listed >= 0)
    cases = relevant > 0
    discount = 1 / np.log2(np.arange(2, k + 2))
    ideal = np.concatenate([[0], np.cumsum(discount)])[np.minimum(relevant, k)]
    return UserQuality(
        users=users[cases],
        ndcg=(hits @ discount)[cases] / ideal[cases],
        recall=hits.sum(axis=1)[cases] / relevant[cases],
        hit=hits.max(axis=1)[cases].astype(np.float64),
    )


def ranking_quality(recommendations: Recommendations, held_out: Interactions) -> RankingQuality:
    """Measure the lists against the held-out items of each user."""
    found = user_quality(recommendations, held_out)
    return RankingQuality(
        ndcg=mean(found.ndcg, found.users),
        recall=mean(found.recall, found.users),
        hit_rate=mean(found.hit, found.users),
    )
