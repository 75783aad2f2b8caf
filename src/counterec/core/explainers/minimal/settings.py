"""The settings of the goal *minimal*."""

from __future__ import annotations

from dataclasses import dataclass

from counterec.core.arrays import require


@dataclass(frozen=True)
class MinimalSettings:
    """How far the search and its proof go."""

    budget: int = 500
    """Scorings that a pair may spend on proving that its set is smallest; sets that are screened cost a fifth."""
    rivals: int = 2
    """Flipping sets of the same size that are shrunk, to keep the smallest change."""
    shrinking: int = 2
    """Rounds of shrinking along the boundary."""

    def __post_init__(self) -> None:
        require(self.budget >= 0, f"budget is {self.budget}; it must be 0 or more")
        require(self.rivals >= 1, f"rivals is {self.rivals}; it must be at least 1")
        require(self.shrinking >= 0, f"shrinking is {self.shrinking}; it must be 0 or more")
