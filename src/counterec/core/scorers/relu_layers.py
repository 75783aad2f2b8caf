"""The layers of one net, or of the mean of several, and all arithmetic through them.

Averaged nets of one shape lie side by side. Their first layers are stacked to one wide layer. Their second layers are
*blocks*: each takes the part of the first layer that is its own, and all are multiplied in one batched product. One
dense layer with the blocks on its diagonal would give the same sums, and multiply zeros most of the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import torch
from torch import Tensor


@dataclass(frozen=True)
class ReluLayers:
    """m blocks of two ReLU layers at some pairs: s = c + Σ_b o_b · relu(H_b · relu(share_b + W_b·y) + bias_b).

    ``share`` [pairs, m·first] is what a pair adds to the first layer besides the item's qualities. The others are the
    same for all pairs. A plain net is one block. In the mean of m nets, each o_b is divided by m, and c is the mean.
    Below, *first* is [rows, m·first], and *second* [m, rows, second].
    """

    share: Tensor
    item: Tensor
    """W [aspects, m·first]."""
    hidden: Tensor
    """H [m, first, second]."""
    hidden_bias: Tensor
    """[m, second]."""
    output: Tensor
    """o [m, second]."""
    output_bias: Tensor
    """c, a number."""

    @property
    def blocks(self) -> int:
        """How many nets lie side by side."""
        return self.hidden.shape[0]

    def blocks_of(self, first: Tensor) -> Tensor:
        """The first layer cut into blocks [m, rows, first]; nothing is copied."""
        return first.view(first.shape[0], self.blocks, self.hidden.shape[1]).transpose(0, 1)

    def side_by_side(self, blocks: Tensor) -> Tensor:
        """The inverse: [m, rows, units] as [rows, m·units]."""
        return blocks[0] if self.blocks == 1 else blocks.transpose(0, 1).flatten(1)

    def second_room(self, rows: int) -> Tensor:
        """Room for the second layer of at most this many rows: allocating it for each product costs as much."""
        return self.hidden.new_empty(rows * self.hidden_bias.numel())

    def second(self, first: Tensor, room: Tensor | None = None) -> Tensor:
        """The second layer's input, from the first layer's output; in this room, if one is given."""
        shape = self.blocks, first.shape[0], self.hidden.shape[2]
        out = None if room is None else room[: prod(shape)].view(shape)
        if self.blocks > 1:
            return torch.baddbmm(self.hidden_bias[:, None], self.blocks_of(first), self.hidden, out=out)
        if out is None:
            return torch.addmm(self.hidden_bias[0], first, self.hidden[0])[None]
        torch.addmm(self.hidden_bias[0], first, self.hidden[0], out=out[0])
        return out

    def through(self, first: Tensor) -> Tensor:
        """H · first without the bias: how the second layer's input changes with the first layer's output."""
        return torch.bmm(self.blocks_of(first), self.hidden) if self.blocks > 1 else (first @ self.hidden[0])[None]

    def score(self, second: Tensor) -> Tensor:
        """The score [rows], from the second layer's output."""
        if self.blocks > 1:
            return torch.bmm(second, self.output[:, :, None]).sum(dim=0).squeeze(1) + self.output_bias
        return torch.addmm(self.output_bias, second[0], self.output[0][:, None]).squeeze(1)

    def slope(self, first: Tensor, second: Tensor) -> Tensor:
        """How the score changes with the first layer's input [rows, m·first], at these inputs of the two layers."""
        return self.backward((second > 0) * self.output[:, None]) * (first > 0)

    def backward(self, second: Tensor) -> Tensor:
        """Hᵀ · second [rows, m·first]: what weights of the second layer's inputs make of the first layer's outputs."""
        if self.blocks > 1:
            return self.side_by_side(torch.bmm(second, self.hidden.transpose(1, 2)))
        return second[0] @ self.hidden[0].t()

    def steepest(self) -> Tensor:
        """Per aspect the most that the score can change with it, Σ_b |o_b|·|H_b|·|W_b|."""
        return self.item.abs() @ torch.bmm(self.hidden.abs(), self.output.abs()[:, :, None]).flatten()

    def lowest_score(self, first_low: Tensor, first_high: Tensor, sign: float) -> Tensor:
        """A lower bound on sign · score, if every input of the first layer lies between these two.

        Interval arithmetic: bounds on every unit of the first layer give bounds on every unit of the second.
        """
        up, down = self.hidden.clamp(min=0), self.hidden.clamp(max=0)
        low, high = self.blocks_of(first_low.relu()), self.blocks_of(first_high.relu())
        second_low = (low @ up + high @ down + self.hidden_bias[:, None]).relu()
        second_high = (high @ up + low @ down + self.hidden_bias[:, None]).relu()
        output = sign * self.output[:, :, None]
        score = (second_low @ output.clamp(min=0) + second_high @ output.clamp(max=0)).sum(dim=0).squeeze(1)
        return score + sign * self.output_bias

    def doubled(self) -> ReluLayers:
        """The same in double precision."""
        names = ("share", "item", "hidden", "hidden_bias", "output", "output_bias")
        return ReluLayers(*(getattr(self, name).double() for name in names))
