"""EFM, the Explicit Factor Model (Zhang et al., SIGIR 2014), trained by Cornac."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from counterec.baselines.base import BaselineData, Fitted, among_mentioned, ceiling_of, cornac_data
from counterec.baselines.validation import Validation, score_tables
from counterec.core.arrays import BoolMatrix, FloatMatrix, FloatVector, IntMatrix, IntVector, freeze
from counterec.core.scale import AspectScale
from counterec.core.scorers.base import PairBatch
from counterec.core.space import AspectSpace
from counterec.randomness import entropy


@dataclass(frozen=True)
class EFMSettings:
    """How EFM is trained: Cornac's defaults, except those that stop long before the factors converge."""

    explicit_factors: int = 80
    """The factors that aspects, users and items share."""
    latent_factors: int = 20
    """The factors of the ratings only."""
    regularization: float = 0.03
    """The weight of the squared factors."""
    iterations: int = 1500
    """The multiplicative updates of all factors; with Cornac's 100 the lists are hardly better than chance."""
    alpha: float = 0.85
    """The share of the aspects in the ranking score; the rest is the predicted rating."""
    most_cared: tuple[int, ...] = (5, 1, 2, 3, 8, 15)
    """How many of a user's most cared-for aspects count: the best on validation, or the first without validation."""


@dataclass(frozen=True)
class EFMScorer:
    """EFM's ranking score: s = α · Σ_{k ∈ C} X̂_k·Ŷ_k / (|C|·N) + (1−α) · rating, C the user's most cared-for aspects.

    The vectors are the predicted ones; C and the rating, a product of factors, are looked up by number (Z).
    """

    most_cared: IntMatrix
    user_factors: FloatMatrix
    item_factors: FloatMatrix
    alpha: float
    ceiling: float
    aspects_only: bool = False

    def __post_init__(self) -> None:
        freeze(self, most_cared=np.int64, user_factors=np.float32, item_factors=np.float32)

    def score(self, pairs: PairBatch) -> FloatVector:
        cared = self.most_cared[pairs.users]
        attention = np.take_along_axis(pairs.user_attention, cared, axis=1)
        quality = np.take_along_axis(pairs.item_quality, cared, axis=1)
        explicit = np.einsum("bk,bk->b", attention, quality) / np.float32(cared.shape[1] * self.ceiling)
        rating = np.einsum("bf,bf->b", self.user_factors[pairs.users], self.item_factors[pairs.items])
        return np.float32(self.alpha) * explicit + np.float32(1 - self.alpha) * rating


@dataclass(frozen=True)
class EFM:
    """Factorizes ratings, X and Y jointly; explains by the aspects of C on which the predicted X and Y align best."""

    settings: EFMSettings = EFMSettings()
    name: str = "efm"

    def fitted(self, data: BaselineData, seed: int) -> Fitted:
        """Train with Cornac and choose the number of most cared-for aspects on validation."""
        model, aspect_factors = self.trained(data, seed)
        space = _predicted_space(data.space, model.U1 @ aspect_factors.T, model.U2 @ aspect_factors.T)
        scorer = self._best_scorer(model, space, data, seed)
        learned = {"attention": space.user_attention, "quality": space.item_quality, "most_cared": scorer.most_cared}
        learned |= {"user_factors": scorer.user_factors, "item_factors": scorer.item_factors}
        return self.restored(data.space, learned)

    def restored(self, space: AspectSpace, arrays: Mapping[str, np.ndarray]) -> Fitted:
        """Make it again from the predicted matrices, the factors of the rating and C, the most cared-for aspects.

        It names aspects within C: no other aspect moves its score, so no other is a reason of its list.
        """
        predicted = _predicted_space(space, arrays["attention"], arrays["quality"])
        cared, factors = arrays["most_cared"], (arrays["user_factors"], arrays["item_factors"])
        scorer = EFMScorer(cared, *factors, self.settings.alpha, ceiling_of(space))

        def scored(users: IntVector) -> BoolMatrix:
            within = np.zeros((len(users), len(space.aspects)), dtype=bool)
            np.put_along_axis(within, cared[users], True, axis=1)
            return within

        def weights(users: IntVector, items: IntVector) -> FloatMatrix:
            alignment = predicted.user_attention[users] * predicted.item_quality[items]
            return among_mentioned(space, users, np.where(scored(users), alignment, -np.inf))

        return Fitted(self.name, predicted, scorer, True, weights, arrays, scored)

    def trained(self, data: BaselineData, seed: int) -> tuple[Any, FloatMatrix]:
        """Return Cornac's model, and its aspect factors in our order."""
        data_for_cornac = cornac_data(self.name, data)
        from cornac import models

        settings = self.settings
        model = models.EFM(
            num_explicit_factors=settings.explicit_factors,
            num_latent_factors=settings.latent_factors,
            rating_scale=data_for_cornac.ceiling,
            alpha=settings.alpha,
            lambda_u=settings.regularization,
            lambda_h=settings.regularization,
            lambda_v=settings.regularization,
            max_iter=settings.iterations,
            num_threads=1,
            seed=entropy(seed, self.name) % 2**31,
        )
        model.fit(data_for_cornac.dataset)
        return model, data_for_cornac.in_our_order(model.V, len(data.space.aspects))

    def _best_scorer(self, model: Any, space: AspectSpace, data: BaselineData, seed: int) -> EFMScorer:
        order = np.argsort(-space.user_attention, axis=1, kind="stable")
        counts = [count for count in self.settings.most_cared if count <= len(space.aspects)]
        user_factors, item_factors = np.hstack([model.U1, model.H1]), np.hstack([model.U2, model.H2])
        alpha, ceiling = self.settings.alpha, ceiling_of(data.space)
        scorers = [EFMScorer(order[:, :count], user_factors, item_factors, alpha, ceiling) for count in counts]
        validation = Validation(data.train, data.validation, seed)
        return max(scorers, key=lambda scorer: validation.ndcg(score_tables(scorer, space)))


def _predicted_space(base: AspectSpace, attention: FloatMatrix, quality: FloatMatrix) -> AspectSpace:
    """Return X̂ and Ŷ over the same vocabularies.

    Factors are not negative, so absent is still 0. Products may exceed N, so the scale reaches up to the largest.
    """
    scale = AspectScale(
        low=np.zeros(len(base.aspects)),
        high=np.maximum(base.scale.high, quality.max(axis=0)),
        low_is_worse=base.scale.low_is_worse,
        absent=np.zeros(len(base.aspects)),
        is_category=base.scale.is_category,
    )
    return AspectSpace(base.users, base.items, base.aspects, attention, quality, scale)
