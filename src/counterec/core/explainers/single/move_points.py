"""The points of moves that are tried: all values that an attribute has, if they are few, or a grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolVector, FloatVector, IntVector, freeze
from counterec.core.explainers.possible_values import values_on_steps
from counterec.core.explainers.question import Question
from counterec.core.explainers.single_moves import SingleMoves


@dataclass(frozen=True)
class MovePoints:
    """Per move: where its first value lies, as a share of it, how far apart values are, and how many there are."""

    first: FloatVector
    step: FloatVector
    count: IntVector
    all_tried: BoolVector
    """Whether every value that the move can lead to is a point."""

    def __post_init__(self) -> None:
        freeze(self, first=np.float64, step=np.float64, count=np.int64, all_tried=np.bool_)

    @classmethod
    def of(cls, question: Question, moves: SingleMoves, grid: int) -> MovePoints:
        """An even grid; of moves that have no more values than that, all values; of whole moves, their end."""
        if not question.stepped:
            even = np.full(len(moves), 1 / grid)
            return cls(even, even, np.full(len(moves), grid), np.full(len(moves), question.whole))
        space, scale = question.space, question.space.scale
        rows, aspects, reach = moves.rows, moves.aspects, moves.reach.astype(np.float64)
        before = question.pairs.item_quality[rows, aspects].astype(np.float64)
        fixed = np.zeros(len(moves), dtype=bool) if moves.fixed is None else moves.fixed
        steps = np.ones(len(moves)) if scale.steps is None else scale.steps[aspects]
        nudged = before + 0.01 * np.sign(reach) * steps
        first = values_on_steps(space, aspects, nudged, reach > 0).astype(np.float64)
        to_absent = before + reach == scale.absent[aspects]
        last = np.where(to_absent, np.where(reach < 0, *(end[aspects] for end in space.possible)), before + reach)
        count = np.rint(np.abs(last - first) / steps).astype(np.int64) + 1
        few = count + to_absent <= grid
        return cls(
            first=np.where(fixed, 1, np.where(few, (first - before) / reach, 1 / grid)),
            step=np.where(fixed, 1, np.where(few, steps / np.abs(reach), 1 / grid)),
            count=np.where(fixed, 1, np.where(few, count + to_absent, grid)),
            all_tried=fixed | few,
        )

    def chunks(self, rows: int) -> list[slice]:
        """The moves in chunks that have at most this many points."""
        chunks, start = [], 0
        ends = np.cumsum(self.count)
        while start < len(ends):
            before = ends[start - 1] if start else 0
            stop = max(start + 1, int(np.searchsorted(ends, before + rows, side="right")))
            chunks.append(slice(start, stop))
            start = stop
        return chunks

    def points(self, chunk: slice) -> tuple[IntVector, FloatVector]:
        """All points of some moves, one after the other: the place of the move in the chunk, and the share of it."""
        count = self.count[chunk]
        owner = np.repeat(np.arange(len(count)), count)
        place = np.arange(len(owner)) - (np.cumsum(count) - count)[owner]
        share = self.first[chunk][owner] + place * self.step[chunk][owner]
        return owner, np.where(place == count[owner] - 1, 1, np.minimum(share, 1)).astype(np.float32)

    def all_tried_of(self, owners: IntVector, count: int) -> BoolVector:
        """For each of ``count`` owners of moves, whether every value of all its moves is a point."""
        return np.bincount(owners, weights=~self.all_tried, minlength=count) == 0
