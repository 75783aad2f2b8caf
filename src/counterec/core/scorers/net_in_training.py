"""The net while it is trained: layers whose weights move, their mean over the last epochs, and their state as arrays.

At the end of an epoch a net is near the place that it is drawn to, by chance on one side or another. The mean of a few
ends of epochs is nearer to that place: lists are better, and two trainings are more alike.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from copy import deepcopy

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.scorers.net import Dense, NetWeights
from counterec.core.scorers.validation import ScoreBlock
from counterec.core.space import AspectSpace
from counterec.randomness import entropy


def linear(inputs: int, outputs: int, random: torch.Generator) -> nn.Linear:
    """A layer initialised as PyTorch does it, but from this generator, not from the global one."""
    layer = nn.utils.skip_init(nn.Linear, inputs, outputs)
    bound = 1 / math.sqrt(inputs)
    with torch.no_grad():
        layer.weight.uniform_(-bound, bound, generator=random)
        layer.bias.uniform_(-bound, bound, generator=random)
    return layer


class NetInTraining(nn.Module):
    """The net over the vectors of one aspect space.

    The first layer acts on the concatenation [X_i, Y_j]. It is computed as W_x·X_i + W_y·Y_j, so that the share of a
    user is computed once for all items that it meets.
    """

    attention: Tensor
    quality: Tensor

    def __init__(self, space: AspectSpace, hidden: tuple[int, int], seed: int) -> None:
        super().__init__()
        random = torch.Generator().manual_seed(entropy(seed, "initial weights") % 2**63)
        self._aspects = len(space.aspects)
        self.hidden1 = linear(2 * self._aspects, hidden[0], random)
        self.hidden2 = linear(hidden[0], hidden[1], random)
        self.output = linear(hidden[1], 1, random)
        self.register_buffer("attention", torch.tensor(space.user_attention))
        self.register_buffer("quality", torch.tensor(space.item_quality))

    def twin(self) -> NetInTraining:
        """A net with weights of its own over the same vectors."""
        return deepcopy(self, {id(table): table for table in (self.attention, self.quality)})

    def first_weights(self) -> tuple[Tensor, Tensor]:
        """W_x and W_y [first, aspects] of the first layer."""
        return self.hidden1.weight[:, : self._aspects], self.hidden1.weight[:, self._aspects :]

    def cross_entropy(self, users: Tensor, items: Tensor, are_samples: Tensor | None) -> Tensor:
        """The mean of −log σ(s) over the positives and of −log(1 − σ(s)) over the negatives (Eq. 5).

        Each of the users [P] meets its own items [P, n], the positive one first. ``are_samples`` [P, n] flags the pairs
        that count; None if all do.
        """
        of_user, of_item = self.first_weights()
        share = torch.addmm(self.hidden1.bias, self.attention.index_select(0, users), of_user.t())
        of_items = self.quality.index_select(0, items.flatten()) @ of_item.t()
        first = torch.relu(of_items.view(*items.shape, -1) + share[:, None]).flatten(0, 1)
        logits = self.output(torch.relu(self.hidden2(first))).view(items.shape)
        labels = torch.zeros_like(logits)
        labels[:, 0] = 1
        if are_samples is not None:
            logits, labels = logits[are_samples], labels[are_samples]
        return functional.binary_cross_entropy_with_logits(logits, labels)

    @torch.inference_mode()
    def score_block(self) -> ScoreBlock:
        """The scores of the net as it is now; the first layer is computed once for everybody."""
        device = self.hidden1.weight.device
        of_user, of_item = self.first_weights()
        of_users = functional.linear(self.attention, of_user, self.hidden1.bias)
        of_items = functional.linear(self.quality, of_item)

        @torch.inference_mode()
        def score(users: IntVector, items: IntVector) -> FloatMatrix:
            u, i = torch.from_numpy(users).to(device), torch.from_numpy(items).to(device)
            first = torch.relu_(of_users[u][:, None, :] + of_items[i]).flatten(0, 1)
            logits = self.output(torch.relu_(self.hidden2(first)))
            scores: FloatMatrix = logits.view(len(users), len(items)).cpu().numpy()
            return scores

        return score

    def weights(self) -> NetWeights:
        """A copy of the weights."""

        def dense(layer: nn.Linear) -> Dense:
            return Dense(*(np.array(part.detach().cpu().numpy()) for part in (layer.weight, layer.bias)))

        return NetWeights(dense(self.hidden1), dense(self.hidden2), dense(self.output))


class AveragedNet:
    """A net whose weights are the mean of another's at the end of each of its last epochs: θ̄ = Σ θ_e / n."""

    def __init__(self, net: NetInTraining, epochs: int) -> None:
        self._net, self._averaged = net, net.twin()
        self._last: deque[dict[str, Tensor]] = deque(maxlen=epochs)

    @torch.no_grad()
    def after_epoch(self) -> NetInTraining:
        """The mean over the last epochs, or over all so far while they are fewer."""
        if self._last.maxlen == 1:
            return self._net
        self._last.append({name: weight.detach().clone() for name, weight in self._net.named_parameters()})
        for name, mean in self._averaged.named_parameters():
            mean.copy_(torch.stack([weights[name] for weights in self._last]).mean(dim=0))
        return self._averaged

    def last(self) -> list[dict[str, Tensor]]:
        """The weights that the mean is over, the oldest first."""
        return list(self._last)

    def go_on_from(self, last: list[dict[str, Tensor]]) -> None:
        """Take over what ``last`` gave."""
        self._last.clear()
        self._last.extend(last)


NET, OPTIMIZER, LAST = "net.", "optimizer.", "last."
"""How names begin: ``net.hidden1.weight``, ``optimizer.exp_avg.hidden1.weight``, ``last.0.hidden1.weight``."""


def state_arrays(net: NetInTraining, optimizer: torch.optim.Optimizer, averaged: AveragedNet) -> dict[str, np.ndarray]:
    """Everything that the next epochs depend on, besides settings, seed and data."""
    tensors: dict[str, Tensor] = {NET + name: weight for name, weight in net.named_parameters()}
    for name, weight in net.named_parameters():
        for kind, value in optimizer.state[weight].items():
            if isinstance(value, Tensor):
                tensors[f"{OPTIMIZER}{kind}.{name}"] = value
    for number, weights in enumerate(averaged.last()):
        tensors |= {f"{LAST}{number}.{name}": weight for name, weight in weights.items()}
    return {name: tensor.detach().cpu().numpy() for name, tensor in tensors.items()}


@torch.no_grad()
def restore_state(
    arrays: Mapping[str, np.ndarray], net: NetInTraining, optimizer: torch.optim.Optimizer, averaged: AveragedNet
) -> None:
    """The inverse, into objects that were made from the same settings."""
    for name, weight in net.named_parameters():
        weight.copy_(torch.tensor(arrays[NET + name]))
        own = [key for key in arrays if key.startswith(OPTIMIZER) and key.endswith(f".{name}")]
        kinds = {key.removeprefix(OPTIMIZER).removesuffix(f".{name}"): key for key in own}
        optimizer.state[weight] = {kind: _like(arrays[key], weight) for kind, key in kinds.items()}
    numbers = sorted({int(name.split(".")[1]) for name in arrays if name.startswith(LAST)})
    averaged.go_on_from(
        [
            {name: _like(arrays[f"{LAST}{number}.{name}"], weight) for name, weight in net.named_parameters()}
            for number in numbers
        ]
    )


def _like(array: np.ndarray, weight: Tensor) -> Tensor:
    """A tensor of its own, on the device of the weight."""
    return torch.tensor(array, device=weight.device)
