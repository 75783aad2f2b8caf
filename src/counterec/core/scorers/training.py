"""Training the net: cross-entropy (Eq. 5), the epoch chosen by what lists are judged by."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from counterec.core.arrays import FloatVector, require
from counterec.core.compute_limits import one_core
from counterec.core.interactions import Interactions
from counterec.core.scorers.averaged_weights import AveragedNet
from counterec.core.scorers.checkpoints import NOTHING_KEPT, Checkpoint, Checkpoints, training_name
from counterec.core.scorers.cross_entropy_step import CrossEntropyStep
from counterec.core.scorers.net import NetWeights
from counterec.core.scorers.net_in_training import NetInTraining
from counterec.core.scorers.training_examples import TrainingExamples
from counterec.core.scorers.training_samples import TrainingSamples
from counterec.core.scorers.training_settings import TrainingSettings
from counterec.core.scorers.training_state import restore_state, state_arrays
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
    checkpoints: Checkpoints = NOTHING_KEPT,
) -> Training:
    """Train the net on the positives; if there is a validation part, keep the weights of its best epoch.

    Settings that were not given are the usual ones: see ``search_settings`` for better. One thread computes, and the
    same seed gives the same bytes, also if the training was cut off and goes on from a checkpoint.
    """
    examples = TrainingExamples(space, positives, validation)
    training = NetTraining(examples, settings, seed, device, checkpoints)
    for report in training.history:
        progress(report)
    while not training.ended:
        progress(training.next_epoch())
    return training.outcome()


class NetTraining:
    """The training of one net, epoch by epoch; any thread may compute the next one.

    What is validated and kept after an epoch is the mean of the weights over the last ``averaged_epochs``. Where a
    checkpoint of the same training is there, it goes on from that.
    """

    def __init__(
        self,
        examples: TrainingExamples,
        settings: TrainingSettings,
        seed: int,
        device: str = "cpu",
        checkpoints: Checkpoints = NOTHING_KEPT,
    ) -> None:
        self._check = examples.check
        self._settings = settings.completed(validated=self._check is not None)
        self._net = NetInTraining(examples.space, self._settings.widths, seed).to(device)
        self._samples = TrainingSamples(examples.positives, self._settings, seed, device)
        self._optimizer = _optimizer(self._net, self._settings)
        self._averaged = AveragedNet(self._net, self._settings.averaged_epochs or 1)
        self._step = CrossEntropyStep(self._net, self._samples.pairs_per_step, self._samples.items_per_pair)
        self._kept = _Kept(self._settings)
        self.history: list[EpochReport] = []
        """The epochs so far."""
        self._checkpoints = checkpoints
        self._name = "" if checkpoints is NOTHING_KEPT else training_name(examples, self._settings, seed, device)
        checkpoint = checkpoints.load(self._name)
        if checkpoint is not None:
            self._go_on_from(checkpoint)

    @property
    def ended(self) -> bool:
        """Whether there is no further epoch."""
        return len(self.history) == self._settings.most_epochs or self._kept.for_good(len(self.history))

    def next_epoch(self) -> EpochReport:
        """Train for one epoch more, validate, and keep the net if it is the best so far."""
        epoch = len(self.history) + 1
        with one_core():
            loss = self._run_epoch(epoch)
            advice = f"lower learning_rate {self._settings.learning_rate:g}"
            require(math.isfinite(loss), f"training diverged in epoch {epoch} (the loss is {loss}); {advice}")
            mean_net = self._averaged.after_epoch()
            gains = self._check.gains_by_blocks(mean_net.score_block()) if self._check else None
        self.history.append(EpochReport(epoch, loss, None if gains is None else float(gains.mean())))
        self._kept.see(self.history[-1], mean_net, gains)
        self._checkpoints.save(self._name, self._checkpoint)
        return self.history[-1]

    def outcome(self) -> Training:
        """What training gives, once it has ended."""
        kept = self._kept
        return Training(kept.weights, tuple(self.history), kept.epoch, self._settings, kept.gains)

    def _checkpoint(self) -> Checkpoint:
        """Everything that the rest of this training depends on; of one that has ended only what it gives."""
        arrays = {} if self.ended else state_arrays(self._net, self._optimizer, self._averaged)
        history = [[report.epoch, report.loss, report.validation_ndcg] for report in self.history]
        return Checkpoint(arrays | self._kept.arrays(), {"history": history, "kept": self._kept.epoch})

    def _go_on_from(self, checkpoint: Checkpoint) -> None:
        self.history = [EpochReport(*report) for report in checkpoint.values["history"]]
        self._kept.go_on_from(checkpoint.arrays, self.history[: checkpoint.values["kept"]])
        if not self.ended:
            restore_state(checkpoint.arrays, self._net, self._optimizer, self._averaged)

    def _run_epoch(self, epoch: int) -> float:
        """One pass over the samples; returns the mean cross-entropy (Eq. 5, on logits)."""
        total, count = 0.0, 0
        for users, items, are_samples in self._samples.batches(epoch):
            size = items.numel() if are_samples is None else int(are_samples.sum())
            total += self._step(users, items, are_samples) * size
            count += size
            self._optimizer.step()
        return total / count


KEPT, GAINS = "kept.", "gains"
"""Names in a checkpoint: of the best net so far, and of its validation gains."""


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

    def arrays(self) -> dict[str, np.ndarray]:
        """The net so far and its gains, by name."""
        gains = {} if self.gains is None else {GAINS: self.gains}
        return gains | ({KEPT + name: array for name, array in self.weights.named().items()} if self.epoch else {})

    def go_on_from(self, arrays: Mapping[str, np.ndarray], history: Sequence[EpochReport]) -> None:
        """Take over what ``arrays`` gave, and the epochs up to the one whose net it is."""
        if history:
            named = {name.removeprefix(KEPT): array for name, array in arrays.items() if name.startswith(KEPT)}
            ndcg = history[-1].validation_ndcg
            self._ndcg, self.epoch = math.inf if ndcg is None else ndcg, history[-1].epoch
            self.weights, self.gains = NetWeights.from_named(named), arrays.get(GAINS)

    def for_good(self, epoch: int) -> bool:
        """Whether patience has ended."""
        return self.epoch > 0 and epoch - self.epoch >= self._patience


def _optimizer(net: NetInTraining, settings: TrainingSettings) -> torch.optim.Optimizer:
    kinds = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamw": torch.optim.AdamW}
    kind = kinds[settings.optimizer or "adamw"]
    return kind(net.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay, fused=True)
