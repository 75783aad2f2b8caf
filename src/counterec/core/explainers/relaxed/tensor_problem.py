"""The relaxed problem of many pairs as tensors: what a change costs, and how far it is from the flip.

Changes are measured in spans: δ = 1 moves an aspect from one end of its scale to the other. So an aspect in cents and
the same in euros give the same answer.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.explainers.probe import sign_of
from counterec.core.explainers.question import Question
from counterec.core.explainers.relaxed.objective import Objective, norms, shortfall
from counterec.core.explainers.relaxed.settings import RelaxedSettings
from counterec.core.explainers.tolerances import SAFETY
from counterec.core.scorers.offsets import aspect_part_of, offsets_of
from counterec.core.scorers.protocols import DifferentiableScorer, PairBatch


class RelaxedProblem:
    """The pairs as tensors on the scorer's device: what a change costs, and how far it is from the flip."""

    def __init__(
        self, scorer: DifferentiableScorer, question: Question, settings: RelaxedSettings, objective: Objective
    ) -> None:
        self.settings, self.objective = settings, objective
        part = aspect_part_of(scorer)
        if isinstance(part, DifferentiableScorer):
            # No offset moves: each is looked up once, and added to what follows from aspects.
            self._part, self._offsets = part, offsets_of(scorer, question.users, question.items)
        else:
            self._part, self._offsets = scorer, np.zeros(len(question), dtype=np.float32)
        device = getattr(self._part, "device", torch.device("cpu"))

        def tensor(array: np.ndarray) -> Tensor:
            return torch.tensor(array, device=device)

        pairs = question.pairs
        self.pairs = pairs
        self.users, self.items = tensor(pairs.users), tensor(pairs.items)
        self.attention, self.quality = tensor(pairs.user_attention), tensor(pairs.item_quality)
        self.offsets = tensor(self._offsets)
        self.span = tensor(question.space.scale.span)
        self.lowest, self.highest = tensor(question.lowest) / self.span, tensor(question.highest) / self.span
        self.far_end = torch.where(self.lowest < 0, self.lowest, self.highest)
        self.costs = tensor(question.costs)
        self.sign = sign_of(question)
        self.target = tensor(self.sign * question.target)
        self.goal = tensor(self.sign * question.target - SAFETY * question.margin)
        self.open = torch.nonzero(tensor(question.has_target & question.movable.any(axis=1))).squeeze(1)
        self.before = torch.zeros_like(self.target)
        if objective.strength is not None:
            with torch.no_grad():
                self.before[self.open] = self.score(self.open, torch.zeros_like(self.quality[self.open]))

    def score(self, rows: Tensor, delta: Tensor) -> Tensor:
        """The signed score after a change: lower is nearer to the flip."""
        point = self.quality[rows] + delta * self.span
        score = self._part.score_tensor(self.users[rows], self.items[rows], self.attention[rows], point)
        return self.sign * (score + self.offsets[rows])

    def own_score(self, rows: IntVector, changed: PairBatch) -> FloatVector:
        """The signed score of these pairs, changed, by the scorer's own forward pass."""
        return self.sign * (self._part.score(changed) + self._offsets[rows])

    def cost(self, delta: Tensor) -> Tensor:
        """The complexity that is minimised."""
        if self.objective.complexity is not None:
            return self.objective.complexity(delta * self.span)
        return norms(delta, self.costs, self.settings.gamma)

    def missing(self, rows: Tensor, score: Tensor, goal: Tensor) -> Tensor:
        """How much strength a score lacks."""
        return shortfall(self.objective, self.before[rows], score, goal[rows])

    def inside(self, rows: Tensor, delta: Tensor) -> Tensor:
        """The nearest change within the bounds."""
        return torch.minimum(torch.maximum(delta, self.lowest[rows]), self.highest[rows])
