"""What the relaxed problem weighs: the complexity and the strength of a change, the paper's or the user's own.

Eq. 11 reads: minimise C(Δ) + λ·max(0, α + s(Δ) − target). With the strength S(Δ) = s(0) − s(Δ) of Eq. 3 and the
strength that the target requires, ε = s(0) − target (Eq. 8), the hinge is max(0, α + ε − S(Δ)). Both C and S may be
replaced, as the paper says after Eq. 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

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
    """‖Δ‖₂ + γ‖Δ‖₁, the relaxed complexity of Eq. 11, with aspects weighted by their costs."""
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
