"""The paper's relaxed problem (Eq. 11; Eq. 16 with the mask), solved for all pairs at once.

    minimise  ‖Δ‖₂ + γ‖Δ‖₁ + λ·max(0, α + s(Δ) − target)   within the bounds of Δ

by proximal gradient steps from Δ = 0. A step follows the hinge's gradient and then applies the proximal map of the
two norms, which is a soft threshold for ℓ1 and a group shrinkage for ℓ2, and projects on the bounds. For a fixed λ the
cheapest point can be Δ = 0, far from any flip; so λ is raised per pair while it has not flipped. Nothing is drawn at
random: two runs agree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import BoolVector, FloatMatrix, require
from counterec.core.explainers.answer import Proposal
from counterec.core.explainers.question import SAFETY, Direction, Question
from counterec.core.scorers.protocols import DifferentiableScorer, Scorer
from counterec.errors import UsageError


@dataclass(frozen=True)
class RelaxedSettings:
    """The relaxed objective and how it is minimised."""

    gamma: float = 1.0
    """γ: the weight of ‖Δ‖₁ beside ‖Δ‖₂."""
    alpha: float = 0.0
    """α: how far below the target the hinge asks the score to be, in units of the score, beyond the margin."""
    threshold: float = 0.025
    """Entries of |δ| under this share of the aspect's scale are set back: 0.1 on a five-point scale."""
    step: float = 0.35
    """Length of a proximal step, in units of quality."""
    first_weight: float = 1.5
    """λ starts at this multiple of the least λ at which Δ = 0 is no longer the cheapest point."""
    growth: float = 1.6
    """λ is multiplied by this whenever a pair has made ``raise_every`` steps without a flip."""
    raise_every: int = 4
    """Steps between two raises of λ."""
    refine: int = 6
    """Steps that a pair goes on after its first flip, looking for a cheaper one."""
    steps: int = 80
    """The most steps there are."""

    def __post_init__(self) -> None:
        require(self.gamma >= 0, f"gamma is {self.gamma}; it must be 0 or more")
        require(self.alpha >= 0, f"alpha is {self.alpha}; it must be 0 or more")
        require(self.growth > 1, f"growth is {self.growth}; it must be above 1")
        require(self.steps >= 1 and self.raise_every >= 1, "steps and raise_every must be at least 1")


def relaxed(scorer: Scorer, question: Question, settings: RelaxedSettings) -> Proposal:
    """Propose for every pair the cheapest flipping change that was met on the way, small entries set back."""
    if not isinstance(scorer, DifferentiableScorer):
        raise UsageError(
            f"{type(scorer).__name__} has no score_tensor, and the relaxed goal needs gradients; "
            "use the goal single, which asks for scores alone"
        )
    delta = _Descent(scorer, question, settings).run()
    return Proposal.of(without_small_entries(scorer, question, delta, settings.threshold))


