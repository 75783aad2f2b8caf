"""The settings of the search for an audience."""

from __future__ import annotations

from dataclasses import dataclass

from counterec.core.arrays import require


@dataclass(frozen=True)
class AudienceSettings:
    """How far the search and its proof go."""

    budget: int = 300_000
    """Scorings that may be spent on proving that no smaller set is enough."""
    rivals: int = 4
    """Sets of the same size that are shrunk, to keep the smallest change."""
    shrinking: int = 2
    """Rounds of shrinking along the boundary."""

    def __post_init__(self) -> None:
        require(self.budget >= 0, f"budget is {self.budget}; it must be 0 or more")
        require(self.rivals >= 1, f"rivals is {self.rivals}; it must be at least 1")
        require(self.shrinking >= 0, f"shrinking is {self.shrinking}; it must be 0 or more")
