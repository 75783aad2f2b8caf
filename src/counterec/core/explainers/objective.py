"""What the relaxed problem weighs: the complexity of a change and its strength, the paper's or the user's own.

Eq. 11 reads: minimise C(Δ) + λ·max(0, α + s(Δ) − target). With the strength S(Δ) = s(0) − s(Δ) of Eq. 3 and the
strength that the target asks for, ε = s(0) − target (Eq. 8), the hinge is max(0, α + ε − S(Δ)). Both C and S may be
replaced, as the paper promises after Eq. 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from counterec.core.arrays import require

Complexity = Callable[[Tensor], Tensor]
"""From changes [pairs, aspects] to how complex each is [pairs]; smooth almost everywhere."""
Strength = Callable[[Tensor, Tensor], Tensor]
"""From scores before and after to how strong each change is; it must grow as the score after falls."""


@dataclass(frozen=True)
class Objective:
    """The user's own complexity and strength; None stands for the paper's."""

    complexity: Complexity | None = None
    strength: Strength | None = None


PAPER = Objective()


def norms(delta: Tensor, costs: Tensor, gamma: float) -> Tensor:
    """‖Δ‖₂ + γ‖Δ‖₁, the relaxed complexity of Eq. 11, aspects weighed by their costs."""
    weighed = delta * costs
    return weighed.norm(dim=1) + gamma * weighed.abs().sum(dim=1)


def shortfall(objective: Objective, before: Tensor, after: Tensor, target: Tensor) -> Tensor:
    """ε − S(Δ): how much strength is still missing; by the paper's measure simply s(Δ) − target."""
    if objective.strength is None:
        return after - target
    return objective.strength(before, target) - objective.strength(before, after)


def hinge(missing: Tensor, alpha: float) -> Tensor:
    """max(0, α + ε − S(Δ)) (Eq. 10)."""
    return torch.relu(alpha + missing)


PAPER_LAMBDA, PAPER_ALPHA = 100.0, 0.2
"""The settings of the paper."""


@dataclass(frozen=True)
class RelaxedSettings:
    """The relaxed objective and how it is minimised."""

    gamma: float = 1.0
    """γ: the weight of ‖Δ‖₁ beside ‖Δ‖₂."""
    alpha: float | None = None
    """α: how far beyond the target the hinge asks the score to be; 0 beyond the margin on logits, 0.2 in the paper."""
    threshold: float = 0.025
    """Entries of |δ| under this share of the aspect's scale are set back: 0.1 on a five-point scale."""
    exact_paper: bool = False
    """The letter of the paper: sigmoid scores in the hinge, fixed λ, gradient steps."""
    lam: float = PAPER_LAMBDA
    """λ, where it is fixed (``exact_paper``)."""
    paper_steps: int = 1000
    """Gradient steps of ``exact_paper``."""
    paper_rate: float = 0.01
    """Length of a gradient step of ``exact_paper``."""
    step: float = 0.35
    """Length of a proximal step, in units of quality."""
    first_weight: float = 1.5
    """λ starts at this multiple of the least λ at which Δ = 0 is no longer the cheapest point."""
    growth: float = 1.6
    """λ is multiplied by this whenever a pair has made ``raise_every`` steps without a flip."""
    raise_every: int = 4
    """Steps between two raises of λ."""
    refine: int = 4
    """Steps that a pair goes on after its first flip, looking for a cheaper one."""
    steps: int = 80
    """The most proximal steps there are."""
    polish: int = 3
    """Rounds of polishing where the change crosses."""

    def __post_init__(self) -> None:
        require(self.gamma >= 0, f"gamma is {self.gamma}; it must be 0 or more")
        require(self.alpha is None or self.alpha >= 0, f"alpha is {self.alpha}; it must be 0 or more")
        require(self.lam > 0, f"lam is {self.lam}; it must be above 0")
        require(self.growth > 1, f"growth is {self.growth}; it must be above 1")
        require(min(self.steps, self.raise_every, self.paper_steps) >= 1, "steps and raise_every must be at least 1")