class _Descent:
    """The state of all pairs on their way, as tensors on the scorer's device."""

    def __init__(self, scorer: DifferentiableScorer, question: Question, settings: RelaxedSettings) -> None:
        self.scorer, self.settings = scorer, settings
        device = getattr(scorer, "device", torch.device("cpu"))

        def tensor(array: np.ndarray) -> Tensor:
            return torch.tensor(array, device=device)

        pairs = question.pairs
        self.users, self.items = tensor(pairs.users), tensor(pairs.items)
        self.attention, self.quality = tensor(pairs.user_attention), tensor(pairs.item_quality)
        self.lowest, self.highest = tensor(question.lowest), tensor(question.highest)
        self.costs = tensor(question.costs)
        self.sign = 1.0 if question.direction is Direction.LOWER else -1.0
        aim = question.clearance * SAFETY
        self.goal = tensor(self.sign * question.target - aim)
        self.open = tensor(question.has_target & question.movable.any(axis=1))
        size = len(question)
        self.delta = torch.zeros_like(self.quality)
        self.best = torch.zeros_like(self.quality)
        self.best_cost = torch.full((size,), torch.inf, device=device)
        self.nearest = torch.full((size,), torch.inf, device=device)
        self.weight = torch.zeros(size, device=device)
        self.flipped_at = torch.full((size,), -1, device=device)

    def run(self) -> FloatMatrix:
        """Return the cheapest flip of each pair, or its nearest miss.

        A net that is not monotone can hold a pair in a dent of its score. Whoever has not flipped from Δ = 0 starts
        once more from the far end, everything at its bound, and shrinks from there while it flips.
        """
        everyone = torch.nonzero(self.open).squeeze(1)
        self._descend(everyone)
        stuck = everyone[self.flipped_at[everyone] < 0]
        self.delta[stuck] = torch.where(self.lowest[stuck] < 0, self.lowest[stuck], self.highest[stuck])
        self._descend(stuck)
        return self.best.cpu().numpy()

    def _descend(self, active: Tensor) -> None:
        """Make proximal steps until every pair has retired."""
        for step in range(self.settings.steps + 1):
            if not len(active):
                break
            score, slope = self._score_and_slope(active)
            self._keep_best(active, score, step)
            active, score, slope = self._retire(active, score, slope, step)
            self._raise_weight(active, slope, step)
            self._advance(active, score, slope)

    def _score_and_slope(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """The signed score (lower is nearer to the flip) and its gradient by the item's qualities."""
        point = (self.quality[rows] + self.delta[rows]).requires_grad_(True)
        score = self.sign * self.scorer.score_tensor(self.users[rows], self.items[rows], self.attention[rows], point)
        (slope,) = torch.autograd.grad(score.sum(), point)
        return score.detach(), slope

    def _cost(self, delta: Tensor) -> Tensor:
        """‖Δ‖₂ + γ‖Δ‖₁."""
        weighed = delta * self.costs
        return weighed.norm(dim=1) + self.settings.gamma * weighed.abs().sum(dim=1)

    def _keep_best(self, rows: Tensor, score: Tensor, step: int) -> None:
        flips = score < self.goal[rows]
        cost = self._cost(self.delta[rows])
        cheaper = flips & (cost < self.best_cost[rows])
        nearer = ~flips & self.best_cost[rows].isinf() & (score < self.nearest[rows])
        kept = rows[cheaper | nearer]
        self.best[kept] = self.delta[kept]
        self.best_cost[rows[cheaper]] = cost[cheaper]
        self.nearest[rows[nearer]] = score[nearer]
        first = rows[flips & (self.flipped_at[rows] < 0)]
        self.flipped_at[first] = step

    def _retire(self, rows: Tensor, score: Tensor, slope: Tensor, step: int) -> tuple[Tensor, Tensor, Tensor]:
        """Drop the pairs that have flipped and had their refinement, and those with nowhere left to go."""
        flipped_at = self.flipped_at[rows]
        done = (flipped_at >= 0) & (step - flipped_at >= self.settings.refine)
        stuck = (self._free_slope(rows, slope).abs().amax(dim=1) == 0) & (flipped_at < 0)
        going = ~(done | stuck)
        return rows[going], score[going], slope[going]

    def _free_slope(self, rows: Tensor, slope: Tensor) -> Tensor:
        """The gradient where a step downhill is still inside the bounds, per unit of cost."""
        delta = self.delta[rows]
        free = torch.where(slope > 0, delta > self.lowest[rows], delta < self.highest[rows])
        return slope * free / self.costs

    def _raise_weight(self, rows: Tensor, slope: Tensor, step: int) -> None:
        """λ: first the least with which Δ = 0 is left, then more whenever a while has passed without a flip."""
        steepest = self._free_slope(rows, slope).abs().amax(dim=1).clamp_min(1e-12)
        least = (1 + self.settings.gamma) / steepest
        if step == 0:
            self.weight[rows] = self.settings.first_weight * least
        elif step % self.settings.raise_every == 0:
            waiting = rows[self.flipped_at[rows] < 0]
            self.weight[waiting] *= self.settings.growth

    def _advance(self, rows: Tensor, score: Tensor, slope: Tensor) -> None:
        """One proximal gradient step: hinge, soft threshold, group shrinkage, projection."""
        settings = self.settings
        hinge_is_on = (settings.alpha + score - self.goal[rows] > 0).to(score.dtype)
        push = settings.step * (self.weight[rows] * hinge_is_on)[:, None] * slope
        moved = self.delta[rows] - push
        moved = torch.sign(moved) * (moved.abs() - settings.step * settings.gamma * self.costs).clamp_min(0)
        norm = (moved * self.costs).norm(dim=1, keepdim=True).clamp_min(1e-12)
        moved = moved * (1 - settings.step / norm).clamp_min(0)
        self.delta[rows] = torch.minimum(torch.maximum(moved, self.lowest[rows]), self.highest[rows])


def without_small_entries(scorer: Scorer, question: Question, delta: FloatMatrix, threshold: float) -> FloatMatrix:
    """Set back every entry under the threshold, then put the largest of them back until the pair flips again.

    A change that never flipped is returned as it is: it is a miss either way.
    """
    least = threshold * question.space.scale.span
    small = (np.abs(delta) < least) & (delta != 0)
    flipping = _flips(scorer, question, delta)
    kept = np.where(small & flipping[:, None], 0, delta).astype(np.float32)
    order = np.argsort(-np.abs(np.where(small, delta, 0)), axis=1, kind="stable")
    waiting = np.flatnonzero(flipping & small.any(axis=1))
    for place in range(delta.shape[1]):
        if not len(waiting):
            break
        waiting = waiting[~_flips(scorer, question.rows(waiting), kept[waiting])]
        column = order[waiting, place]
        kept[waiting, column] = delta[waiting, column]
    return kept


def _flips(scorer: Scorer, question: Question, delta: FloatMatrix) -> BoolVector:
    return question.crossed(scorer.score(question.changed(delta)))
