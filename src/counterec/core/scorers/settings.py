"""The settings of the net's training and of the model *hybrid*."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from counterec.core.arrays import require

Optimizer = Literal["sgd", "adam", "adamw"]
OPTIMIZERS: tuple[Optimizer, ...] = ("sgd", "adam", "adamw")

DEFAULTS: dict[str, Any] = {
    "hidden": (64, 32),
    "optimizer": "adamw",
    "learning_rate": 1e-3,
    "weight_decay": 0.1,
    "batch_size": 512,
    "negatives": 4,
    "epochs": 50,
    "averaged_epochs": 5,
}
"""Values of the settings that are not given."""

PUBLISHED: dict[str, Any] = {
    "hidden": (512, 256),
    "optimizer": "sgd",
    "learning_rate": 0.01,
    "weight_decay": 0.0,
    "batch_size": 32,
    "negatives": 2,
    "epochs": 60,
    "averaged_epochs": 1,
}
"""The paper's values. It does not state the batch size."""

UNVALIDATED_EPOCHS = 10
"""Epochs without a validation part to stop by: about the best number where there is one."""

EPOCH_SAMPLES = 250_000
"""An epoch has at most this many samples, positive and negative together; the next one goes on with the others."""
VALIDATION_USERS = 1000
"""At most this many users are validated."""
VALIDATION_CUTOFF = 20
"""The validation item counts if it is among this many first items of the catalogue."""

RECORDED = ("optimizer", "learning_rate", "weight_decay", "batch_size", "negatives")
"""The settings that are recorded with a trained net."""


@dataclass(frozen=True)
class TrainingSettings:
    """How the net is built and trained.

    A setting that is None takes its value from ``DEFAULTS``, or from ``PUBLISHED`` with ``as_published`` or the
    optimiser ``sgd``.
    """

    hidden: tuple[int, int] | None = None
    """Widths of the two hidden layers: 64 and 32, or 512 and 256 as published."""
    as_published: bool = False
    """Train as the paper does: widths of 512 and 256, SGD with rate 0.01, two negatives per positive."""
    optimizer: Optimizer | None = None
    """``adamw``, ``adam``, or ``sgd`` as published."""
    learning_rate: float | None = None
    """The learning rate of the optimiser."""
    weight_decay: float | None = None
    """How strongly the optimiser draws weights towards 0."""
    batch_size: int | None = None
    """Samples per step, positive and negative together."""
    negatives: int | None = None
    """Negatives per positive, drawn anew in every epoch."""
    epochs: int | None = None
    """At most this many epochs; exactly this many if there is no validation part."""
    averaged_epochs: int | None = None
    """The net of an epoch is the mean of the weights at the end of the last so many epochs; 1 as published."""
    least_epochs: int = 5
    """The net of no earlier epoch is kept."""
    patience: int = 10
    """Training stops after this many epochs without a better validation NDCG, and the best net is kept."""

    def __post_init__(self) -> None:
        known = self.optimizer is None or self.optimizer in OPTIMIZERS
        require(known, f"unknown optimizer {self.optimizer!r}; {', '.join(OPTIMIZERS)}")
        rate, decay = self.learning_rate, self.weight_decay
        require(rate is None or rate > 0, f"learning_rate is {rate}; it must be above 0")
        require(decay is None or decay >= 0, f"weight_decay is {decay}; it must be at least 0")
        for name in (
            "batch_size",
            "negatives",
            "epochs",
            "averaged_epochs",
            "least_epochs",
            "patience",
        ):
            value = getattr(self, name)
            require(value is None or value >= 1, f"{name} is {value}; it must be at least 1")
        require(self.hidden is None or min(self.hidden) >= 1, f"hidden is {self.hidden}; a layer has at least one unit")

    @classmethod
    def published(cls) -> TrainingSettings:
        """What the paper trains with."""
        return cls(as_published=True)

    def completed(self, validated: bool = True) -> TrainingSettings:
        """Return the settings with every open one filled in."""
        defaults = DEFAULTS if validated else {**DEFAULTS, "epochs": UNVALIDATED_EPOCHS}
        if self.optimizer == "adam":  # its decay adds to the gradient and is far stronger than that of adamw
            defaults = {**defaults, "weight_decay": 0.0}
        values = PUBLISHED if self._as_published else defaults
        return replace(self, **{name: value for name, value in values.items() if getattr(self, name) is None})

    @property
    def widths(self) -> tuple[int, int]:
        """Widths of the two hidden layers."""
        return self.hidden or self.completed().widths

    @property
    def most_epochs(self) -> int:
        """The number of epochs after which training ends at the latest."""
        return self.epochs or self.completed().most_epochs

    @property
    def _as_published(self) -> bool:
        return self.as_published or self.optimizer == "sgd"


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
