"""A screen for sets of aspects: a lower bound on the gap of every set of a pair, at a small part of a scoring's cost.

The bound is taken from one set of the pair, its *reference*, for which both layers are known. With the second layer's
weights H, its output weights o (negated where scores must rise), its inputs h and which of its units are active, g, at
the reference, and d, by how much a set's first layer differs from it,

    score(set) = score(reference) + Σ_k o_k·g_k·H_k·d + Σ_k o_k·e_k,   e_k = relu(h_k) − g_k·h_k of the set, ≥ 0.

Only units with o_k < 0 can make the last sum negative, and only those that change sides. If such a unit moves by t_k
towards the other side, |h_k| away at the reference, then for any M > 0, with c_k = max(0, M − |h_k|),

    e_k = relu(t_k − |h_k|) ≤ (t_k + c_k)² / 4M.

The sum of |o_k|·t_k² is |Bᵀd|² for the matrix B of these units, at most σ₂²·|d|² + (σ₁² − σ₂²)·(u·d)², where σ₁ and σ₂
are its two largest singular values and u is the direction of σ₁, which in a trained net lies far above all others. So
a set takes one pass through the first layer and some sums over its units, where a scoring takes the product with H.

A screen never decides that a set flips: it says which sets need not be tried.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from counterec.core.scorers.relu_layers import ReluLayers

SHARES = (0.5, 1.0)
"""M, as shares of the mean |h_k| of the reference; the better of the bounds counts."""

TINY = 1e-12
"""M is at least this, so that a layer without any input does no harm."""


@dataclass(frozen=True)
class Sides:
    """|Bᵀd|² ≤ (d² · rest) + ((d · directions)² · excess), for the units of the second layer that lower the score."""

    directions: Tensor
    """u of each block [m·first, m]."""
    excess: Tensor
    """σ₁² − σ₂² of each block [m]."""
    rest: Tensor
    """σ₂² of the block of each unit of the first layer [m·first]."""

    @classmethod
    @torch.inference_mode()
    def of(cls, layers: ReluLayers, sign: float) -> Sides:
        """Of all blocks, in double precision."""
        directions, excess, rest = [], [], []
        for hidden, output in zip(layers.hidden.double(), sign * layers.output.double(), strict=True):
            falls = torch.cat([(output < 0).nonzero()[:, 0], output.argmin()[None]]).unique()  # at least one unit
            weighted = hidden[:, falls] * output[falls].clamp(max=0).abs().sqrt()
            squares, vectors = torch.linalg.eigh(weighted.t() @ weighted)
            along = weighted @ vectors[:, -1:]
            directions.append(along / along.norm().clamp(min=TINY))
            second = squares[-2:-1].clamp(min=0).sum() * (1 + 1e-6)  # what computing it rounds
            excess.append((squares[-1] * (1 + 1e-6) - second).clamp(min=0))
            rest.append(second.expand(len(hidden)))
        return cls(torch.block_diag(*directions).float(), torch.stack(excess).float(), torch.cat(rest).float())


class SetScreen:
    """The bounds of sets from one reference for each of some pairs, whose first layer it is given [pairs, m·first]."""

    @torch.inference_mode()
    def __init__(self, layers: ReluLayers, sides: Sides, sign: float, reference: Tensor) -> None:
        self._sides, self._reference = sides, reference.relu()
        second = layers.second(self._reference)
        output, active, away = sign * layers.output[:, None], second > 0, second.abs()
        falling = output.clamp(max=0).abs()
        self._score = sign * layers.score(second.relu())
        slope = layers.backward(output * active)
        mean = away.mean(dim=(0, 2)).clamp(min=TINY)
        self._widths = torch.stack([share * mean for share in SHARES], dim=1)
        slopes, least = [], []
        for width in self._widths.unbind(dim=1):
            short = (width[:, None] - away).clamp(min=0)
            towards = torch.where(active, -1.0, 1.0) * falling * short
            slopes.append(slope - layers.backward(towards) / (2 * width[:, None]))
            least.append((falling * short.square()).sum(dim=(0, 2)) / (4 * width))
        self._slopes, self._least = torch.stack(slopes, dim=2), torch.stack(least, dim=1)

    @torch.inference_mode()
    def lowest(self, place: int, first: Tensor) -> Tensor:
        """A lower bound on sign · score of sets of the pair at this place.

        Their first layer's input is given [sets, m·first]; it is overwritten.
        """
        away = first.relu_().sub_(self._reference[place])
        along = away @ torch.cat([self._slopes[place], self._sides.directions], dim=1)
        linear, projected = along[:, : len(SHARES)], along[:, len(SHARES) :]
        curved = away.square_() @ self._sides.rest + projected.square_() @ self._sides.excess
        bounds = linear - curved[:, None] / (4 * self._widths[place]) - self._least[place]
        return self._score[place] + bounds.amax(dim=1)
