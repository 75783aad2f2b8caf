"""The settings of the goal *minimal*."""

from __future__ import annotations

from dataclasses import dataclass

from counterec.core.arrays import require


@dataclass(frozen=True)
class MinimalSettings:
    """How far the search and its proof go."""

    budget: int = 500
    """Scorings that a pair may spend on proving that its set is smallest; sets that are screened cost a fifth."""

    def __post_init__(self) -> None:
        require(self.budget >= 0, f"budget is {self.budget}; it must be 0 or more")
