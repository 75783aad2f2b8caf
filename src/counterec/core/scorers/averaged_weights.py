"""The mean of a net's weights over its last epochs.

At the end of an epoch a net sits somewhere around the place that it is drawn to, by chance on one side or another. The
mean of a few ends of epochs lies nearer to that place: lists are better, and two trainings are more alike.
"""

from __future__ import annotations

from collections import deque

import torch
from torch import Tensor

from counterec.core.scorers.net_in_training import NetInTraining


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
