"""Proximal gradient steps on the relaxed objective, for all pairs side by side.

A step follows the hinge's gradient and then applies the proximal map of the two norms, which is a soft threshold for
ℓ1 and a group shrinkage for ℓ2, and projects on the bounds.
"""

from __future__ import annotations

import torch
from torch import Tensor

from counterec.core.arrays import FloatMatrix
from counterec.core.explainers.relaxed.tensor_problem import RelaxedProblem
from counterec.core.explainers.tolerances import OFF_THE_KINK

TINY = 1e-30
"""Keeps a division from being one by 0, however small all scores are."""
STEPS = 80
"""Proximal steps at most, unless the settings say otherwise."""
STRIDE = 0.0875
"""Length of a proximal step, in spans of an aspect: 0.35 on a scale from 1 to 5."""
FIRST_WEIGHT = 1.5
"""λ starts at this multiple of the least λ at which Δ = 0 is no longer the cheapest point."""
GROWTH = 1.6
"""λ is multiplied by this whenever a pair has made ``RAISE_EVERY`` steps without a flip."""
RAISE_EVERY = 4
"""Steps between two raises of λ."""
REFINE = 4
"""Steps that a pair takes after its first flip, looking for a cheaper one."""


class ProximalDescent:
    """The state of all pairs during the descent; a pair that has finished retires."""

    def __init__(self, problem: RelaxedProblem) -> None:
        self.problem, self.settings = problem, problem.settings
        self.steps = problem.settings.steps or STEPS
        size, device = len(problem.quality), problem.quality.device
        self.delta = torch.zeros_like(problem.quality)
        self.best = torch.zeros_like(problem.quality)
        self.best_cost = torch.full((size,), torch.inf, device=device)
        self.nearest = torch.full((size,), torch.inf, device=device)
        self.weight = torch.zeros(size, device=device)
        self.flipped_at = torch.full((size,), -1, device=device)

    def run(self) -> FloatMatrix:
        """Return the cheapest flip of each pair, or its nearest miss.

        A net that is not monotone can trap a pair in a local minimum of its score. A pair that has not flipped from
        Δ = 0 starts once more with everything at its bound, and shrinks from there while it flips.
        """
        everyone = self.problem.open
        self._descend(everyone)
        stuck = everyone[self.flipped_at[everyone] < 0]
        self.delta[stuck] = self.problem.far_end[stuck]
        self._descend(stuck)
        return self.best.cpu().numpy()

    def _descend(self, active: Tensor) -> None:
        """Make steps until every pair has retired."""
        for step in range(self.steps + 1):
            if not len(active):
                break
            score, slope = self._score_and_slope(active)
            self._keep_best(active, score, step)
            active, score, slope = self._retire(active, score, slope, step)
            self._raise_weight(active, slope, step)
            self._advance(active, score, slope)

    def _score_and_slope(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """The score, and the gradient of the missing strength with respect to the change."""
        score, slope = self.problem.score_and_slope(rows, self.delta[rows])
        if self.problem.objective.strength is not None:
            after = score.clone().requires_grad_(True)
            missing = self.problem.missing(rows, after, self.problem.goal)
            slope = slope * torch.autograd.grad(missing.sum(), after)[0][:, None]
        return score, slope

    def _keep_best(self, rows: Tensor, score: Tensor, step: int) -> None:
        flips = score < self.problem.goal[rows]
        cost = self.problem.cost(rows, self.delta[rows])
        cheaper = flips & (cost < self.best_cost[rows])
        nearer = ~flips & self.best_cost[rows].isinf() & (score < self.nearest[rows])
        kept = rows[cheaper | nearer]
        self.best[kept] = self.delta[kept]
        self.best_cost[rows[cheaper]] = cost[cheaper]
        self.nearest[rows[nearer]] = score[nearer]
        first = rows[flips & (self.flipped_at[rows] < 0)]
        self.flipped_at[first] = step

    def _retire(self, rows: Tensor, score: Tensor, slope: Tensor, step: int) -> tuple[Tensor, Tensor, Tensor]:
        """Drop the pairs that have flipped and were refined, and those that cannot move any further."""
        flipped_at = self.flipped_at[rows]
        done = (flipped_at >= 0) & (step - flipped_at >= REFINE)
        stuck = (self._free_slope(rows, slope).abs().amax(dim=1) == 0) & (flipped_at < 0)
        going = ~(done | stuck)
        return rows[going], score[going], slope[going]

    def _free_slope(self, rows: Tensor, slope: Tensor) -> Tensor:
        """The gradient, per unit of cost, of the aspects that can still go downhill inside their bounds."""
        delta = self.delta[rows]
        free = torch.where(slope > 0, delta > self.problem.lowest[rows], delta < self.problem.highest[rows])
        return slope * free / self.problem.costs

    def _raise_weight(self, rows: Tensor, slope: Tensor, step: int) -> None:
        """λ: first just enough to leave Δ = 0, then more after every few steps without a flip."""
        if step == 0:
            self.weight[rows] = FIRST_WEIGHT * self._least_weight(rows, slope)
        elif step % RAISE_EVERY == 0:
            waiting = rows[self.flipped_at[rows] < 0]
            self.weight[waiting] *= GROWTH

    def _least_weight(self, rows: Tensor, slope: Tensor) -> Tensor:
        """The λ at which the hinge pulls one aspect away from 0 as hard as the complexity holds it there."""
        pull = self._free_slope(rows, slope).abs().clamp_min(TINY)
        if self.problem.objective.complexity is None:
            return (1 + self.settings.gamma) / pull.amax(dim=1)
        return (self._hold(rows, slope).abs() / pull).amin(dim=1)

    def _advance(self, rows: Tensor, score: Tensor, slope: Tensor) -> None:
        """One step along the hinge's gradient, then the proximal map of the complexity, then projection."""
        missing = self.problem.missing(rows, score, self.problem.goal)
        hinge_is_on = ((self.settings.alpha or 0.0) + missing > 0).to(score.dtype)
        push = (self.weight[rows] * hinge_is_on)[:, None] * slope
        if self.problem.objective.complexity is None:
            moved = self._shrunk(self.delta[rows] - STRIDE * push)
        else:
            moved = self.delta[rows] - self._scaled(rows, push + self._hold(rows, slope))
        self.delta[rows] = self.problem.inside(rows, moved)

    def _scaled(self, rows: Tensor, slope: Tensor) -> Tensor:
        """A step of known length, whatever the scale of the user's own complexity."""
        free = self._free_slope(rows, slope)
        return STRIDE * free / free.abs().amax(dim=1, keepdim=True).clamp_min(TINY)

    def _shrunk(self, delta: Tensor) -> Tensor:
        """The proximal map of the two norms: a soft threshold, then a group shrinkage."""
        step, costs = STRIDE, self.problem.costs
        soft = torch.sign(delta) * (delta.abs() - step * self.settings.gamma * costs).clamp_min(0)
        norm = (soft * costs).norm(dim=1, keepdim=True).clamp_min(TINY)
        return soft * (1 - step / norm).clamp_min(0)

    def _hold(self, rows: Tensor, slope: Tensor) -> Tensor:
        """The slope of the user's own complexity; at 0, where it may have a kink, the slope just beside it."""
        delta = self.delta[rows]
        delta = self.problem.inside(rows, torch.where(delta == 0, -OFF_THE_KINK * torch.sign(slope), delta))
        delta.requires_grad_(True)
        (hold,) = torch.autograd.grad(self.problem.cost(rows, delta).sum(), delta)
        return torch.nan_to_num(hold)
