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
from counterec.core.explainers.probe import goal_of, sign_of
from counterec.core.explainers.question import Question
from counterec.core.explainers.tolerances import BOUND_ROUNDING
from counterec.core.scorers.protocols import LayeredScorer, ReluLayers, Scorer


def cannot_cross(scorer: Scorer, question: Question) -> BoolVector:
    """Which pairs provably have no flip within their bounds; never any for a scorer without two ReLU layers."""
    if not isinstance(scorer, LayeredScorer) or not len(question):
        return np.zeros(len(question), dtype=bool)
    pairs = question.pairs
    layers = scorer.unrolled(pairs.users, pairs.items, pairs.user_attention)
    goal = goal_of(question, safety=1.0).astype(np.float64)
    nearest = _lowest_signed_score(layers, question)
    return nearest > goal + BOUND_ROUNDING * np.maximum(question.largest, np.abs(goal))


@torch.inference_mode()
def _lowest_signed_score(layers: ReluLayers, question: Question) -> np.ndarray:
    """A lower bound on the signed score over all allowed changes, in double precision."""

    def doubled(array: np.ndarray) -> Tensor:
        return torch.tensor(array, dtype=torch.float64, device=layers.item.device)

    quality, lowest, highest = (doubled(a) for a in (question.pairs.item_quality, question.lowest, question.highest))
    item, hidden = layers.item.double(), layers.hidden.double()
    first = layers.share.double() + quality @ item
    up, down = item.clamp(min=0), item.clamp(max=0)
    first_low = (first + lowest @ up + highest @ down).relu()
    first_high = (first + highest @ up + lowest @ down).relu()
    up, down = hidden.clamp(min=0), hidden.clamp(max=0)
    second_low = (first_low @ up + first_high @ down + layers.hidden_bias).relu()
    second_high = (first_high @ up + first_low @ down + layers.hidden_bias).relu()
    output = sign_of(question) * layers.output.double()
    score = second_low @ output.clamp(min=0) + second_high @ output.clamp(max=0)
    return (score + sign_of(question) * layers.output_bias).cpu().numpy()
