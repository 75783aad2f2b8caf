"""The settings of the goal *complete*."""

from __future__ import annotations

from dataclasses import dataclass

from counterec.core.arrays import require


@dataclass(frozen=True)
class CompleteSettings:
    """How the aspects are chosen."""

    price: float = 0.25
    """By how much an aspect must raise the likelihoods to be named."""
    usual: float = 0.25
    """By how much that is less for the aspect that usually does most for the user, and in proportion for others."""
    neighbours: int = 2
    """Aspects that are tried as an addition or in exchange, those first that lower the score most."""
    rounds: int = 8
    """The most aspects that are added, dropped or exchanged one after another."""
    reserves: int = 150
    """How many items of the reserve are looked at for each user."""

    def __post_init__(self) -> None:
        require(self.price >= 0, f"price is {self.price}; it must be 0 or more")
        require(self.usual >= 0, f"usual is {self.usual}; it must be 0 or more")
        require(self.neighbours >= 1, f"neighbours is {self.neighbours}; it must be at least 1")
        require(self.rounds >= 0, f"rounds is {self.rounds}; it must be 0 or more")
        require(self.reserves >= 0, f"reserves is {self.reserves}; it must be 0 or more")
