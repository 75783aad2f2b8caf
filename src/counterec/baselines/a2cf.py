"""A2CF, Attribute-Aware Collaborative Filtering (Chen et al., SIGIR 2020), without its item-item part."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from counterec.baselines.completion import Completion, embeddings
from counterec.baselines.protocol import BaselineData, Fitted, among_mentioned, ceiling_of
from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.interactions import Interactions, draw_outside
from counterec.core.scorers.alignment import AlignmentScorer
from counterec.core.scorers.validation import Validation, score_tables
from counterec.core.space import AspectScale, AspectSpace
from counterec.randomness import entropy, generator


@dataclass(frozen=True)
class A2CFSettings:
    """How the nets are built and trained."""

    width: int = 64
    """Length of the embeddings."""
    layers: int = 2
    """Residual layers of each net."""
    learning_rate: float = 0.005
    """The step of Adam."""
    weight_decay: float = 0.1
    """The pull of all weights towards 0."""
    batch_size: int = 256
    """Training interactions in one step."""
    ranking: float = 1.0
    """The weight of the ranking loss beside the squared error of the observed entries."""
    epochs: int = 100
    """The most epochs there are; exactly as many where there is no validation part."""
    patience: int = 10
    """Epochs without a better validation NDCG after which training stops and the best nets are kept."""


@dataclass(frozen=True)
class A2CF:
    """Residual nets fill in the missing entries of X and Y; lists and explanations follow from their alignment.

    The predicted matrices are used throughout, also where an entry was observed. Two choices are ours: a net starts
    from what was observed of its row, not from a free embedding, which learned far less from few reviews; and the score
    is the plain alignment Σ_k X̂_k·Ŷ_k of all aspects.
    """

    settings: A2CFSettings = A2CFSettings()
    name: str = "a2cf"

    def fitted(self, data: BaselineData, seed: int) -> Fitted:
        """Train the nets; needs neither ratings nor mentions, X and Y are enough."""
        space = _completed(data, self.settings, seed)

        def weights(users: IntVector, items: IntVector) -> FloatMatrix:
            alignment = space.user_attention[users] * space.item_quality[items]
            return among_mentioned(data.space, users, alignment)

        return Fitted(self.name, space, AlignmentScorer(), model_side=True, weights=weights)


class _Nets(nn.Module):
    """Both nets, and the embeddings of the aspects that they share."""

    def __init__(self, space: AspectSpace, settings: A2CFSettings, seed: int) -> None:
        super().__init__()
        random = torch.Generator().manual_seed(entropy(seed, "a2cf weights") % 2**63)
        aspects = nn.Parameter(embeddings(len(space.aspects), settings.width, random))
        ceiling = ceiling_of(space)
        self.attention = Completion(space.user_attention, aspects, settings.layers, ceiling, random)
        self.quality = Completion(space.item_quality, aspects, settings.layers, ceiling, random)

    @torch.inference_mode()
    def completed(self, base: AspectSpace) -> AspectSpace:
        """X̂ and Ŷ over the same vocabularies, on the scale of Eq. 1."""
        attention = self.attention(torch.arange(len(base.users))).numpy()
        quality = self.quality(torch.arange(len(base.items))).numpy()
        scale = AspectScale.of_reviews(len(base.aspects), ceiling_of(base))
        return AspectSpace(base.users, base.items, base.aspects, attention, quality, scale)


def _completed(data: BaselineData, settings: A2CFSettings, seed: int) -> AspectSpace:
    """The space as trained nets complete it; with a validation part, those of its best epoch."""
    nets = _Nets(data.space, settings, seed)
    adam = torch.optim.AdamW(nets.parameters(), settings.learning_rate, weight_decay=settings.weight_decay)
    exam = Validation(data.train, data.validation, seed) if len(data.validation) else None
    best, best_epoch, kept = -math.inf, 0, data.space
    for epoch in range(1, settings.epochs + 1):
        for batch in _batches(data.train, settings.batch_size, seed, epoch):
            loss = _loss(nets, *batch, settings.ranking)
            adam.zero_grad()
            loss.backward()
            adam.step()
        if exam is None:
            continue
        space = nets.completed(data.space)
        ndcg = exam.ndcg(score_tables(AlignmentScorer(), space))
        if ndcg > best:
            best, best_epoch, kept = ndcg, epoch, space
        elif epoch - best_epoch >= settings.patience:
            break
    return nets.completed(data.space) if exam is None else kept


def _batches(train: Interactions, size: int, seed: int, epoch: int) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """The training interactions shuffled, each with an item that its user did not touch."""
    random = generator(seed, "a2cf negatives", epoch)
    others = draw_outside(train, train.users, random)
    order = random.permutation(np.flatnonzero(others >= 0))
    shuffled = torch.from_numpy(np.stack([train.users[order], train.items[order], others[order]]))
    for batch in shuffled.split(size, dim=1):
        yield batch[0], batch[1], batch[2]


def _loss(nets: _Nets, users: Tensor, items: Tensor, others: Tensor, ranking: float) -> Tensor:
    """Mean squared error of the observed entries, and BPR: a chosen item should align better than another."""
    attention, quality, rival = nets.attention(users), nets.quality(items), nets.quality(others)
    better = (attention * (quality - rival)).sum(dim=1)
    bpr = -nn.functional.logsigmoid(better).mean()
    errors = _error(attention, nets.attention.observed(users)) + _error(quality, nets.quality.observed(items))
    return errors + ranking * bpr


def _error(predicted: Tensor, observed: Tensor) -> Tensor:
    there = observed != 0
    return ((predicted - observed).square() * there).sum() / there.sum().clamp(min=1)
