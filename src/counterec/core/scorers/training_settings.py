"""The settings of the net's training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from counterec.core.arrays import require


@dataclass(frozen=True)
class TrainingSettings:
    """How the net is built and trained."""

    hidden: tuple[int, int] = (512, 256)
    """Widths of the two hidden layers."""
    optimizer: Literal["sgd", "adam"] = "sgd"
    """``sgd`` as published, or ``adam``."""
    learning_rate: float = 0.01
    """The learning rate of the optimiser."""
    batch_size: int = 32
    """Samples per step, positive and negative together."""
    negatives: int = 2
    """Negatives per positive, drawn anew in every epoch."""
    epochs: int = 60
    """At most this many epochs; exactly this many if there is no validation part."""
    patience: int = 10
    """Training stops after this many epochs without a better validation NDCG, and the best net is kept."""
    validation_users: int = 1000
    """At most this many users are validated."""
    validation_negatives: int = 100
    """How many untouched items a user's validation item is ranked among."""

    def __post_init__(self) -> None:
        require(self.optimizer in ("sgd", "adam"), f"unknown optimizer {self.optimizer!r}; sgd or adam")
        require(self.learning_rate > 0, f"learning_rate is {self.learning_rate}; it must be above 0")
        for name in (
            "batch_size",
            "negatives",
            "epochs",
            "patience",
            "validation_users",
            "validation_negatives",
        ):
            require(getattr(self, name) >= 1, f"{name} is {getattr(self, name)}; it must be at least 1")
        require(min(self.hidden) >= 1, f"hidden is {self.hidden}; a layer has at least one unit")
