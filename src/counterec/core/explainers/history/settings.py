"""The settings of the search for past reviews."""

from __future__ import annotations

from dataclasses import dataclass

from counterec.core.arrays import require

MOST_SETS = 500
"""How many sets of reviews a pair may have scored by default."""


@dataclass(frozen=True)
class HistorySettings:
    """How far the search and its proof go."""

    sets: int = MOST_SETS
    """Sets of reviews that may be scored for one pair, each with all candidates."""
    tries: int = 3
    """Sets of each size that are scored on the way to the first one that flips."""
    listed: int = 20_000
    """Sets of one size are listed, to be tried in the order of what they promise, if there are no more than these."""

    def __post_init__(self) -> None:
        require(self.sets >= 1, f"sets is {self.sets}; at least 1 set of reviews must be scored")
        require(self.tries >= 1, f"tries is {self.tries}; it must be at least 1")
        require(self.listed >= 0, f"listed is {self.listed}; it must be 0 or more")
