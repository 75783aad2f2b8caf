"""The relaxed problem of many pairs as tensors: what a change costs, and how far it is from the flip.

Changes are measured in spans: δ = 1 moves an aspect from one end of its scale to the other. So an aspect in cents and
the same in euros give the same answer. Where a change to or from absent counts as one span, δ = 1 is that change.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector, row_chunks
from counterec.core.compute_limits import rows_at_once
from counterec.core.explainers.change_costs import jumps_of
from counterec.core.explainers.probe import sign_of
from counterec.core.explainers.question import Question
from counterec.core.explainers.relaxed.objective import Objective, norms, shortfall
from counterec.core.explainers.relaxed.settings import RelaxedSettings
from counterec.core.explainers.tolerances import SAFETY
from counterec.core.scorers.base import (
    DifferentiableScorer,
    LayeredScorer,
    PairBatch,
    aspect_part_of,
    offsets_of,
    scores_of,
    tensor_scores_of,
)

ROWS_AT_ONCE = 1024
"""Pairs whose layers are computed together, forward and back: they stay in the processor's cache."""


def span_units(question: Question) -> FloatVector | FloatMatrix:
    """How far a change of one span leads, per aspect or, where a change to or from absent is one span, per entry."""
    span = question.space.scale.span
    reach = np.where(question.lowest < 0, question.lowest, question.highest)
    rows, aspects = np.nonzero(reach)
    jumps = jumps_of(question, rows, aspects, reach[rows, aspects])
    if jumps is None:
        return span
    units = np.broadcast_to(span, reach.shape).copy()
    jumping = np.isfinite(jumps.beyond)
    units[rows[jumping], aspects[jumping]] = np.abs(reach[rows, aspects])[jumping]
    return units


class RelaxedProblem:
    """The pairs as tensors on the scorer's device: what a change costs, and how far it is from the flip."""

    def __init__(
        self,
        scorer: DifferentiableScorer,
        question: Question,
        settings: RelaxedSettings,
        objective: Objective,
        units: FloatVector | FloatMatrix,
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
        self._layers = (
            _LayersOfPairs(self._part, pairs, self.quality) if isinstance(self._part, LayeredScorer) else None
        )
        self.unit = tensor(units)
        """How far one span leads, per aspect or per entry."""
        self.lowest, self.highest = tensor(question.lowest) / self.unit, tensor(question.highest) / self.unit
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
        point = self.quality[rows] + self.in_values(rows, delta)
        score = tensor_scores_of(self._part, self.users[rows], self.items[rows], self.attention[rows], point)
        return self.sign * (score + self.offsets[rows])

    def score_and_slope(self, rows: Tensor, delta: Tensor) -> tuple[Tensor, Tensor]:
        """The signed score after a change, and how it changes with the change."""
        if self._layers is None:
            point = delta.detach().requires_grad_(True)
            score = self.score(rows, point)
            return score.detach(), torch.autograd.grad(score.sum(), point)[0]
        score, slope = self._layers.score_and_slope(rows, self.in_values(rows, delta))
        return self.sign * (score + self.offsets[rows]), self.sign * self.in_values(rows, slope)

    def plain_score(self, rows: IntVector, delta: FloatMatrix) -> FloatVector:
        """The signed score after a change, without a slope."""
        where, change = (torch.from_numpy(array).to(self.quality.device) for array in (rows, delta))
        change = self.in_values(where, change)
        if self._layers is not None:
            return self.sign * (self._layers.score(where, change).cpu().numpy() + self._offsets[rows])
        changed = self.pairs.rows(rows).with_quality(self.pairs.item_quality[rows] + change.cpu().numpy())
        return self.sign * (scores_of(self._part, changed) + self._offsets[rows])

    def in_values(self, rows: Tensor, delta: Tensor) -> Tensor:
        """Changes in the units of quality."""
        return delta * (self.unit if self.unit.dim() == 1 else self.unit[rows])

    def cost(self, rows: Tensor, delta: Tensor) -> Tensor:
        """The complexity that is minimised."""
        if self.objective.complexity is not None:
            return self.objective.complexity(self.in_values(rows, delta))
        return norms(delta, self.costs, self.settings.gamma)

    def missing(self, rows: Tensor, score: Tensor, goal: Tensor) -> Tensor:
        """How much strength a score lacks."""
        return shortfall(self.objective, self.before[rows], score, goal[rows])

    def inside(self, rows: Tensor, delta: Tensor) -> Tensor:
        """The nearest change within the bounds."""
        return torch.minimum(torch.maximum(delta, self.lowest[rows]), self.highest[rows])


class _LayersOfPairs:
    """Scores and slopes through two ReLU layers, from the first layer of each unchanged pair, which is kept.

    Without it, every step would compute again what the user and the unchanged item bring.
    """

    @torch.inference_mode()
    def __init__(self, scorer: LayeredScorer, pairs: PairBatch, quality: Tensor) -> None:
        self._layers = scorer.unrolled(pairs.users, pairs.items, pairs.user_attention)
        self._first = torch.addmm(self._layers.share, quality, self._layers.item)

    @torch.inference_mode()
    def score(self, rows: Tensor, change: Tensor) -> Tensor:
        """The scores after these changes, in units of quality."""
        return torch.cat([self._score(rows[some], change[some]) for some in self._chunks(rows)])

    @torch.inference_mode()
    def score_and_slope(self, rows: Tensor, change: Tensor) -> tuple[Tensor, Tensor]:
        """The scores after these changes, and how they change with them."""
        found = [self._both(rows[some], change[some]) for some in self._chunks(rows)]
        scores, slopes = zip(*found, strict=True)
        return torch.cat(scores), torch.cat(slopes)

    def _chunks(self, rows: Tensor) -> list[slice]:
        return row_chunks(len(rows), rows_at_once(ROWS_AT_ONCE, rows.device)) or [slice(0, 0)]

    def _score(self, rows: Tensor, change: Tensor) -> Tensor:
        first = torch.addmm(self._first[rows], change, self._layers.item)
        return self._layers.score(self._layers.second(first.relu_()).relu_())

    def _both(self, rows: Tensor, change: Tensor) -> tuple[Tensor, Tensor]:
        first = torch.addmm(self._first[rows], change, self._layers.item)
        second = self._layers.second(first.relu_())  # its sign stays: a unit is on where its output is above 0
        slope = self._layers.slope(first, second) @ self._layers.item.t()
        return self._layers.score(second.relu_()), slope
