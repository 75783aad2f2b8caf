"""What a change costs: how many spans of its scale an aspect moves, times the cost of the aspect.

Between two values, that is |δ| / span. Where values are made from opinions, or any value is allowed, *absent* lies on
the same line. For other attributes it does not: the number that stands for *absent* is a mere sign, so a change to or
from absent counts as one span, however far away that number is. Such a change is called a *jump*. So is every move of
a category: it costs what its schema says, as a share of a span.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector
from counterec.core.explainers.possible_values import SAME
from counterec.core.explainers.question import Question


@dataclass(frozen=True)
class Jumps:
    """For each of some moves: the size beyond which its change is a jump, and what a jump costs."""

    beyond: FloatVector | FloatMatrix
    """Infinite where a move never leads to or from absent."""
    cost: FloatVector | FloatMatrix

    def priced(self, size: FloatVector | FloatMatrix, cost: FloatVector | FloatMatrix) -> FloatVector | FloatMatrix:
        """The cost of changes of this size, given what they cost if they are no jumps."""
        return np.where(size > self.beyond, self.cost, cost)

    def part(self, index: slice | IntVector | np.ndarray) -> Jumps:
        """Some of the moves."""
        return Jumps(self.beyond[index], self.cost[index])


def priced(
    size: FloatVector | FloatMatrix, unit_cost: FloatVector | FloatMatrix, jumps: Jumps | None
) -> FloatVector | FloatMatrix:
    """The cost of changes of this size: by the unit, or that of a jump."""
    cost = size * unit_cost
    return cost if jumps is None else jumps.priced(size, cost)


def jumps_of(question: Question, rows: IntVector, aspects: IntVector, reach: FloatVector) -> Jumps | None:
    """The jumps among the moves of these aspects to their bounds; None if there are none."""
    space, scale = question.space, question.space.scale
    if question.constraints.values == "continuous" or scale.ladder is not None:
        return None
    before, absent = question.pairs.item_quality[rows, aspects], scale.absent[aspects]
    least, greatest = (end[aspects] for end in space.possible)
    to_last_value = np.where(reach < 0, before - least, greatest - before)
    to_absent = np.abs(before + reach - absent) <= SAME * np.maximum(1, np.abs(absent))
    beyond = np.where(to_absent, np.maximum(to_last_value, 0) + SAME * scale.span[aspects], np.inf)
    beyond, cost = np.where(before == absent, 0, beyond), question.costs[aspects]
    if scale.schema is not None:
        whole = scale.is_category[aspects]
        shares = scale.schema.move_costs(aspects[whole], before[whole], (before + reach)[whole])
        beyond[whole], cost[whole] = 0, cost[whole] * shares
    return Jumps(beyond, cost) if np.isfinite(beyond).any() else None
