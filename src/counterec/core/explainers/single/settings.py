"""The settings of the goal *single*."""

from __future__ import annotations

from dataclasses import dataclass

from counterec.core.arrays import require


@dataclass(frozen=True)
class SingleSettings:
    """How finely a single aspect is searched, where the search is not exact."""

    grid: int = 32
    """Points tried between no change and the bound."""
    bisections: int = 14
    """Halvings of the grid step that contains the first flip: the answer is within bound / (grid · 2^bisections)."""

    def __post_init__(self) -> None:
        require(self.grid >= 1, f"grid is {self.grid}; it must be at least 1")
        require(self.bisections >= 0, f"bisections is {self.bisections}; it must be 0 or more")


ONLY_THE_BOUND = SingleSettings(grid=1, bisections=0)
"""Only the end of each move is tried: for aspects that move all the way or not at all."""
