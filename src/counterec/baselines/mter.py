"""MTER, Multi-Task Explainable Recommendation (Wang et al., SIGIR 2018), trained by Cornac."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from counterec.baselines.base import BaselineData, CornacData, Fitted, among_mentioned, cornac_data
from counterec.baselines.validation import Validation, score_tables
from counterec.core.arrays import FloatMatrix, FloatVector, IntVector, freeze
from counterec.core.scorers.base import PairBatch
from counterec.core.space import AspectSpace
from counterec.errors import BaselineUnavailableError
from counterec.randomness import entropy, generator


@dataclass(frozen=True)
class MTERSettings:
    """How MTER is trained: smaller than Cornac's defaults, which take hours on one core."""

    user_factors: int = 10
    """The factors of a user."""
    item_factors: int = 10
    """The factors of an item."""
    aspect_factors: int = 10
    """The factors of an aspect."""
    opinion_factors: int = 4
    """The factors of an opinion word."""
    regularization: tuple[float, ...] = (0.1, 5.0)
    """The weights of the squared factors to try: the best on validation, or the first without validation."""
    entries: int = 200
    """The entries of each tensor in one iteration."""
    rankings: int = 500
    """The pairs of items ranked in one iteration."""
    iterations: int = 2500
    """The fewest iterations."""
    passes: int = 50
    """Each training interaction is ranked at least this often on average, by more iterations if necessary."""

    def iterations_for(self, interactions: int) -> int:
        """Return the number of iterations for this many training interactions."""
        return max(self.iterations, -(-self.passes * interactions // self.rankings))


@dataclass(frozen=True)
class PredictedTensor:
    """The predicted tensor X̂[u, i, k] = Σ_abc G_abc · U_ua · I_ib · A_kc (Tucker), and its extra slice, the rating."""

    core: FloatMatrix
    users: FloatMatrix
    items: FloatMatrix
    aspects: FloatMatrix
    rating: FloatVector

    def __post_init__(self) -> None:
        freeze(self, **dict.fromkeys(("core", "users", "items", "aspects", "rating"), np.float32))

    def contracted(self, users: IntVector, items: IntVector) -> FloatMatrix:
        """Contract the tensor with users and items [pairs, aspect factors]; a product with the aspects is left."""
        of_user = np.tensordot(self.users[users], self.core, axes=1)
        return np.einsum("pbc,pb->pc", of_user, self.items[items])


@dataclass(frozen=True)
class MTERScorer:
    """The predicted overall rating; it comes from the extra slice, not from aspects."""

    tensor: PredictedTensor
    aspects_only: bool = False

    def score(self, pairs: PairBatch) -> FloatVector:
        """Return the predicted rating of each pair; the contraction with a user is computed once per user."""
        users, row = np.unique(pairs.users, return_inverse=True)
        of_user = np.tensordot(self.tensor.users[users], self.tensor.core @ self.tensor.rating, axes=1)
        return np.einsum("pb,pb->p", of_user[row], self.tensor.items[pairs.items])


@dataclass(frozen=True)
class MTER:
    """Factorizes what users say about items' aspects, with opinions and rankings; explains by the predicted entries."""

    settings: MTERSettings = MTERSettings()
    name: str = "mter"

    def fitted(self, data: BaselineData, seed: int) -> Fitted:
        """Train with Cornac, once per regularization, and keep the best on validation."""
        if data.mentions is not None and data.mentions.opinions is None:
            raise BaselineUnavailableError("mter needs opinion words, and the data has none")
        return self.restored(data.space, vars(self._best_tensor(data, seed)))

    def restored(self, space: AspectSpace, arrays: Mapping[str, np.ndarray]) -> Fitted:
        """Make it again from the factors of its tensor."""
        tensor = PredictedTensor(**arrays)

        def weights(users: IntVector, items: IntVector) -> FloatMatrix:
            return among_mentioned(space, users, tensor.contracted(users, items) @ tensor.aspects.T)

        return Fitted(self.name, space, MTERScorer(tensor), model_side=False, weights=weights, arrays=arrays)

    def _best_tensor(self, data: BaselineData, seed: int) -> PredictedTensor:
        cornac = cornac_data(self.name, data)
        if not cornac.has_positive_mentions:  # Cornac would draw from an empty tensor and crash
            raise BaselineUnavailableError("mter needs positive mentions in rated training pairs; there are none")
        if not len(data.validation):
            return self._trained(cornac, data, self.settings.regularization[0], seed)
        validation = Validation(data.train, data.validation, seed)
        tensors = [self._trained(cornac, data, weight, seed) for weight in self.settings.regularization]
        return max(tensors, key=lambda tensor: validation.ndcg(score_tables(MTERScorer(tensor), data.space)))

    def _trained(self, cornac: CornacData, data: BaselineData, regularization: float, seed: int) -> PredictedTensor:
        from cornac import models

        settings = self.settings
        model: Any = models.MTER(
            rating_scale=cornac.ceiling,
            n_user_factors=settings.user_factors,
            n_item_factors=settings.item_factors,
            n_aspect_factors=settings.aspect_factors,
            n_opinion_factors=settings.opinion_factors,
            n_bpr_samples=settings.rankings,
            n_element_samples=settings.entries,
            lambda_reg=regularization,
            max_iter=settings.iterations_for(len(data.train)),
            n_threads=1,
            init_params=self._start(cornac, data, seed),
            seed=entropy(seed, self.name) % 2**31,
        )
        model.fit(cornac.dataset)
        aspects = cornac.in_our_order(model.A, len(data.space.aspects))
        return PredictedTensor(model.G1, model.U, model.I, aspects, model.A[-1])

    def _start(self, cornac: CornacData, data: BaselineData, seed: int) -> Mapping[str, FloatMatrix]:
        """Draw starting factors whose products are around the middle of the scale.

        Cornac draws them between 0 and 1; then the products are so large that most of the training reduces them.
        """
        s = self.settings
        u, i, a, o = s.user_factors, s.item_factors, s.aspect_factors, s.opinion_factors
        middle = (1 + cornac.ceiling) / 2
        top = 2 * (middle / (u * i * a)) ** 0.25
        shapes = {
            "G1": (u, i, a),
            "G2": (u, a, o),
            "G3": (i, a, o),
            "U": (len(data.space.users), u),
            "I": (len(data.space.items), i),
            "A": (len(cornac.aspects) + 1, a),
            "O": (cornac.opinions, o),
        }
        random = generator(seed, "mter factors")
        return {name: random.uniform(0, top, shape).astype(np.float32) for name, shape in shapes.items()}
