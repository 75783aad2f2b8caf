"""Gradient × value: ∂s/∂Y_k · (Y_k − absent_k), what an aspect is worth if the score is linear in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector, row_chunks
from counterec.core.attribution.present_aspects import ROWS_AT_ONCE, present
from counterec.core.compute_limits import rows_at_once
from counterec.core.scorers.base import (
    DifferentiableScorer,
    PairBatch,
    Scorer,
    aspect_part_of,
    scores_of,
    tensor_scores_of,
)
from counterec.core.space import AspectSpace

STEP = 0.01
"""Step of a finite difference to either side, as a share of the aspect's scale: well above the rounding of float32."""


@dataclass(frozen=True)
class Gradient:
    """By the scorer's own gradient if it has one, else by finite differences of its scores.

    A scorer that is a step function, such as a forest, is flat almost everywhere: most differences are 0.
    """

    name = "gradient"

    def weights(self, scorer: Scorer, space: AspectSpace, users: IntVector, items: IntVector, seed: int) -> FloatMatrix:
        """Return ∂s/∂Y_k · (Y_k − absent_k) of the aspects that the item has; nothing is random."""
        del seed
        scorer = aspect_part_of(scorer)  # an offset has no slope
        pairs = PairBatch.of(space, users, items)
        if isinstance(scorer, DifferentiableScorer):
            slopes = _gradients(scorer, pairs)
        else:
            slopes = _differences(scorer, space, pairs)
        return np.where(present(space, items), slopes * (pairs.item_quality - space.without), -np.inf)


def _gradients(scorer: DifferentiableScorer, pairs: PairBatch) -> FloatMatrix:
    """∂s/∂Y of every pair."""
    device = getattr(scorer, "device", torch.device("cpu"))

    def tensor(array: np.ndarray) -> Tensor:
        return torch.tensor(array, device=device)

    slopes = np.empty(pairs.item_quality.shape, dtype=np.float32)
    for chunk in row_chunks(len(pairs), rows_at_once(ROWS_AT_ONCE, device)):
        part = pairs.rows(chunk)
        quality = tensor(part.item_quality).requires_grad_()
        numbers = tensor(part.users), tensor(part.items)
        score = tensor_scores_of(scorer, *numbers, tensor(part.user_attention), quality)
        slopes[chunk] = torch.autograd.grad(score.sum(), quality)[0].cpu().numpy()
    return slopes


def _differences(scorer: Scorer, space: AspectSpace, pairs: PairBatch) -> FloatMatrix:
    """The same by central differences, for the aspects that the items have; 0 for the others."""
    slopes = np.zeros(pairs.item_quality.shape, dtype=np.float32)
    rows, aspects = np.nonzero(present(space, pairs.items))
    for chunk in row_chunks(len(rows), ROWS_AT_ONCE // 2):
        row, aspect = rows[chunk], aspects[chunk]
        below, above = _ends(space, aspect, pairs.item_quality[row, aspect])
        quality = pairs.item_quality[np.concatenate([row, row])]
        quality[np.arange(len(quality)), np.concatenate([aspect, aspect])] = np.concatenate([below, above])
        score = scores_of(scorer, pairs.rows(np.concatenate([row, row])).with_quality(quality))
        rise, width = score[len(row) :] - score[: len(row)], above - below
        slopes[row, aspect] = np.divide(rise, width, out=np.zeros_like(rise), where=width != 0)
    return slopes


def _ends(space: AspectSpace, aspects: IntVector, quality: FloatVector) -> tuple[FloatVector, FloatVector]:
    """The two values of a difference: a step to either side, within the scale.

    A category has no neighbouring values: it is present or absent.
    """
    scale, step = space.scale, STEP * space.scale.span[aspects]
    below = np.maximum(quality - step, scale.low[aspects])
    above = np.minimum(quality + step, scale.high[aspects])
    category = scale.is_category[aspects]
    return np.where(category, space.without[aspects], below), np.where(category, quality, above)
