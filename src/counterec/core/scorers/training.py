"""Training the net: cross-entropy (Eq. 5), the epoch chosen by what lists are judged by.

Several nets train side by side, one thread each: PyTorch computes outside the interpreter's lock.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import FloatVector, IntVector, require, row_chunks
from counterec.core.compute_limits import available_cores, one_core, threads
from counterec.core.interactions import Interactions, draw_outside
from counterec.core.scorers.net import NetWeights
from counterec.core.scorers.net_in_training import AveragedNet, NetInTraining, restore_state, state_arrays
from counterec.core.scorers.settings import EPOCH_SAMPLES, TrainingSettings
from counterec.core.scorers.training_examples import (
    NOTHING_KEPT,
    Checkpoint,
    Checkpoints,
    TrainingExamples,
    training_name,
)
from counterec.core.scorers.validation import PairedDifference
from counterec.core.space import AspectSpace
from counterec.randomness import entropy, generator


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
        total, count, weights = 0.0, 0, list(self._net.parameters())
        for users, items, are_samples in self._samples.batches(epoch):
            size = items.numel() if are_samples is None else int(are_samples.sum())
            loss = self._net.cross_entropy(users, items, are_samples)
            for weight, gradient in zip(weights, torch.autograd.grad(loss, weights), strict=True):
                weight.grad = gradient
            self._optimizer.step()
            total, count = total + float(loss.detach()) * size, count + size
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


Batch = tuple[Tensor, Tensor, Tensor | None]
"""Users [P]; their items [P, 1 + negatives], the positive one first; which of those are samples [P, 1 + negatives], or
None if all are."""


def epochs_per_pass(positives: int, settings: TrainingSettings) -> int:
    """How many epochs see every positive once."""
    return -(-positives * (1 + (settings.negatives or 0)) // EPOCH_SAMPLES)


class TrainingSamples:
    """The positives in an order drawn for each pass, cut into epochs; a long pass takes several epochs."""

    def __init__(self, positives: Interactions, settings: TrainingSettings, seed: int, device: str) -> None:
        require(settings.negatives is not None and settings.batch_size is not None, "complete the settings first")
        self._positives, self._seed, self._device = positives, seed, device
        self._negatives = settings.negatives or 1
        self._pairs_per_step = max(1, (settings.batch_size or 1) // (1 + self._negatives))
        self._epochs_per_pass = epochs_per_pass(len(positives), settings)

    def batches(self, epoch: int) -> Iterator[Batch]:
        """The batches of an epoch, counted from 1."""
        chosen = self._interactions_of(epoch)
        users = self._positives.users[chosen]
        drawn = draw_outside(
            self._positives, np.repeat(users, self._negatives), generator(self._seed, "negatives", epoch)
        )
        items = np.concatenate([self._positives.items[chosen, None], drawn.reshape(-1, self._negatives)], axis=1)
        who, what = torch.from_numpy(users).to(self._device), torch.from_numpy(items).to(self._device)
        everything_counts = items.min() >= 0
        for rows in row_chunks(len(users), self._pairs_per_step):
            # A user who touched everything has no negatives: −1, which is no sample.
            are_samples = None if everything_counts else what[rows] >= 0
            yield who[rows], what[rows] if are_samples is None else what[rows].clamp(min=0), are_samples

    def _interactions_of(self, epoch: int) -> IntVector:
        passes, part = divmod(epoch - 1, self._epochs_per_pass)
        order = generator(self._seed, "order", passes).permutation(len(self._positives))
        return np.array_split(order, self._epochs_per_pass)[part]


def net_seeds(seed: int, nets: int) -> list[int]:
    """The seeds of the nets of one model, derived from the run's seed; those of another run are different ones."""
    return [entropy(seed, "net", number) % 2**63 for number in range(nets)]


def train_several(
    space: AspectSpace,
    positives: Interactions,
    validation: Interactions,
    settings: TrainingSettings,
    seeds: Sequence[int],
    device: str = "cpu",
    progress: EpochProgress = lambda _: None,
    at_once: int | None = None,
    checkpoints: Checkpoints = NOTHING_KEPT,
) -> list[Training]:
    """Train one net per seed, each as ``train`` would; ``at_once`` of them together, by default one per core."""
    examples = TrainingExamples(space, positives, validation)
    nets = [NetTraining(examples, settings, seed, device, checkpoints) for seed in seeds]
    return side_by_side(nets, progress, at_once if device == "cpu" else 1)


def side_by_side(
    trainings: Sequence[NetTraining], progress: EpochProgress, at_once: int | None = None
) -> list[Training]:
    """Bring the trainings to their ends, so many at once; if one fails, the others end with their epoch.

    They take turns by epochs: with more trainings than cores, no core is idle while another has two of them to do.
    """
    for report in (report for one in trainings for report in one.history):
        progress(report)
    workers = max(1, min(at_once or available_cores(), len(trainings)))
    # The number of threads per computation belongs partly to the process: nobody may change it while the pool lives.
    with threads(1), ThreadPoolExecutor(workers, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        running = {pool.submit(one.next_epoch): one for one in trainings if not one.ended}
        try:
            while running:
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    training = running.pop(future)
                    progress(future.result())
                    if not training.ended:
                        running[pool.submit(training.next_epoch)] = training
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return [one.outcome() for one in trainings]


LEARNED = 0.99
"""A net that learned something has at most this share of a constant's loss."""


def constant_loss(negatives: int) -> float:
    """The cross-entropy of the best constant, p = 1/(1 + negatives): −p·ln p − (1 − p)·ln(1 − p)."""
    p = 1 / (1 + negatives)
    return -p * math.log(p) - (1 - p) * math.log(1 - p)


def loss_warning(training: Training) -> str | None:
    """A line if the net's loss is not clearly below a constant's."""
    constant, loss = constant_loss(training.settings.negatives or 1), training.best.loss
    if loss <= LEARNED * constant:
        return None
    return (
        f"the net has hardly learned anything: its loss is {loss:.4f} (epoch {training.best_epoch}), that of a "
        f"constant {constant:.4f}; raise training.learning_rate or training.epochs, or bring more reviews"
    )


def popularity_warning(compared: PairedDifference, cutoff: int, model: str = "the net") -> str | None:
    """A line if the model is below popularity on validation."""
    if compared.difference >= 0:
        return None
    beyond = "beyond" if compared.clearly_below else "within"
    return (
        f"on validation {model} is below popularity: NDCG@{cutoff} {compared.model:.4f} against {compared.other:.4f} "
        f"({compared.difference:+.4f}, 95% interval {compared.low:+.4f} to {compared.high:+.4f}, {beyond} the noise of "
        f"{compared.users:,} users)"
    )
