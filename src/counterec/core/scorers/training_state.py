"""The weights of an unfinished training, of its optimiser and of its last epochs, as named arrays and back."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor

from counterec.core.scorers.averaged_weights import AveragedNet
from counterec.core.scorers.net_in_training import NetInTraining

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
