"""The paper's recommender: concatenation, 512-256-1, ReLU, a sigmoid at the very end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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
from counterec.core.scorers.protocols import PairBatch, ReluLayers

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


class AspectNet:
    """The net as a scorer. Scores are logits (before the sigmoid), which order items as the probabilities do.

    The first layer acts on the concatenation [X_i, Y_j]. It is computed as W_x·X_i + W_y·Y_j, which is the same sum, so
    that a user's share is computed once for many items.
    """

    aspects_only = True

    def __init__(self, weights: NetWeights, device: str | torch.device = "cpu") -> None:
        self.weights = weights
        self.device = torch.device(device)
        hidden1 = self._tensor(weights.hidden1.weight)
        self.user_weight = hidden1[:, : weights.aspects].t().contiguous()
        self.item_weight = hidden1[:, weights.aspects :].t().contiguous()
        self.hidden1_bias = self._tensor(weights.hidden1.bias)
        self.hidden2_weight = self._tensor(weights.hidden2.weight).t().contiguous()
        self.hidden2_bias = self._tensor(weights.hidden2.bias)
        self.output_weight = self._tensor(weights.output.weight).t().contiguous()
        self.output_bias = self._tensor(weights.output.bias)

    def _tensor(self, array: np.ndarray) -> Tensor:
        return torch.tensor(array, dtype=torch.float32, device=self.device)

    def score(self, pairs: PairBatch) -> FloatVector:
        """Return the logit of each pair."""
        require_shape("item_quality", pairs.item_quality, (len(pairs), self.weights.aspects))
        scores = np.empty(len(pairs), dtype=np.float32)
        with torch.inference_mode():
            for rows in row_chunks(len(pairs), rows_at_once(ROWS_AT_ONCE, self.device)):
                part = pairs.rows(rows)
                logits = self._forward(self._user_share(part.user_attention), self._tensor(part.item_quality))
                scores[rows] = logits.cpu().numpy()
        return scores

    def score_tensor(self, users: Tensor, items: Tensor, user_attention: Tensor, item_quality: Tensor) -> Tensor:
        """Return the logits as a tensor with gradients."""
        del users, items
        return self._forward(user_attention @ self.user_weight, item_quality)

    def unrolled(self, users: IntVector, items: IntVector, user_attention: FloatMatrix) -> ReluLayers:
        """Return the two layers at these pairs."""
        del users, items
        return ReluLayers(
            share=self._user_share(user_attention) + self.hidden1_bias,
            item=self.item_weight,
            hidden=self.hidden2_weight,
            hidden_bias=self.hidden2_bias,
            output=self.output_weight.squeeze(1),
            output_bias=self.output_bias.squeeze(0),
        )

    def _user_share(self, user_attention: FloatMatrix) -> Tensor:
        """W_x·X_i, computed once if all rows share one user's vector."""
        shared = user_attention.strides[0] == 0
        return self._tensor(user_attention[:1] if shared else user_attention) @ self.user_weight

    def _forward(self, user_share: Tensor, item_quality: Tensor) -> Tensor:
        hidden1 = functional.relu(item_quality @ self.item_weight + (user_share + self.hidden1_bias))
        hidden2 = functional.relu(torch.addmm(self.hidden2_bias, hidden1, self.hidden2_weight))
        return torch.addmm(self.output_bias, hidden2, self.output_weight).squeeze(1)


def probabilities(logits: FloatVector) -> FloatVector:
    """The sigmoid at the end of the net: scores in (0, 1), as published."""
    return torch.sigmoid(torch.from_numpy(np.array(logits, dtype=np.float32))).numpy()
