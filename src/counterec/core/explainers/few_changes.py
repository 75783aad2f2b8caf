"""The gaps of a few changes through two ReLU layers, by NumPy.

A search asks about one or two changes again and again. Each operation of PyTorch takes some microseconds to be called
at all, many times what it takes to add two such rows. So everything but a large product is done on the same memory by
NumPy, whose operations are called faster.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import FloatMatrix, FloatVector, IntMatrix, IntVector
from counterec.core.scorers.relu_layers import ReluLayers

FEW = 32
"""So many changes are few."""
SMALL = 8192
"""A matrix of so many entries is multiplied by NumPy: its product is over sooner than PyTorch has been called, and too
small for any library to start threads for it."""


class FewChanges:
    """Moves the first layer of unchanged pairs, ``first`` [pairs, m·first], and takes it through the others."""

    def __init__(self, layers: ReluLayers, first: Tensor, goal: Tensor, sign: float) -> None:
        self._layers, self._sign = layers, sign
        parts = (first, goal, layers.item, layers.hidden, layers.hidden_bias[:, None], layers.output[:, :, None])
        self._first, self._goal, self._item, self._hidden, self._bias, self._output = map(_shared, parts)
        self._output_bias = float(layers.output_bias)
        self._small = self._hidden[0].size <= SMALL

    def gaps(self, rows: IntVector, aspects: IntMatrix, change: FloatMatrix) -> FloatVector:
        """The gap of each change; row i is a change of pair ``rows[i]``."""
        first = self._first[rows]
        for column in range(aspects.shape[1]):
            first += self._item[aspects[:, column]] * change[:, column, None]
        # Some BLAS kernels multiply what lies beside a short row, too, and throw it away: the product is right, but the
        # processor's flag for an invalid operation stays set, which NumPy would warn of.
        with np.errstate(invalid="ignore"):
            second = self._second(np.maximum(first, 0, out=first))
            scores = (np.maximum(second, 0, out=second) @ self._output).sum(axis=0)[:, 0]
        return np.asarray(self._sign * (scores + self._output_bias) - self._goal[rows], dtype=np.float32)

    def _second(self, first: FloatMatrix) -> FloatMatrix:
        """The second layer's input [m, rows, second], from the first layer's output."""
        if not self._small:
            return _shared(self._layers.second(torch.from_numpy(first)))
        blocks = first.reshape(len(first), *self._hidden.shape[:2]).transpose(1, 0, 2)
        return blocks @ self._hidden + self._bias


def _shared(tensor: Tensor) -> FloatMatrix:
    """The numbers of a tensor as an array, on the same memory."""
    return np.asarray(tensor.detach().numpy())
