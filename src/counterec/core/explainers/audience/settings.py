"""The settings of the search for an audience."""

from __future__ import annotations

from dataclasses import dataclass

from counterec.core.arrays import require


@dataclass(frozen=True)
class AudienceSettings:
    """How far the search and its proof go."""

    budget: int = 300_000
    """Scorings that may be spent on proving that no smaller set is enough."""
    halvings: int = 12
    """How finely improvements are shrunk."""

    def __post_init__(self) -> None:
        require(self.budget >= 0, f"budget is {self.budget}; it must be 0 or more")
        require(self.halvings >= 0, f"halvings is {self.halvings}; it must be 0 or more")
