"""A bound on the score over the whole box of allowed changes, which can prove that none of them flips.

Interval arithmetic through the two ReLU layers: the bounds of the aspects give bounds on every unit of the first layer,
these give bounds on every unit of the second, and these on the score. The bound is loose: it proves some misses and
not others. That removing everything does not flip would prove nothing, since a net need not be monotone.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import BoolVector
from counterec.core.explainers.offset_targets import for_aspect_part
from counterec.core.explainers.probe import goal_of, sign_of
from counterec.core.explainers.question import Question
from counterec.core.explainers.tolerances import BOUND_ROUNDING
from counterec.core.scorers.base import Scorer, aspect_part_of, has_layers
from counterec.core.scorers.relu_layers import ReluLayers


def cannot_cross(scorer: Scorer, question: Question) -> BoolVector:
    """Which pairs provably have no flip within their bounds; never any for a scorer without two ReLU layers."""
    part = aspect_part_of(scorer)
    if not has_layers(part) or not len(question):
        return np.zeros(len(question), dtype=bool)
    question = for_aspect_part(scorer, question)
    pairs = question.pairs
    layers = part.unrolled(pairs.users, pairs.items, pairs.user_attention)
    goal = goal_of(question, safety=1.0).astype(np.float64)
    nearest = _lowest_signed_score(layers, question)
    return nearest > goal + BOUND_ROUNDING * np.maximum(question.largest, np.abs(goal))


@torch.inference_mode()
def _lowest_signed_score(layers: ReluLayers, question: Question) -> np.ndarray:
    """A lower bound on the signed score over all allowed changes, in double precision."""

    def doubled(array: np.ndarray) -> Tensor:
        return torch.tensor(array, dtype=torch.float64, device=layers.item.device)

    quality, lowest, highest = (doubled(a) for a in (question.pairs.item_quality, question.lowest, question.highest))
    layers = layers.doubled()
    first = layers.share + quality @ layers.item
    up, down = layers.item.clamp(min=0), layers.item.clamp(max=0)
    low, high = first + lowest @ up + highest @ down, first + highest @ up + lowest @ down
    return layers.lowest_score(low, high, sign_of(question)).cpu().numpy()
