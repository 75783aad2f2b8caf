"""The settings of the net's training."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from counterec.core.arrays import require

Optimizer = Literal["sgd", "adam", "adamw"]
OPTIMIZERS: tuple[Optimizer, ...] = ("sgd", "adam", "adamw")

USUAL: dict[str, Any] = {
    "optimizer": "adamw",
    "learning_rate": 1e-3,
    "weight_decay": 1.0,
    "batch_size": 512,
    "negatives": 4,
    "epochs": 50,
    "averaged_epochs": 5,
}
"""What a setting that was not given is, unless a search chooses it."""

PUBLISHED: dict[str, Any] = {
    "optimizer": "sgd",
    "learning_rate": 0.01,
    "weight_decay": 0.0,
    "batch_size": 32,
    "negatives": 2,
    "epochs": 60,
    "averaged_epochs": 1,
}
"""What the paper trains with; it leaves the batches open."""

UNVALIDATED_EPOCHS = 10
"""The epochs without a validation part that could say when to stop: about what is best where there is one."""

SEARCHED = ("learning_rate", "weight_decay", "batch_size", "negatives")
"""What a search chooses, where it was not given."""


@dataclass(frozen=True)
class TrainingSettings:
    """How the net is built and trained.

    A setting that is None is chosen: by a search on the validation part, or, where there is none, as in ``USUAL``.
    With ``as_published``, and with the optimiser ``sgd``, it is what the paper says. A setting that is given stays.
    """

    hidden: tuple[int, int] = (512, 256)
    """Widths of the two hidden layers."""
    as_published: bool = False
    """Whether to train as the paper does: SGD, 0.01, two negatives, one net, nothing searched for."""
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
    epoch_samples: int = 250_000
    """An epoch has at most this many samples, positive and negative together; the next one goes on with the others."""
    validation_users: int = 1000
    """At most this many users are validated."""
    validation_cutoff: int = 20
    """The validation item counts if it is among the first so many of the catalogue."""
    search: bool = True
    """Whether settings that were not given are searched for."""
    search_interactions: int = 25_000
    """The search trains on the users of at most this many interactions."""

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
            "epoch_samples",
            "validation_users",
            "validation_cutoff",
            "search_interactions",
        ):
            value = getattr(self, name)
            require(value is None or value >= 1, f"{name} is {value}; it must be at least 1")
        require(min(self.hidden) >= 1, f"hidden is {self.hidden}; a layer has at least one unit")

    @classmethod
    def published(cls) -> TrainingSettings:
        """What the paper trains with."""
        return cls(as_published=True)

    @property
    def open(self) -> tuple[str, ...]:
        """The settings that a search is to choose."""
        if not self.search or self._as_published:
            return ()
        return tuple(name for name in SEARCHED if getattr(self, name) is None)

    def completed(self, validated: bool = True, **chosen: Any) -> TrainingSettings:
        """The same settings with these values, and with the usual ones, for what was not given."""
        usual = USUAL if validated else {**USUAL, "epochs": UNVALIDATED_EPOCHS}
        values = {**(PUBLISHED if self._as_published else usual), **chosen}
        return replace(self, **{name: value for name, value in values.items() if getattr(self, name) is None})

    @property
    def most_epochs(self) -> int:
        """After how many epochs training ends at the latest."""
        return self.epochs or self.completed().most_epochs

    @property
    def _as_published(self) -> bool:
        return self.as_published or self.optimizer == "sgd"
