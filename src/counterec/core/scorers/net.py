"""The paper's recommender: concatenation, two hidden layers, ReLU, a sigmoid at the very end; and the mean of a few."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from counterec.core.arrays import (
    FloatMatrix,
    FloatVector,
    IntVector,
    freeze,
    require,
    require_finite,
    require_shape,
    row_chunks,
)
from counterec.core.compute_limits import rows_at_once
from counterec.core.scorers.base import PairBatch
from counterec.core.scorers.relu_layers import ReluLayers

ROWS_AT_ONCE = 2048
"""Rows scored in one forward pass: few enough that the hidden layers stay in the processor's cache."""


@dataclass(frozen=True)
class Dense:
    """One fully connected layer: output = weight · input + bias."""

    weight: FloatMatrix
    bias: FloatVector

    def __post_init__(self) -> None:
        freeze(self, weight=np.float32, bias=np.float32)
        require(self.weight.ndim == 2, f"the weight of a layer must be a matrix, not of shape {self.weight.shape}")
        require_shape("bias", self.bias, (self.weight.shape[0],))
        require_finite("weight", self.weight)
        require_finite("bias", self.bias)


@dataclass(frozen=True)
class NetWeights:
    """The learned numbers of the net, which ``AspectNet`` scores with."""

    hidden1: Dense
    hidden2: Dense
    output: Dense

    def __post_init__(self) -> None:
        require(self.hidden1.weight.shape[1] % 2 == 0, "hidden1 must take two vectors of equal length")
        require(self.hidden2.weight.shape[1] == len(self.hidden1.bias), "hidden2 does not fit hidden1")
        require(self.output.weight.shape == (1, len(self.hidden2.bias)), "output does not fit hidden2")

    @property
    def aspects(self) -> int:
        """The number of aspects the net was trained on."""
        return self.hidden1.weight.shape[1] // 2

    def named(self) -> dict[str, np.ndarray]:
        """The arrays by the names they have on disk."""
        return {
            f"{layer}.{part}": getattr(getattr(self, layer), part)
            for layer in ("hidden1", "hidden2", "output")
            for part in ("weight", "bias")
        }

    @classmethod
    def from_named(cls, arrays: Mapping[str, np.ndarray]) -> NetWeights:
        """The inverse of ``named``."""
        names = [f"{layer}.{part}" for layer in ("hidden1", "hidden2", "output") for part in ("weight", "bias")]
        require(set(arrays) == set(names), f"a net has the arrays {', '.join(names)}; got {', '.join(arrays)}")
        return cls(
            *(Dense(arrays[f"{layer}.weight"], arrays[f"{layer}.bias"]) for layer in ("hidden1", "hidden2", "output"))
        )


class StackedNets:
    """One net or several of one shape, side by side, as a scorer: the mean of their logits.

    A logit is the score before the sigmoid, and orders items as probabilities do. The first layer acts on the
    concatenation [X_i, Y_j]. It is computed as W_x·X_i + W_y·Y_j, which is the same sum, so that a user's share is
    computed once for many items.
    """

    aspects_only = True

    def __init__(self, nets: Sequence[NetWeights], device: str | torch.device = "cpu") -> None:
        require(len(nets) > 0, "a mean of no nets: give at least one")
        shapes = {tuple(array.shape for array in net.named().values()) for net in nets}
        require(len(shapes) == 1, f"nets of {len(shapes)} shapes cannot be averaged: train them with the same settings")
        self.aspects = nets[0].aspects
        self.device = torch.device(device)
        hidden1 = self._tensor(np.concatenate([net.hidden1.weight for net in nets]))
        self._user_weight = hidden1[:, : self.aspects].t().contiguous()
        self._bias = self._tensor(np.concatenate([net.hidden1.bias for net in nets]))
        self._layers = ReluLayers(
            share=self._bias[None],
            item=hidden1[:, self.aspects :].t().contiguous(),
            hidden=self._tensor(np.stack([net.hidden2.weight.T for net in nets])),
            hidden_bias=self._tensor(np.stack([net.hidden2.bias for net in nets])),
            output=self._tensor(np.stack([net.output.weight[0] for net in nets])) / len(nets),
            output_bias=self._tensor(np.stack([net.output.bias[0] for net in nets])).mean(),
        )

    def _tensor(self, array: np.ndarray) -> Tensor:
        return torch.tensor(np.ascontiguousarray(array), dtype=torch.float32, device=self.device)

    def score(self, pairs: PairBatch) -> FloatVector:
        """Return the mean logit of each pair."""
        require_shape("item_quality", pairs.item_quality, (len(pairs), self.aspects))
        scores = np.empty(len(pairs), dtype=np.float32)
        with torch.inference_mode():
            for rows in row_chunks(len(pairs), rows_at_once(ROWS_AT_ONCE, self.device)):
                part = pairs.rows(rows)
                logits = self._forward(self._user_share(part.user_attention), self._tensor(part.item_quality))
                scores[rows] = logits.cpu().numpy()
        return scores

    def score_tensor(self, users: Tensor, items: Tensor, user_attention: Tensor, item_quality: Tensor) -> Tensor:
        """Return the mean logits as a tensor with gradients."""
        del users, items
        return self._forward(user_attention @ self._user_weight, item_quality)

    def unrolled(self, users: IntVector, items: IntVector, user_attention: FloatMatrix) -> ReluLayers:
        """Return the layers at these pairs."""
        del users, items
        return replace(self._layers, share=self._user_share(user_attention) + self._bias)

    def _user_share(self, user_attention: FloatMatrix) -> Tensor:
        """W_x·X_i, computed once if all rows share one user's vector."""
        shared = user_attention.strides[0] == 0
        return self._tensor(user_attention[:1] if shared else user_attention) @ self._user_weight

    def _forward(self, user_share: Tensor, item_quality: Tensor) -> Tensor:
        layers = self._layers
        first = functional.relu(item_quality @ layers.item + (user_share + self._bias))
        return layers.score(functional.relu(layers.second(first)))


class AspectNet(StackedNets):
    """One net as a scorer."""

    def __init__(self, weights: NetWeights, device: str | torch.device = "cpu") -> None:
        super().__init__([weights], device)
        self.weights = weights


def probabilities(logits: FloatVector) -> FloatVector:
    """The sigmoid at the end of the net: scores in (0, 1), as published."""
    return torch.sigmoid(torch.from_numpy(np.array(logits, dtype=np.float32))).numpy()


class NetEnsemble(StackedNets):
    """The mean of n nets as a scorer: s = (s_1 + … + s_n) / n, with their layers multiplied as blocks."""

    def __init__(self, nets: Sequence[NetWeights], device: str | torch.device = "cpu") -> None:
        super().__init__(nets, device)
        self.nets = tuple(nets)

    @cached_property
    def members(self) -> tuple[AspectNet, ...]:
        """The nets as scorers of their own."""
        return tuple(AspectNet(net, self.device) for net in self.nets)
