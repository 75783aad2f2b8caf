"""The ways that single aspects of pairs can go, as flat arrays and as a table a pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector, IntMatrix, IntVector
from counterec.core.explainers.question import Question


@dataclass(frozen=True)
class SingleMoves:
    """Every way a single aspect of a pair can go: from no change (share 0) to its bound (share 1)."""

    rows: IntVector
    aspects: IntVector
    reach: FloatVector

    @classmethod
    def of(cls, question: Question) -> SingleMoves:
        """All ways of the pairs that have a target; an aspect that may go both ways has two."""
        open_rows = question.has_target[:, None]
        below, above = np.nonzero((question.lowest < 0) & open_rows), np.nonzero((question.highest > 0) & open_rows)
        rows = np.concatenate([below[0], above[0]])
        aspects = np.concatenate([below[1], above[1]])
        reach = np.concatenate([question.lowest[below], question.highest[above]])
        order = np.lexsort((aspects, rows))
        return cls(rows[order], aspects[order], reach[order])

    def __len__(self) -> int:
        return len(self.rows)

    def part(self, index: slice | IntVector) -> SingleMoves:
        """Some of the ways."""
        return SingleMoves(self.rows[index], self.aspects[index], self.reach[index])

    def table(self, pairs: int) -> tuple[IntMatrix, FloatMatrix, IntVector]:
        """A row a pair: its aspects, their reach (0 in unused places), and how many there are."""
        counts = np.bincount(self.rows, minlength=pairs)
        place = np.arange(len(self)) - np.repeat(np.cumsum(counts) - counts, counts)
        aspects = np.zeros((pairs, max(1, counts.max(initial=0))), dtype=np.int64)
        reach = np.zeros(aspects.shape, dtype=np.float32)
        aspects[self.rows, place] = self.aspects
        reach[self.rows, place] = self.reach
        return aspects, reach, counts
