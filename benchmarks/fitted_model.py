"""One training of one of the recommenders of a run: its scorer, and what was chosen for it on validation.

Needs NumPy and PyTorch only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from counterec.core.interactions import Interactions
from counterec.core.scorers.base import Scorer
from counterec.core.scorers.settings import TrainingSettings
from counterec.core.space import AspectSpace
from counterec.pipeline.models import TrainedModel, TrainingData, model_kind

KINDS = ("net", "hybrid")
"""The recommenders that benchmarks train: the paper's net, and the default of a run."""


@dataclass(frozen=True, eq=False)
class FittedModel:
    """A model of some kind, trained on the training part of a space."""

    kind: str
    space: AspectSpace
    asked: TrainingSettings
    """The settings as they were given."""
    outcome: TrainedModel

    @cached_property
    def scorer(self) -> Scorer:
        """The model on the CPU."""
        return self.on("cpu")

    def on(self, device: str) -> Scorer:
        """The same model on a device."""
        return model_kind(self.kind).load(self.outcome.arrays, self.space, device)

    @property
    def used(self) -> TrainingSettings:
        """The settings that it was trained with."""
        return replace(self.asked, **self._net["settings"])

    @property
    def validation_ndcg(self) -> float:
        """The mean gain of the validation items, in the catalogue without the user's training items."""
        return float(self.outcome.counts["validation_ndcg"])

    @property
    def described(self) -> str:
        """The settings, where they come from, and what validation says of the model."""
        used, counts = self.used, self.outcome.counts
        collaborative = f", λ {counts['regularisation']:g} and weight {counts['weight']:g} chosen" if self.nets else ""
        return (
            f"{len(self.nets) or 1} × {'-'.join(map(str, used.widths))}-1, {used.optimizer}, learning rate "
            f"{used.learning_rate:g}, weight decay {used.weight_decay:g}, batches of {used.batch_size}, "
            f"{used.negatives} negatives{collaborative}; validation NDCG@{counts['validation_cutoff']} "
            f"{self.validation_ndcg:.4f}, of popularity {counts['popularity_ndcg']:.4f}"
        )

    @property
    def nets(self) -> list[Mapping[str, Any]]:
        """How each net of a mean was trained; none where the model is one net."""
        return list(self.outcome.counts.get("nets", []))

    @property
    def _net(self) -> Mapping[str, Any]:
        """How the first net was trained."""
        return self.nets[0] if self.nets else self.outcome.counts


def fitted(
    kind: str, space: AspectSpace, parts: Mapping[str, Interactions], settings: TrainingSettings, seed: int
) -> FittedModel:
    """Train a model on the training part; its epoch is chosen on the validation part."""
    train = model_kind(kind).train
    if train is None:
        raise ValueError(f"models of kind {kind!r} are trained elsewhere; use {' or '.join(KINDS)}")
    outcome = train(TrainingData(space, parts["train"], parts["validation"], settings, seed))
    return FittedModel(kind, space, settings, outcome)
