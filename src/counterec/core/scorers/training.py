"""Training the net: cross-entropy (Eq. 5), two negatives per positive, plain SGD, early stopping on validation."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from counterec.core.arrays import require
from counterec.core.interactions import Interactions, draw_outside
from counterec.core.scorers.net import Dense, NetWeights
from counterec.core.scorers.training_settings import TrainingSettings
from counterec.core.scorers.validation import ScoreTables, Validation
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
    """The outcome of training: the weights that were kept, and the history."""

    weights: NetWeights
    history: tuple[EpochReport, ...]
    best_epoch: int


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
    """Train the net on the positives; if there is a validation part, keep the weights of its best epoch."""
    require(len(positives) > 0, "there is no training interaction: keep more reviews")
    net = _Net(2 * len(space.aspects), settings.hidden, seed).to(device)
    samples = _Samples(space, positives, settings, seed, device)
    check = _validation(positives, validation, settings, seed, device) if len(validation) else None
    optimizer = _optimizer(net, settings)
    history: list[EpochReport] = []
    best, best_epoch, best_weights = -math.inf, 0, net.weights()
    for epoch in range(1, settings.epochs + 1):
        loss = _run_epoch(net, optimizer, samples, epoch)
        advice = f"lower learning_rate {settings.learning_rate:g}"
        require(math.isfinite(loss), f"training diverged in epoch {epoch} (the loss is {loss}); {advice}")
        ndcg = check.ndcg(samples.scored_by(net)) if check else None
        history.append(EpochReport(epoch, loss, ndcg))
        progress(history[-1])
        if ndcg is None or ndcg > best:
            best, best_epoch, best_weights = ndcg or -math.inf, epoch, net.weights()
        elif epoch - best_epoch >= settings.patience:
            break
    return Training(best_weights, tuple(history), best_epoch)


def linear(inputs: int, outputs: int, random: torch.Generator) -> nn.Linear:
    """A layer initialised as PyTorch does it, but from this generator, not from the global one."""
    layer = nn.utils.skip_init(nn.Linear, inputs, outputs)
    bound = 1 / math.sqrt(inputs)
    with torch.no_grad():
        layer.weight.uniform_(-bound, bound, generator=random)
        layer.bias.uniform_(-bound, bound, generator=random)
    return layer


class _Net(nn.Module):
    """The net in training."""

    def __init__(self, inputs: int, hidden: tuple[int, int], seed: int) -> None:
        super().__init__()
        random = torch.Generator().manual_seed(entropy(seed, "initial weights") % 2**63)
        self.hidden1 = linear(inputs, hidden[0], random)
        self.hidden2 = linear(hidden[0], hidden[1], random)
        self.output = linear(hidden[1], 1, random)

    def forward(self, vectors: Tensor) -> Tensor:
        hidden = torch.relu(self.hidden1(vectors))
        return self.output(torch.relu(self.hidden2(hidden))).squeeze(-1)

    def weights(self) -> NetWeights:
        def dense(layer: nn.Linear) -> Dense:
            weight, bias = layer.weight.detach().cpu().numpy(), layer.bias.detach().cpu().numpy()
            return Dense(copy.deepcopy(weight), copy.deepcopy(bias))

        return NetWeights(dense(self.hidden1), dense(self.hidden2), dense(self.output))


def _validation(
    positives: Interactions, validation: Interactions, settings: TrainingSettings, seed: int, device: str
) -> Validation:
    users, negatives = settings.validation_users, settings.validation_negatives
    return Validation(positives, validation, seed, users, negatives, device)


def _optimizer(net: nn.Module, settings: TrainingSettings) -> torch.optim.Optimizer:
    kind = torch.optim.SGD if settings.optimizer == "sgd" else torch.optim.Adam
    return kind(net.parameters(), lr=settings.learning_rate)


class _Samples:
    """The samples of an epoch: every positive and freshly drawn negatives, shuffled, as tensors."""

    def __init__(
        self, space: AspectSpace, positives: Interactions, settings: TrainingSettings, seed: int, device: str
    ) -> None:
        self._positives, self._settings, self._seed, self._device = positives, settings, seed, device
        self._attention = torch.tensor(space.user_attention, device=device)
        self._quality = torch.tensor(space.item_quality, device=device)

    def batches(self, epoch: int) -> Iterator[tuple[Tensor, Tensor]]:
        """Batches of (concatenated vectors, label); the vectors are looked up batch by batch."""
        random = generator(self._seed, "negatives", epoch)
        users = np.tile(self._positives.users, 1 + self._settings.negatives)
        drawn = draw_outside(self._positives, users[len(self._positives) :], random)
        items = np.concatenate([self._positives.items, drawn])
        labels = np.arange(len(users)) < len(self._positives)
        order = random.permutation(np.flatnonzero(items >= 0))
        parts = torch.from_numpy(np.stack([users[order], items[order], labels[order]])).to(self._device)
        for part in parts.split(self._settings.batch_size, dim=1):
            u, i, y = part.unbind()
            yield torch.cat([self._attention[u], self._quality[i]], dim=1), y.float()

    def scored_by(self, net: nn.Module) -> ScoreTables:
        """The net's scores of users and items, given by their numbers."""

        def score(users: Tensor, items: Tensor) -> Tensor:
            attention = self._attention[users][:, None, :].expand(-1, items.shape[1], -1)
            return net(torch.cat([attention, self._quality[items]], dim=2))

        return score


def _run_epoch(net: _Net, optimizer: torch.optim.Optimizer, samples: _Samples, epoch: int) -> float:
    """One pass over the samples; returns the mean cross-entropy (Eq. 5, on logits)."""
    total, count = torch.zeros(()), 0
    for vectors, labels in samples.batches(epoch):
        loss = nn.functional.binary_cross_entropy_with_logits(net(vectors), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach().cpu() * len(labels)
        count += len(labels)
    return float(total / count)
