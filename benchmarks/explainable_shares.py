"""How much of a list aspects explain: three shares of the recommended items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import FloatMatrix
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.minimal.solver import fewest_aspects
from counterec.core.explainers.question import Question
from counterec.core.scorers.protocols import Scorer

FEW = 3
"""A short answer names at most this many aspects."""


@dataclass(frozen=True)
class Shares:
    """Of the recommended items that have an item below their list."""

    absent: float
    """Leave the list when all their aspects are absent."""
    lowest: float
    """Leave it when all are at the lowest value that an item can have."""
    short: float
    """Leave it by a change of at most three aspects, to values that an item can have."""


def shares_of(scorer: Scorer, question: Question) -> Shares:
    """The shares of the pairs of *why*."""
    asked = question.rows(np.flatnonzero(question.has_target))
    nothing = np.broadcast_to(asked.space.scale.absent, asked.lowest.shape)
    few = fewest_aspects(scorer, asked, MinimalSettings(), FEW)
    return Shares(
        absent=_leaving(scorer, asked, nothing),
        lowest=_leaving(scorer, asked, asked.after(asked.lowest)),
        short=float((few > 0).mean()),
    )


def _leaving(scorer: Scorer, question: Question, quality: FloatMatrix) -> float:
    return float(question.crossed(scorer.score(question.pairs.with_quality(quality))).mean())
