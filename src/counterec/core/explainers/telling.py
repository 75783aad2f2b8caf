"""Telling aspects: which of the aspects that would do tell a person most.

Many sets of the same size often flip. Among them, the ones are named whose aspects are worth most as a reason:

    worth(u, i, a) = (ε + care) · (ε + good) · (ε + spoken of)

with *care* = |X[u, a]| / max |X[u]|, how much the user cares about the aspect; *good* = where the item's value lies
between the worst and the best end of the scale, or 0 if it lies in the worse half: an aspect that is bad already
recommends nothing (1 where no end is worse); and *spoken of* = ln(1 + t) / ln(1 + max t), where t is the number of
opinions on the aspect of this item or, where opinions are not counted, of items that have the aspect. A set is worth
the product of its aspects, so that one poor reason spoils it. Where an item is to get better (*why not*), how good it
is does not count.

A set whose change is too small to see comes after those that are not. Costs that the caller gives come first: then the
cheapest change is named, as without this preference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, FloatMatrix, FloatVector, IntMatrix, IntVector
from counterec.core.explainers.question import Direction, Question
from counterec.core.explainers.single_moves import SingleMoves
from counterec.core.space import AspectSpace

LEAST = 0.1
"""ε: what an aspect without one of the three merits still counts for."""

VISIBLE = 0.05
"""A change under this share of the aspect's span is too small to see: under 0.2 on a scale from 1 to 5."""


@dataclass(frozen=True)
class Telling:
    """The worth of the aspects of a question's pairs."""

    question: Question

    @classmethod
    def of(cls, question: Question) -> Telling | None:
        """None if the caller has given costs, which come first."""
        return None if (question.costs != question.costs[:1]).any() else cls(question)

    def worth(self, rows: IntVector | IntMatrix, aspects: IntVector | IntMatrix) -> FloatVector:
        """ln worth of one aspect for one pair each; ``rows`` and ``aspects`` have equal shapes."""
        question, space = self.question, self.question.space
        users, items = question.users[rows], question.items[rows]
        worth = np.log(LEAST + _share_of_most(lambda some: np.abs(space.user_attention[some]), users, aspects))
        worth += np.log(LEAST + _share_of_most(lambda some: _spoken_of(space, some), items, aspects))
        if question.direction is Direction.LOWER:
            worth += np.log(LEAST + _good(space, items, aspects))
        return worth

    def ranks(self, moves: SingleMoves, flips: BoolVector) -> tuple[FloatVector | BoolVector, ...]:
        """What speaks against each move of one aspect that flips, the strongest first."""
        unseen = too_small_to_see(moves.reach, self.question.space.scale.span[moves.aspects])
        return flips & unseen, np.where(flips, -self.worth(moves.rows, moves.aspects), 0)


def too_small_to_see(change: FloatVector | FloatMatrix, span: FloatVector | FloatMatrix) -> BoolVector | BoolMatrix:
    """Which changes are too small to see on the scale of their aspect."""
    return np.abs(change) < VISIBLE * span


def _share_of_most(amounts: Callable[[IntVector], FloatMatrix], rows: IntVector, aspects: IntVector) -> FloatVector:
    """Each amount as a share of the largest of its row; only the rows that occur are worked out."""
    some, places = np.unique(rows, return_inverse=True)
    found, places = amounts(some), places.reshape(np.shape(rows))
    most = found.max(axis=1)[places]
    return np.divide(found[places, aspects], most, out=np.zeros(np.shape(rows)), where=most > 0)


def _good(space: AspectSpace, items: IntVector, aspects: IntVector) -> FloatVector:
    scale = space.scale
    above_worst = np.abs(space.item_quality[items, aspects] - scale.worst[aspects]) / scale.span[aspects]
    good = np.where(above_worst >= 0.5, np.minimum(above_worst, 1), 0)
    return np.where(scale.either_way[aspects], 1, good)


def _spoken_of(space: AspectSpace, items: IntVector) -> FloatMatrix:
    """ln(1 + t), by item and aspect."""
    if space.opinions is not None:
        return np.log1p(space.opinions.item_praises[items] + space.opinions.item_complaints[items])
    having = np.log1p((space.item_quality != space.scale.absent).sum(axis=0))
    return np.broadcast_to(having, (len(items), len(having)))
