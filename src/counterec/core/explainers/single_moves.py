"""The moves of single aspects of pairs: as flat arrays, and as a table with one row per pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, FloatMatrix, FloatVector, IntMatrix, IntVector
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
    fixed: BoolVector | None = None
    """Which moves are made whole or not at all, as those between categories; None if none is."""

    @classmethod
    def of(cls, question: Question) -> SingleMoves:
        """All moves of the pairs that have a target.

        An aspect that may fall and rise has two, and a category has one to each of its other values.
        """
        open_rows = question.has_target[:, None]
        below, above = np.nonzero((question.lowest < 0) & open_rows), np.nonzero((question.highest > 0) & open_rows)
        rows = np.concatenate([below[0], above[0]])
        aspects = np.concatenate([below[1], above[1]])
        reach = np.concatenate([question.lowest[below], question.highest[above]])
        fixed = None
        if question.stepped:
            rows, aspects, reach, fixed = _with_whole_moves(question, rows, aspects, reach)
        order = np.lexsort((aspects, rows))
        rows, aspects, reach = rows[order], aspects[order], reach[order]
        return cls(
            rows, aspects, reach, jumps_of(question, rows, aspects, reach), None if fixed is None else fixed[order]
        )

    def __len__(self) -> int:
        return len(self.rows)

    def part(self, index: slice | IntVector) -> SingleMoves:
        """Some of the moves."""
        jumps = None if self.jumps is None else self.jumps.part(index)
        fixed = None if self.fixed is None else self.fixed[index]
        return SingleMoves(self.rows[index], self.aspects[index], self.reach[index], jumps, fixed)

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
        fixed = None
        if self.fixed is not None:
            fixed = np.zeros(aspects.shape, dtype=bool)
            fixed[self.rows, column] = self.fixed
        return MoveTable(aspects, reach, counts, self._jump_table((self.rows, column), aspects.shape), fixed)

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
    fixed: BoolMatrix | None = None
    """Which moves are made whole or not at all; None if none is."""


def _with_whole_moves(
    question: Question, rows: IntVector, aspects: IntVector, reach: FloatVector
) -> tuple[IntVector, IntVector, FloatVector, BoolVector]:
    """The moves of numbers, and a move of each category to each of its other values within the bounds.

    A number that is absent and may get any value may get the least one, too: that is no point on the way to a bound.
    """
    space, scale = question.space, question.space.scale
    of_numbers = np.flatnonzero(~scale.is_category[aspects])
    parts = [(rows[of_numbers], aspects[of_numbers], reach[of_numbers])]
    before, (least, greatest) = question.pairs.item_quality, space.possible
    for aspect in range(len(scale)):
        if scale.is_category[aspect]:
            values = np.arange(greatest[aspect] + 1)
            parts.append(_moves_to(question, aspect, np.r_[values, scale.absent[aspect]]))
        elif scale.either_way[aspect] and (before[:, aspect] == scale.absent[aspect]).any():
            parts.append(_moves_to(question, aspect, least[aspect : aspect + 1], before == scale.absent))
    rows, aspects, reach = (np.concatenate(column) for column in zip(*parts, strict=True))
    return rows, aspects, reach.astype(np.float32), np.arange(len(rows)) >= len(of_numbers)


def _moves_to(
    question: Question, aspect: int, values: FloatVector, where: BoolMatrix | None = None
) -> tuple[IntVector, IntVector, FloatVector]:
    """The moves of one aspect to these values, of the pairs whose bounds allow them."""
    change = values[None] - question.pairs.item_quality[:, aspect, None]
    lowest, highest = question.lowest[:, aspect, None], question.highest[:, aspect, None]
    allowed = (change != 0) & (change >= lowest) & (change <= highest) & question.has_target[:, None]
    if where is not None:
        allowed &= where[:, aspect, None]
    rows, value = np.nonzero(allowed)
    return rows, np.full(len(rows), aspect), change[rows, value]


def best_of_each_pair(moves: SingleMoves, flips: BoolVector, *ranks: FloatVector | BoolVector) -> IntVector:
    """The best move of each pair: flips before misses, then the lowest ranks, then the smaller aspect number."""
    order = np.lexsort((moves.aspects, *reversed(ranks), ~flips, moves.rows))
    return order[np.unique(moves.rows[order], return_index=True)[1]]


def best_of_each_aspect(moves: SingleMoves, flips: BoolVector, rank: FloatVector) -> IntVector:
    """For each aspect of each pair, the flip that ranks first or, where there is none, the nearest miss."""
    order = np.lexsort((rank, ~flips, moves.aspects, moves.rows))
    keys = np.stack([moves.rows[order], moves.aspects[order]])
    first = np.r_[True, (np.diff(keys, axis=1) != 0).any(axis=0)] if len(order) else np.empty(0, dtype=bool)
    return order[first]
