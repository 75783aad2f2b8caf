"""The net while it is trained: the same layers as ``AspectNet``, with gradients."""

from __future__ import annotations

import math
from copy import deepcopy

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.scorers.catalogue_validation import ScoreBlock
from counterec.core.scorers.net import Dense, NetWeights
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

    def user_share(self, users: Tensor) -> Tensor:
        """W_x·X_i + b of each user."""
        return functional.linear(self.attention[users], self.hidden1.weight[:, : self._aspects], self.hidden1.bias)

    def item_share(self, items: Tensor) -> Tensor:
        """W_y·Y_j of each item."""
        return functional.linear(self.quality[items], self.hidden1.weight[:, self._aspects :])

    def above(self, shares: Tensor) -> Tensor:
        """The logits from the sums of both shares."""
        hidden = torch.relu_(shares).flatten(0, -2)
        return self.output(torch.relu_(self.hidden2(hidden))).view(shares.shape[:-1])

    def forward(self, users: Tensor, items: Tensor) -> Tensor:
        """The logits of users [P] with the items of each [P, n]."""
        share = self.item_share(items.flatten()).view(*items.shape, -1)
        return self.above(share + self.user_share(users)[:, None, :])

    @torch.inference_mode()
    def score_block(self) -> ScoreBlock:
        """The scores of the net as it is now; the first layer is computed once for everybody."""
        device = self.hidden1.weight.device
        everybody, everything = (torch.arange(len(table), device=device) for table in (self.attention, self.quality))
        of_users, of_items = self.user_share(everybody), self.item_share(everything)

        @torch.inference_mode()
        def score(users: IntVector, items: IntVector) -> FloatMatrix:
            u, i = torch.from_numpy(users).to(device), torch.from_numpy(items).to(device)
            scores: FloatMatrix = self.above(of_users[u][:, None, :] + of_items[i]).cpu().numpy()
            return scores

        return score

    def weights(self) -> NetWeights:
        """A copy of the weights."""

        def dense(layer: nn.Linear) -> Dense:
            return Dense(*(np.array(part.detach().cpu().numpy()) for part in (layer.weight, layer.bias)))

        return NetWeights(dense(self.hidden1), dense(self.hidden2), dense(self.output))
