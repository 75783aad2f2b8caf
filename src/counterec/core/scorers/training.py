"""Training the net: cross-entropy (Eq. 5), the epoch chosen by what lists are judged by."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from counterec.core.arrays import FloatVector, require
from counterec.core.compute_limits import one_core
from counterec.core.interactions import Interactions
from counterec.core.scorers.averaged_weights import AveragedNet
from counterec.core.scorers.catalogue_validation import CatalogueValidation
from counterec.core.scorers.net import NetWeights
from counterec.core.scorers.net_in_training import NetInTraining
from counterec.core.scorers.training_samples import TrainingSamples
from counterec.core.scorers.training_settings import TrainingSettings
from counterec.core.space import AspectSpace


@dataclass(frozen=True)
class EpochReport:
    """The outcome of one epoch."""

    epoch: int
    loss: float
    validation_ndcg: float | None


@dataclass(frozen=True)
class Training:
    """The outcome of training: the weights that were kept, the history, and what it was trained with."""

    weights: NetWeights
    history: tuple[EpochReport, ...]
    best_epoch: int
    settings: TrainingSettings
    gains: FloatVector | None = None
    """The validation gains of the kept net, in the order of the validation's users; None without a validation part."""

    @property
    def best(self) -> EpochReport:
        """The epoch whose weights were kept."""
        return self.history[self.best_epoch - 1]


EpochProgress = Callable[[EpochReport], None]


def train(
    space: AspectSpace,
    positives: Interactions,
    validation: Interactions,
    settings: TrainingSettings,
    seed: int,
    device: str = "cpu",
    progress: EpochProgress = lambda _: None,
) -> Training:
    """Train the net on the positives; if there is a validation part, keep the weights of its best epoch.

    What is validated and kept after an epoch is the mean of the weights over the last ``averaged_epochs``.
    Settings that were not given are the usual ones: see ``search_settings`` for better. One thread computes, and the
    same seed gives the same bytes.
    """
    require(len(positives) > 0, "there is no training interaction: keep more reviews")
    settings = settings.completed(validated=len(validation) > 0)
    check = _validation(positives, validation, settings)
    with one_core():
        net = NetInTraining(space, settings.hidden, seed).to(device)
        samples = TrainingSamples(positives, settings, seed, device)
        optimizer, averaged = _optimizer(net, settings), AveragedNet(net, settings.averaged_epochs or 1)
        history: list[EpochReport] = []
        kept = _Kept(settings)
        for epoch in range(1, settings.most_epochs + 1):
            loss = _run_epoch(net, optimizer, samples, epoch)
            advice = f"lower learning_rate {settings.learning_rate:g}"
            require(math.isfinite(loss), f"training diverged in epoch {epoch} (the loss is {loss}); {advice}")
            mean_net = averaged.after_epoch()
            gains = check.gains_by_blocks(mean_net.score_block()) if check else None
            history.append(EpochReport(epoch, loss, None if gains is None else float(gains.mean())))
            progress(history[-1])
            kept.see(history[-1], mean_net, gains)
            if kept.for_good(epoch):
                break
    return Training(kept.weights, tuple(history), kept.epoch, settings, kept.gains)


def _validation(
    positives: Interactions, validation: Interactions, settings: TrainingSettings
) -> CatalogueValidation | None:
    if not len(validation):
        return None
    return CatalogueValidation(positives, validation, settings.validation_users, settings.validation_cutoff)


class _Kept:
    """The best net so far: no earlier one than the least epoch's, and without a validation part always the last."""

    weights: NetWeights
    gains: FloatVector | None = None

    def __init__(self, settings: TrainingSettings) -> None:
        self._least, self._patience = min(settings.least_epochs, settings.most_epochs), settings.patience
        self._ndcg, self.epoch = -math.inf, 0

    def see(self, report: EpochReport, net: NetInTraining, gains: FloatVector | None) -> None:
        """Take over the net of this epoch if it is better."""
        ndcg = math.inf if report.validation_ndcg is None else report.validation_ndcg
        if ndcg == math.inf or (report.epoch >= self._least and ndcg > self._ndcg):
            self._ndcg, self.epoch, self.weights, self.gains = ndcg, report.epoch, net.weights(), gains

    def for_good(self, epoch: int) -> bool:
        """Whether patience has ended."""
        return self.epoch > 0 and epoch - self.epoch >= self._patience


def _optimizer(net: NetInTraining, settings: TrainingSettings) -> torch.optim.Optimizer:
    kinds = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamw": torch.optim.AdamW}
    kind = kinds[settings.optimizer or "adamw"]
    return kind(net.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay, fused=True)


def _run_epoch(net: NetInTraining, optimizer: torch.optim.Optimizer, samples: TrainingSamples, epoch: int) -> float:
    """One pass over the samples; returns the mean cross-entropy (Eq. 5, on logits)."""
    total, count = 0.0, 0
    for users, items, are_samples in samples.batches(epoch):
        loss, size = _cross_entropy(net(users, items), are_samples), int(are_samples.sum())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += float(loss.detach()) * size
        count += size
    return total / count


def _cross_entropy(logits: Tensor, are_samples: Tensor) -> Tensor:
    """The mean of −log σ(s) over positives, which stand first in each row, and of −log(1 − σ(s)) over negatives."""
    labels = torch.zeros_like(logits)
    labels[:, 0] = 1
    return functional.binary_cross_entropy_with_logits(logits[are_samples], labels[are_samples])
