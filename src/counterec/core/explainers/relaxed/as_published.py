"""The relaxed problem as published: Eq. 11 as printed, to reproduce the paper."""

from __future__ import annotations

import torch
from torch import Tensor

from counterec.core.arrays import FloatMatrix
from counterec.core.explainers.relaxed.objective import hinge, norms, shortfall
from counterec.core.explainers.relaxed.settings import PUBLISHED_ALPHA
from counterec.core.explainers.relaxed.tensor_problem import RelaxedProblem

STEPS = 1000
"""Gradient steps, unless the settings say otherwise."""
RATE = 0.01
"""Length of a gradient step."""


def as_published(problem: RelaxedProblem) -> FloatMatrix:
    """Eq. 11 as printed: gradient steps with fixed λ and α on sigmoid scores; the iterate of the lowest loss.

    The paper does not say where Δ starts. The public code draws it at random; here it starts in the middle of its
    bounds, so that two runs agree. The result need not flip: where λ·|∂σ(s)/∂δ| stays under γ for every aspect, Δ = 0
    is the cheapest point.
    """
    settings, rows = problem.settings, problem.open
    alpha = PUBLISHED_ALPHA if settings.alpha is None else settings.alpha
    # Where scores must rise, σ of the negated score falls as the flip nears: the same problem.
    target, before = torch.sigmoid(problem.target[rows]), torch.sigmoid(problem.before[rows])
    delta = 0.5 * problem.far_end[rows]
    best, lowest = delta.clone(), torch.full((len(rows),), torch.inf, device=delta.device)
    for _ in range(settings.steps or STEPS):
        # By the chain rule: what the loss takes from the score, and what the score takes from the change.
        score, slope_of_score = problem.score_and_slope(rows, delta)
        point, score = delta.requires_grad_(True), score.clone().requires_grad_(True)
        missing = shortfall(problem.objective, before, torch.sigmoid(score), target)
        loss = published_cost(problem, rows, point) + settings.lam * hinge(missing, alpha)
        of_change, of_score = torch.autograd.grad(loss.sum(), (point, score))
        with torch.no_grad():
            slope = of_change + of_score[:, None] * slope_of_score
            better = loss < lowest
            best, lowest = torch.where(better[:, None], point, best), torch.where(better, loss, lowest)
            # The paper's steps are in units of quality, as its norms are.
            step = RATE * torch.nan_to_num(slope) / problem.unit**2
            delta = problem.inside(rows, point - step)
    result = torch.zeros_like(problem.quality)
    result[rows] = problem.in_values(rows, best)
    return result.cpu().numpy()


def published_cost(problem: RelaxedProblem, rows: Tensor, delta: Tensor) -> Tensor:
    """‖Δ‖₂ + γ‖Δ‖₁ in units of quality, as printed; ``delta`` is in spans."""
    if problem.objective.complexity is not None:
        return problem.cost(rows, delta)
    return norms(problem.in_values(rows, delta), problem.costs, problem.settings.gamma)
