"""The moves of single aspects of pairs: as flat arrays, and as a table with one row per pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolVector, FloatMatrix, FloatVector, IntMatrix, IntVector
from counterec.core.explainers.change_costs import Jumps, jumps_of, priced
from counterec.core.explainers.question import Question


@dataclass(frozen=True)
class SingleMoves:
    """Every move of a single aspect of a pair, from no change (share 0) to its bound (share 1)."""

    rows: IntVector
    """The pair of each move, as a row of the question."""
    aspects: IntVector
    reach: FloatVector
    """The change at the bound; its sign is the direction of the move."""
    jumps: Jumps | None = None
    """Which of the changes lead to or from absent; None if none does."""

    @classmethod
    def of(cls, question: Question) -> SingleMoves:
        """All moves of the pairs that have a target; an aspect that may fall and rise has two."""
        open_rows = question.has_target[:, None]
        below, above = np.nonzero((question.lowest < 0) & open_rows), np.nonzero((question.highest > 0) & open_rows)
        rows = np.concatenate([below[0], above[0]])
        aspects = np.concatenate([below[1], above[1]])
        reach = np.concatenate([question.lowest[below], question.highest[above]])
        order = np.lexsort((aspects, rows))
        rows, aspects, reach = rows[order], aspects[order], reach[order]
        return cls(rows, aspects, reach, jumps_of(question, rows, aspects, reach))

    def __len__(self) -> int:
        return len(self.rows)

    def part(self, index: slice | IntVector) -> SingleMoves:
        """Some of the moves."""
        jumps = None if self.jumps is None else self.jumps.part(index)
        return SingleMoves(self.rows[index], self.aspects[index], self.reach[index], jumps)

    def cost(self, question: Question, share: FloatVector | float = 1.0) -> FloatVector:
        """What these shares of the moves cost; it grows with the share."""
        return priced(np.abs(share * self.reach), question.unit_costs[self.aspects], self.jumps)

    def table(self, pairs: int) -> MoveTable:
        """The moves with one row per pair."""
        counts = np.bincount(self.rows, minlength=pairs)
        column = np.arange(len(self)) - np.repeat(np.cumsum(counts) - counts, counts)
        aspects = np.zeros((pairs, max(1, counts.max(initial=0))), dtype=np.int64)
        reach = np.zeros(aspects.shape, dtype=np.float32)
        aspects[self.rows, column] = self.aspects
        reach[self.rows, column] = self.reach
        return MoveTable(aspects, reach, counts, self._jump_table((self.rows, column), aspects.shape))

    def _jump_table(self, places: tuple[IntVector, IntVector], shape: tuple[int, ...]) -> Jumps | None:
        if self.jumps is None:
            return None
        beyond, cost = np.full(shape, np.inf), np.zeros(shape)
        beyond[places], cost[places] = self.jumps.beyond, self.jumps.cost
        return Jumps(beyond, cost)


@dataclass(frozen=True)
class MoveTable:
    """Moves with one row per pair; unused columns have reach 0."""

    aspects: IntMatrix
    reach: FloatMatrix
    counts: IntVector
    """How many moves each pair has."""
    jumps: Jumps | None = None
    """Which of the changes lead to or from absent; None if none does."""


def best_of_each_pair(moves: SingleMoves, flips: BoolVector, *ranks: FloatVector | BoolVector) -> IntVector:
    """The best move of each pair: flips before misses, then the lowest ranks, then the smaller aspect number."""
    order = np.lexsort((moves.aspects, *reversed(ranks), ~flips, moves.rows))
    return order[np.unique(moves.rows[order], return_index=True)[1]]
