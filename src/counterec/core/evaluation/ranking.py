"""Ranking quality: NDCG, recall and hit rate at K against the held-out items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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


def ranking_quality(recommendations: Recommendations, held_out: Interactions) -> RankingQuality:
    """Measure the lists against the held-out items of each user."""
    k, users = recommendations.k, recommendations.users
    relevant = np.bincount(held_out.users, minlength=held_out.n_users)[users]
    listed = recommendations.items[:, :k]
    hits = held_out.contain(np.repeat(users, k), np.maximum(listed, 0).ravel()).reshape(listed.shape) & (listed >= 0)
    cases = relevant > 0
    discount = 1 / np.log2(np.arange(2, k + 2))
    ideal = np.concatenate([[0], np.cumsum(discount)])[np.minimum(relevant, k)]
    who = users[cases]
    return RankingQuality(
        ndcg=mean((hits @ discount)[cases] / ideal[cases], who),
        recall=mean(hits.sum(axis=1)[cases] / relevant[cases], who),
        hit_rate=mean(hits.max(axis=1)[cases], who),
    )
