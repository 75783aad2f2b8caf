"""The best change that a search has met: what is left of it if it has to end early."""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import BoolVector, FloatMatrix, FloatVector, IntVector
from counterec.core.explainers.possible_values import SAME
from counterec.core.explainers.question import Question


class BestMet:
    """Per pair of a question the change of the fewest aspects that was scored and flips; of these, the cheapest."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self.delta: FloatMatrix = np.zeros_like(question.lowest)
        """0 where no change that flips was met."""
        self._rank = np.full((len(question), 2), np.inf)

    def take(self, rows: IntVector, quality: FloatMatrix, scores: FloatVector) -> None:
        """Look at the scores of these pairs with these qualities."""
        question = self._question
        flips = np.flatnonzero(question.safely_crossed(scores, rows))
        rows, quality = rows[flips], quality[flips]
        asked = question.rows(rows)
        delta = _onto_bounds(asked, quality - asked.pairs.item_quality)
        allowed = _allowed(asked, delta, quality)
        ranks = np.stack([np.count_nonzero(delta, axis=1), np.linalg.norm(delta * question.unit_costs, axis=1)], axis=1)
        for at in np.flatnonzero(allowed & delta.any(axis=1)).tolist():
            if tuple(ranks[at]) < tuple(self._rank[rows[at]]):
                self._rank[rows[at]], self.delta[rows[at]] = ranks[at], delta[at]


def _onto_bounds(question: Question, delta: FloatMatrix) -> FloatMatrix:
    """Changes that differ from a bound by rounding are that bound."""
    room = SAME * np.maximum(1, np.abs(question.space.scale.span))
    for bound in (question.lowest, question.highest):
        delta = np.where(np.abs(delta - bound) <= room, bound, delta)
    return delta.astype(np.float32)


def _allowed(question: Question, delta: FloatMatrix, quality: FloatMatrix) -> BoolVector:
    """Which changes the question allows: a search also scores what lies between possible values."""
    room = SAME * np.maximum(1, np.abs(question.space.scale.span))
    allowed = ((delta >= question.lowest) & (delta <= question.highest)).all(axis=1)
    allowed &= (np.abs(question.after(delta) - quality) <= room).all(axis=1)
    if question.most is not None:
        allowed &= np.count_nonzero(delta, axis=1) <= question.most
    return np.asarray(allowed)
