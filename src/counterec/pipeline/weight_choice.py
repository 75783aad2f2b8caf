"""Choose how much of the collaborative part a score holds, for one aspect space or the best of several.

Every weight is judged twice on the validation part: by NDCG, and by its short reasons, the share of recommended items
that leave their list with at most three aspects at possible values. Among weights whose NDCG is within one standard
error of the best, the one with the most short reasons is chosen. Shares of ``ENOUGH`` and more count alike: the best
NDCG decides among them, since a few more reasons are not worth worse recommendations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.candidates import catalogue_candidates
from counterec.core.evaluation.short_reasons import count_aspects, share_by_size
from counterec.core.interactions import Interactions
from counterec.core.scorers.collaborative import Collaborative
from counterec.core.scorers.ease import KeptScores, WeightTrial, balance
from counterec.core.scorers.hybrid import HybridScorer
from counterec.core.scorers.net import NetEnsemble
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.validation import CatalogueValidation
from counterec.core.space import AspectSpace

MOST_USERS = 200
"""Short reasons are counted in the lists of at most this many users."""
ENOUGH = 0.8
"""With this share of short reasons, more of them do not count."""


class WeightedModel:
    """An aspect part and a collaborative part, to be summed with any weight."""

    def __init__(
        self,
        aspects: NetEnsemble,
        related: Collaborative,
        space: AspectSpace,
        past: Interactions,
        validation: CatalogueValidation,
        users: IntVector | None = None,
    ) -> None:
        """``related`` has a weight of 1 for everybody. Only ``users`` are weighted, by default all."""
        kept = KeptScores(validation.users, len(space.items))
        self._aspects, self._space, self._past = aspects, space, past
        self._balanced = related.weighted(balance(aspects, related, space, users, kept))
        self._trial, self._users = WeightTrial(self._balanced, validation, kept), validation.users

    def gains(self, weight: float) -> FloatVector:
        """Return the validation gain of each validated user."""
        return self._trial.gains(weight)

    def related(self, weight: float) -> Collaborative:
        """Return the collaborative part with this weight."""
        return self._balanced.weighted(np.float32(weight) * self._balanced.user_weight)

    def short_reasons(self, weight: float, k: int, users: int) -> tuple[float, ...]:
        """Return the shares of items explained by at most 1, 2 and 3 aspects, in the lists of some validated users."""
        scorer = HybridScorer(self._aspects, self.related(weight))
        lists = rank(scorer, self._space, catalogue_candidates(self._past), k, spread_out(self._users, users))
        return share_by_size(count_aspects(scorer, self._space, lists))


@dataclass(frozen=True, eq=False)
class TriedWeight:
    """One weight of one model, and what it is worth on validation."""

    model: int
    """Number of the model."""
    weight: float
    gains: FloatVector
    short: tuple[float, ...] | None
    """Shares of items explained by at most 1, 2 and 3 aspects; None if the ranking is clearly worse than the best."""

    @property
    def merit(self) -> tuple[float, float]:
        """What is compared among weights that rank equally well: short reasons first, then NDCG."""
        return (-1.0 if self.short is None else min(ENOUGH, self.short[-1])), self.ndcg

    @property
    def ndcg(self) -> float:
        """Mean gain of the validated users."""
        return float(self.gains.mean())

    def record(self) -> dict[str, Any]:
        """Return plain values for the manifest."""
        return {"weight": self.weight, "ndcg": self.ndcg, "short": None if self.short is None else list(self.short)}


def try_weights(
    models: Sequence[WeightedModel], weights: Sequence[float], k: int
) -> tuple[list[TriedWeight], TriedWeight]:
    """Judge every weight of every model; return all of them, and the chosen one."""
    gains = {(number, weight): model.gains(weight) for number, model in enumerate(models) for weight in weights}
    best = max(gains.values(), key=np.mean)
    tried = []
    for (number, weight), own in gains.items():
        short = models[number].short_reasons(weight, k, MOST_USERS) if is_as_good(own, best) else None
        tried.append(TriedWeight(number, weight, own, short))
    return tried, max(tried, key=lambda one: one.merit)


def is_as_good(gains: FloatVector, best: FloatVector) -> bool:
    """Return whether the mean gain is within one standard error of the best mean."""
    return bool(best.mean() - gains.mean() <= best.std() / np.sqrt(max(1, len(best))))


def spread_out(values: IntVector, most: int) -> IntVector:
    """Return at most this many of the values, evenly spaced."""
    return values[np.linspace(0, len(values), min(most, len(values)), endpoint=False).astype(np.int64)]
