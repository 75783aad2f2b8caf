"""The nets of A2CF, which complete a matrix of observed attention or quality for every aspect."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from counterec.core.arrays import FloatMatrix
from counterec.core.scorers.net_in_training import linear


class MatrixCompletion(nn.Module):
    """Completes one matrix M: v = Σ_k M_k·a_k / (N·√n) over the n observed entries of a row; v ← v + relu(W·v + b),
    layer by layer; entry k = 1 + (N−1)·sigmoid(a_k·v + c_k), on the scale of Eq. 1, so that nothing needs clipping.

    The aspect embeddings a are passed in: users and items share them, so that aspects connect the two.
    """

    def __init__(
        self, observed: FloatMatrix, aspects: nn.Parameter, layers: int, ceiling: float, random: torch.Generator
    ) -> None:
        super().__init__()
        width = aspects.shape[1]
        self._aspects, self._ceiling = aspects, ceiling
        self._observed = torch.tensor(observed)
        self._layers = nn.ModuleList(linear(width, width, random) for _ in range(layers))
        self._bias = nn.Parameter(torch.zeros(len(aspects)))

    def observed(self, rows: Tensor) -> Tensor:
        """Return the observed rows; 0 marks a missing entry."""
        return self._observed[rows]

    def forward(self, rows: Tensor) -> Tensor:
        """Return the completed rows of these numbers [rows, aspects]."""
        observed = self.observed(rows)
        count = (observed != 0).sum(dim=1, keepdim=True).clamp(min=1)
        vectors = observed @ self._aspects / (self._ceiling * count.sqrt())
        for layer in self._layers:
            vectors = vectors + torch.relu(layer(vectors))
        return 1 + (self._ceiling - 1) * torch.sigmoid(vectors @ self._aspects.T + self._bias)


def starting_embeddings(rows: int, width: int, random: torch.Generator) -> Tensor:
    """Draw embeddings of about unit length."""
    return torch.randn(rows, width, generator=random) / math.sqrt(width)
