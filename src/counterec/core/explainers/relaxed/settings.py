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
    published_steps: int = 1000
    """Gradient steps of ``as_published``."""
    published_rate: float = 0.01
    """Length of a gradient step of ``as_published``."""
    stride: float = 0.0875
    """Length of a proximal step, in spans of an aspect: 0.35 on a scale from 1 to 5."""
    first_weight: float = 1.5
    """λ starts at this multiple of the least λ at which Δ = 0 is no longer the cheapest point."""
    growth: float = 1.6
    """λ is multiplied by this whenever a pair has made ``raise_every`` steps without a flip."""
    raise_every: int = 4
    """Steps between two raises of λ."""
    refine: int = 4
    """Steps that a pair takes after its first flip, looking for a cheaper one."""
    steps: int = 80
    """Proximal steps at most."""
    polish: int = 3
    """Rounds of polishing where the change crosses."""

    def __post_init__(self) -> None:
        require(self.gamma >= 0, f"gamma is {self.gamma}; it must be 0 or more")
        require(self.alpha is None or self.alpha >= 0, f"alpha is {self.alpha}; it must be 0 or more")
        require(self.lam > 0, f"lam is {self.lam}; it must be above 0")
        require(self.growth > 1, f"growth is {self.growth}; it must be above 1")
        for name in ("steps", "raise_every", "published_steps"):
            require(getattr(self, name) >= 1, f"{name} is {getattr(self, name)}; it must be at least 1")
