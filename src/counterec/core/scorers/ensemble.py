"""The mean of the logits of a few nets, which were trained alike from different seeds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import torch

from counterec.core.scorers.net import AspectNet, NetWeights, StackedNets


class NetEnsemble(StackedNets):
    """The mean of n nets as a scorer: s = (s_1 + … + s_n) / n, with their layers multiplied as blocks."""

    def __init__(self, nets: Sequence[NetWeights], device: str | torch.device = "cpu") -> None:
        super().__init__(nets, device)
        self.nets = tuple(nets)

    @cached_property
    def members(self) -> tuple[AspectNet, ...]:
        """The nets as scorers of their own."""
        return tuple(AspectNet(net, self.device) for net in self.nets)
