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
    regularisations: tuple[float, ...] = (10.0, 30.0, 100.0, 300.0, 1000.0)
    """λ of the item-to-item regression to choose from, starting at ``regularisation``."""
    regularisation: float = 100.0
    """The first λ that is tried, and the only one without a validation part."""
    kept: tuple[int, ...] = (100, 300, 1000)
    """How many past items may speak for each item: the first number with which validation loses nothing, or the last.
    Without a validation part the second, or the only one."""

    def __post_init__(self) -> None:
        require(self.nets >= 1, f"nets is {self.nets}; it must be at least 1")
        for name, least in (("weights", 0), ("regularisations", 1e-9), ("kept", 1)):
            values = getattr(self, name)
            require(len(values) > 0, f"{name} is empty; name at least one")
            require(min(values) >= least, f"{name} holds {min(values):g}; each must be {_at_least(least)}")
            require(list(values) == sorted(set(values)), f"{name} must be in order and without repetition")
        require(self.weight >= 0, f"weight is {self.weight}; it must not be negative")
        require(self.regularisation > 0, f"regularisation is {self.regularisation}; it must be above 0")


def _at_least(least: float) -> str:
    return "above 0" if 0 < least < 1 else f"at least {least}"
