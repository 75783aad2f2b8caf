"""Polishing a relaxed answer where it crosses.

For a score that falls with slope g, the cheapest change that crosses lies on a ray known in closed form. Each round
takes the slope at the best change so far and follows its ray to the crossing.
"""

from __future__ import annotations

import numpy as np
import torch

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector
from counterec.core.explainers.question import Question
from counterec.core.explainers.relaxed.tensor_problem import RelaxedProblem
from counterec.core.explainers.root_finding import crossings
from counterec.core.explainers.tolerances import WORTHWHILE

ROUNDS = 3
"""Rounds of polishing where the change crosses."""


def polished(problem: RelaxedProblem, question: Question, delta: FloatMatrix) -> FloatMatrix:
    """Cut the changes where they cross, then follow better rays; changes that do not flip stay as they are.

    ``delta`` is in spans, the result in units of quality. The rays are those of the paper's complexity. With a user's
    own complexity, changes are only cut.
    """
    polish = _Polish(problem, question, delta)
    rounds = ROUNDS if problem.objective.complexity is None else 0
    for _ in range(rounds):
        if not polish.round():
            break
    return polish.in_values(np.arange(len(question)), polish.delta)


class _Polish:
    """The changes that flip, made cheaper where they cross."""

    def __init__(self, problem: RelaxedProblem, question: Question, delta: FloatMatrix) -> None:
        self.problem, self.delta = problem, delta.copy()  # in spans
        self.bounds = problem.far_end.cpu().numpy()
        self.costs, self.gamma = question.costs, problem.settings.gamma
        self.goal = problem.goal.cpu().numpy()
        everyone = np.arange(len(question))
        gaps = self._gaps(everyone, self.delta)
        self.before = self._gaps(everyone, np.zeros_like(self.delta))
        self.going = np.flatnonzero((gaps < 0) & (self.before > 0))
        self._cut(self.going, self.delta[self.going], gaps[self.going])

    def round(self) -> bool:
        """One round; whether any pair became cheaper."""
        rows = self.going
        rays = self._rays(rows)
        ends = np.where(np.abs(rays) < np.abs(self.bounds[rows]), rays, self.bounds[rows])
        gaps = self._gaps(rows, ends)
        usable = gaps < 0
        self.going = self._cut(rows[usable], rays[usable], gaps[usable])
        return bool(len(self.going))

    def _cut(self, rows: IntVector, rays: FloatMatrix, end_gaps: FloatVector) -> IntVector:
        """Cut the rays where they cross; return the pairs that became cheaper."""

        def along(which: IntVector, share: FloatVector) -> FloatMatrix:
            ray, bounds = share[:, None] * rays[which], self.bounds[rows[which]]
            return np.where(np.abs(ray) < np.abs(bounds), ray, bounds).astype(np.float32)

        share = crossings(lambda which, s: self._gaps(rows[which], along(which, s)), self.before[rows], end_gaps)
        cut = along(np.arange(len(rows)), share)
        cheaper = self._cost(rows, cut) < WORTHWHILE * self._cost(rows, self.delta[rows])
        self.delta[rows[cheaper]] = cut[cheaper]
        return rows[cheaper]

    def _rays(self, rows: IntVector) -> FloatMatrix:
        """The direction of least ‖Δ‖₂ + γ‖Δ‖₁ for a given fall along the slope g, as long as the bounds allow.

        Where μ|g|/c is soft-thresholded at γ to a vector of length 1, that vector is the direction: the optimum of the
        linear problem, since both norms grow in proportion to Δ.
        """
        _, slope = self.problem.score_and_slope(self._tensor(rows), self._tensor(self.delta[rows]))
        steep = -slope.cpu().numpy() / self.costs
        steep = np.where(steep * self.bounds[rows] > 0, np.abs(steep), 0)
        direction = _thresholded_to_unit(steep, self.gamma) / self.costs
        bounds = np.abs(self.bounds[rows])
        longest = np.divide(bounds, direction, out=np.zeros_like(bounds), where=direction > 0).max(axis=1, initial=0)
        return (np.sign(self.bounds[rows]) * direction * longest[:, None]).astype(np.float32)

    def _cost(self, rows: IntVector, delta: FloatMatrix) -> FloatVector:
        return self.problem.cost(self._tensor(rows), self._tensor(delta)).cpu().numpy()

    def in_values(self, rows: IntVector, delta: FloatMatrix) -> FloatMatrix:
        """Changes in the units of quality."""
        return self.problem.in_values(self._tensor(rows), self._tensor(delta)).cpu().numpy()

    def _tensor(self, array: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(array).to(self.problem.quality.device)

    def _gaps(self, rows: IntVector, delta: FloatMatrix) -> FloatVector:
        return self.problem.plain_score(rows, delta) - self.goal[rows]


def _thresholded_to_unit(steep: FloatMatrix, gamma: float) -> FloatMatrix:
    """soft(μ·steep, γ) with μ such that its length is 1; found by halving, since the length grows with μ."""
    largest = steep.max(axis=1, keepdims=True, initial=0)
    scaled = np.divide(steep, largest, out=np.zeros_like(steep), where=largest > 0)
    low, high = np.full_like(largest, gamma), np.full_like(largest, gamma + 1)
    for _ in range(30):
        middle = (low + high) / 2
        long = np.linalg.norm(np.maximum(middle * scaled - gamma, 0), axis=1, keepdims=True) > 1
        high, low = np.where(long, middle, high), np.where(long, low, middle)
    return np.maximum(high * scaled - gamma, 0)
