"""A2CF, Attribute-Aware Collaborative Filtering (Chen et al., SIGIR 2020), without its item-item part."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from counterec.baselines.base import BaselineData, Fitted, among_mentioned, ceiling_of
from counterec.baselines.validation import Validation, score_tables
from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.interactions import Interactions, draw_outside
from counterec.core.scale import AspectScale
from counterec.core.scorers.net_in_training import linear
from counterec.core.scorers.simple import AlignmentScorer
from counterec.core.space import AspectSpace
from counterec.randomness import entropy, generator


class MatrixCompletion(nn.Module):
    """Completes one matrix M: v = Σ_k M_k·a_k / (N·√n) over the n observed entries of a row; v ← v + relu(W·v + b),
    layer by layer; entry k = 1 + (N−1)·sigmoid(a_k·v + c_k), on the scale of Eq. 1, so that nothing needs clipping.

    The aspect embeddings a are passed in: users and items share them, so that aspects connect the two.
    """

    def __init__(
        self, observed: FloatMatrix, aspects: nn.Parameter, layers: int, ceiling: float, random: torch.Generator
    ) -> None:
        super().__init__()
        width = aspects.shape[1]
        self._aspects, self._ceiling = aspects, ceiling
        self._observed = torch.tensor(observed)
        self._layers = nn.ModuleList(linear(width, width, random) for _ in range(layers))
        self._bias = nn.Parameter(torch.zeros(len(aspects)))

    def observed(self, rows: Tensor) -> Tensor:
        """Return the observed rows; 0 marks a missing entry."""
        return self._observed[rows]

    def forward(self, rows: Tensor) -> Tensor:
        """Return the completed rows of these numbers [rows, aspects]."""
        observed = self.observed(rows)
        count = (observed != 0).sum(dim=1, keepdim=True).clamp(min=1)
        vectors = observed @ self._aspects / (self._ceiling * count.sqrt())
        for layer in self._layers:
            vectors = vectors + torch.relu(layer(vectors))
        return 1 + (self._ceiling - 1) * torch.sigmoid(vectors @ self._aspects.T + self._bias)


def starting_embeddings(rows: int, width: int, random: torch.Generator) -> Tensor:
    """Draw embeddings of about unit length."""
    return torch.randn(rows, width, generator=random) / math.sqrt(width)


@dataclass(frozen=True)
class A2CFSettings:
    """The architecture of the nets, and how they are trained."""

    width: int = 64
    """The length of the embeddings."""
    layers: int = 2
    """The residual layers of each net."""
    learning_rate: float = 0.005
    """The step size of Adam."""
    weight_decay: float = 0.1
    """The decay of all weights towards 0."""
    batch_size: int = 256
    """The training interactions in one step."""
    ranking: float = 1.0
    """The weight of the ranking loss, relative to the squared error of the observed entries."""
    epochs: int = 100
    """The most epochs; exactly this many without a validation part."""
    patience: int = 10
    """Training stops after this many epochs without a better validation NDCG, and keeps the best nets."""


@dataclass(frozen=True)
class A2CF:
    """Residual nets complete X and Y; lists and explanations follow from the alignment of the completed matrices.

    The predicted entries are used throughout, even for observed ones. Two choices are ours: a net starts from the
    observed entries of its row instead of a free embedding, which learned far less from few reviews; and the score is
    the plain alignment Σ_k X̂_k·Ŷ_k of all aspects.
    """

    settings: A2CFSettings = A2CFSettings()
    name: str = "a2cf"

    def fitted(self, data: BaselineData, seed: int) -> Fitted:
        """Train the nets; X and Y are enough, without ratings or mentions."""
        found = _completed(data, self.settings, seed)
        return self.restored(data.space, {"attention": found.user_attention, "quality": found.item_quality})

    def restored(self, space: AspectSpace, arrays: Mapping[str, np.ndarray]) -> Fitted:
        """Make it again from the completed matrices."""
        completed = _completed_space(space, arrays["attention"], arrays["quality"])

        def weights(users: IntVector, items: IntVector) -> FloatMatrix:
            alignment = completed.user_attention[users] * completed.item_quality[items]
            return among_mentioned(space, users, alignment)

        return Fitted(self.name, completed, AlignmentScorer(), model_side=True, weights=weights, arrays=arrays)


class _Nets(nn.Module):
    """Both nets, and the aspect embeddings that they share."""

    def __init__(self, space: AspectSpace, settings: A2CFSettings, seed: int) -> None:
        super().__init__()
        random = torch.Generator().manual_seed(entropy(seed, "a2cf weights") % 2**63)
        aspects = nn.Parameter(starting_embeddings(len(space.aspects), settings.width, random))
        ceiling = ceiling_of(space)
        self.attention = MatrixCompletion(space.user_attention, aspects, settings.layers, ceiling, random)
        self.quality = MatrixCompletion(space.item_quality, aspects, settings.layers, ceiling, random)

    @torch.inference_mode()
    def completed(self, base: AspectSpace) -> AspectSpace:
        """Return X̂ and Ŷ over the same vocabularies, on the scale of Eq. 1."""
        attention = self.attention(torch.arange(len(base.users))).numpy()
        quality = self.quality(torch.arange(len(base.items))).numpy()
        return _completed_space(base, attention, quality)


def _completed_space(base: AspectSpace, attention: FloatMatrix, quality: FloatMatrix) -> AspectSpace:
    scale = AspectScale.of_reviews(len(base.aspects), ceiling_of(base))
    return AspectSpace(base.users, base.items, base.aspects, attention, quality, scale)


def _completed(data: BaselineData, settings: A2CFSettings, seed: int) -> AspectSpace:
    """Train the nets and return the completed space; with a validation part, that of the best epoch."""
    nets = _Nets(data.space, settings, seed)
    adam = torch.optim.AdamW(nets.parameters(), settings.learning_rate, weight_decay=settings.weight_decay)
    validation = Validation(data.train, data.validation, seed) if len(data.validation) else None
    best, best_epoch, kept = -math.inf, 0, data.space
    for epoch in range(1, settings.epochs + 1):
        for batch in _batches(data.train, settings.batch_size, seed, epoch):
            loss = _loss(nets, *batch, settings.ranking)
            adam.zero_grad()
            loss.backward()
            adam.step()
        if validation is None:
            continue
        space = nets.completed(data.space)
        ndcg = validation.ndcg(score_tables(AlignmentScorer(), space))
        if ndcg > best:
            best, best_epoch, kept = ndcg, epoch, space
        elif epoch - best_epoch >= settings.patience:
            break
    return nets.completed(data.space) if validation is None else kept


def _batches(train: Interactions, size: int, seed: int, epoch: int) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Yield the training interactions shuffled, each with an item that its user did not touch."""
    random = generator(seed, "a2cf negatives", epoch)
    others = draw_outside(train, train.users, random)
    order = random.permutation(np.flatnonzero(others >= 0))
    shuffled = torch.from_numpy(np.stack([train.users[order], train.items[order], others[order]]))
    for batch in shuffled.split(size, dim=1):
        yield batch[0], batch[1], batch[2]


def _loss(nets: _Nets, users: Tensor, items: Tensor, others: Tensor, ranking: float) -> Tensor:
    """Return the mean squared error of the observed entries plus BPR: chosen items should align better than others."""
    attention, quality, rival = nets.attention(users), nets.quality(items), nets.quality(others)
    better = (attention * (quality - rival)).sum(dim=1)
    bpr = -nn.functional.logsigmoid(better).mean()
    errors = _error(attention, nets.attention.observed(users)) + _error(quality, nets.quality.observed(items))
    return errors + ranking * bpr


def _error(predicted: Tensor, observed: Tensor) -> Tensor:
    is_observed = observed != 0
    return ((predicted - observed).square() * is_observed).sum() / is_observed.sum().clamp(min=1)
