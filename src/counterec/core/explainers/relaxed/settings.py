"""The settings of the goal *relaxed*."""

from __future__ import annotations

from dataclasses import dataclass

from counterec.core.arrays import require

PUBLISHED_LAMBDA, PUBLISHED_ALPHA = 100.0, 0.2
"""λ and α of the paper."""


@dataclass(frozen=True)
class RelaxedSettings:
    """The relaxed objective and how it is minimised."""

    gamma: float = 1.0
    """γ: the weight of ‖Δ‖₁ beside ‖Δ‖₂."""
    alpha: float | None = None
    """α: how far beyond the target the hinge pushes the score; None: the paper's 0.2 if ``as_published``, else 0."""
    threshold: float = 0.025
    """Entries of |δ| under this share of the aspect's scale are set back: 0.1 on a five-point scale."""
    as_published: bool = False
    """Solve Eq. 11 as published: sigmoid scores in the hinge, fixed λ, gradient steps."""
    lam: float = PUBLISHED_LAMBDA
    """The fixed λ of ``as_published``."""
    steps: int | None = None
    """At most this many steps; None: 80 proximal steps, or 1,000 gradient steps if ``as_published``."""

    def __post_init__(self) -> None:
        require(self.gamma >= 0, f"gamma is {self.gamma}; it must be 0 or more")
        require(self.alpha is None or self.alpha >= 0, f"alpha is {self.alpha}; it must be 0 or more")
        require(self.lam > 0, f"lam is {self.lam}; it must be above 0")
        require(self.steps is None or self.steps >= 1, f"steps is {self.steps}; it must be at least 1")
