"""The settings of the goal *complete*."""

from __future__ import annotations

from dataclasses import dataclass

from counterec.core.arrays import require


@dataclass(frozen=True)
class CompleteSettings:
    """How the aspects are chosen."""

    price: float = 0.25
    """By how much an aspect must raise the likelihoods to be named."""
    expected: float = 0.25
    """By how much less, for the aspect that is expected to do most for the user; in proportion for the others."""
    neighbours: int = 2
    """How many aspects are tried as an addition or in exchange, starting with those that lower the score most."""
    rounds: int = 8
    """At most this many aspects are added, dropped or exchanged in a row."""
    reserves: int = 150
    """How many items of the reserve are looked at per user."""

    def __post_init__(self) -> None:
        require(self.price >= 0, f"price is {self.price}; it must be 0 or more")
        require(self.expected >= 0, f"expected is {self.expected}; it must be 0 or more")
        require(self.neighbours >= 1, f"neighbours is {self.neighbours}; it must be at least 1")
        require(self.rounds >= 0, f"rounds is {self.rounds}; it must be 0 or more")
        require(self.reserves >= 0, f"reserves is {self.reserves}; it must be 0 or more")
