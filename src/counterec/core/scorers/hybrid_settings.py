"""The settings of the model *hybrid*."""

from __future__ import annotations

from dataclasses import dataclass

from counterec.core.arrays import require


@dataclass(frozen=True)
class HybridSettings:
    """How many nets, what the collaborative part is learned by, and how much of it a score may hold."""

    nets: int = 3
    """How many nets are averaged."""
    weights: tuple[float, ...] = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)
    """Weights of the collaborative part to choose from: how far it spreads a user's catalogue beside the aspects."""
    weight: float = 0.2
    """The weight without a validation part to choose it on."""

    def __post_init__(self) -> None:
        require(self.nets >= 1, f"nets is {self.nets}; it must be at least 1")
        require(len(self.weights) > 0, "weights is empty; name at least one")
        require(min(self.weights) >= 0, f"weights holds {min(self.weights):g}; each must be at least 0")
        require(list(self.weights) == sorted(set(self.weights)), "weights must be in order and without repetition")
        require(self.weight >= 0, f"weight is {self.weight}; it must not be negative")
