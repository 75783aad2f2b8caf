"""The published algorithm, written plainly: the reference for the explainers.

One pair at a time: Δ starts at random within its bounds and makes 1000 steps of SGD on the relaxed objective (Eq. 11)
with sigmoid scores and fixed λ and α. The iterate with the lowest loss is kept, and its entries below 0.1 are set to 0.
This treats the method better than the public code does, which starts outside the bounds and keeps its last iterate by
accident. The same algorithm also runs on all pairs as one tensor, from the same random starts, to tell what batching
gains from what a better method gains.

A scorer may have an offset, which no aspect moves. It stands inside the sigmoid, is added in every step, and is
computed once per pair: the time for it is not held against the method.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import FloatMatrix
from counterec.core.explainers.question import Question
from counterec.core.scorers.base import DifferentiableScorer, OffsetScorer, PairBatch


@dataclass(frozen=True)
class Published:
    """The settings of the published algorithm."""

    lam: float = 200.0
    alpha: float = 0.05
    gamma: float = 1.0
    learning_rate: float = 0.01
    steps: int = 1000
    threshold: float = 0.1
    seed: int = 0

    @property
    def label(self) -> str:
        return f"published λ={self.lam:g} α={self.alpha:g}"

    def starts(self, question: Question) -> FloatMatrix:
        """A random start for every pair, the same whether the pair is solved alone or in a batch."""
        share = np.random.default_rng(self.seed).random(question.lowest.shape).astype(np.float32)
        return question.lowest * share

    def one_at_a_time(self, scorer: DifferentiableScorer, question: Question) -> FloatMatrix:
        starts = self.starts(question)
        rows = range(len(question))
        return np.stack([self._solve(scorer, question.rows(slice(r, r + 1)), starts[r : r + 1])[0] for r in rows])

    def all_at_once(self, scorer: DifferentiableScorer, question: Question) -> FloatMatrix:
        return self._solve(scorer, question, self.starts(question))

    def _solve(self, scorer: DifferentiableScorer, question: Question, start: FloatMatrix) -> FloatMatrix:
        logits, quality = logits_of(scorer, question.pairs), torch.tensor(question.pairs.item_quality)
        lowest, target = torch.tensor(question.lowest), torch.sigmoid(torch.tensor(question.target))
        delta = torch.tensor(start, requires_grad=True)
        optimizer = torch.optim.SGD([delta], lr=self.learning_rate)
        lowest_loss = torch.full((len(question),), torch.inf)
        best = torch.zeros_like(quality)
        for _ in range(self.steps):
            score = torch.sigmoid(logits(quality + delta))
            loss = self._loss(delta, score, target)
            with torch.no_grad():
                better = loss < lowest_loss
                best[better] = delta[better]
                lowest_loss[better] = loss[better]
            optimizer.zero_grad()
            loss.sum().backward()
            optimizer.step()
            with torch.no_grad():
                delta.copy_(torch.clamp(torch.maximum(delta, lowest), max=0))
        best[best.abs() < self.threshold] = 0
        return best.numpy()

    def _loss(self, delta: Tensor, score: Tensor, target: Tensor) -> Tensor:
        norms = delta.norm(dim=1) + self.gamma * delta.abs().sum(dim=1)
        return norms + self.lam * torch.relu(self.alpha + score - target)


def logits_of(scorer: DifferentiableScorer, pairs: PairBatch) -> Callable[[Tensor], Tensor]:
    """From qualities to the scores of these pairs with gradients; an offset is looked up once, and added each time."""
    users, items, attention = (torch.tensor(given) for given in (pairs.users, pairs.items, pairs.user_attention))
    if isinstance(scorer, OffsetScorer) and isinstance(scorer.aspect_part, DifferentiableScorer):
        part, offset = scorer.aspect_part, torch.tensor(scorer.offset(pairs.users, pairs.items))
        return lambda quality: part.score_tensor(users, items, attention, quality) + offset
    return lambda quality: scorer.score_tensor(users, items, attention, quality)
