"""Sets of moves as a few columns: what each moves, how far, and what that takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolMatrix, FloatMatrix, IntMatrix, IntVector
from counterec.core.explainers.change_costs import Jumps
from counterec.core.explainers.single_moves import MoveTable


@dataclass(frozen=True)
class SetColumns:
    """Sets of the owners' moves, given as flags, in as many columns as the largest has moves."""

    moves: MoveTable

    def of(self, owners: IntVector, sets: BoolMatrix) -> tuple[IntMatrix, FloatMatrix]:
        """Aspect and reach, with reach 0 in unused columns."""
        which, move, places, shape = _column_places(sets)
        aspects, reach = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.float32)
        aspects[places] = self.moves.aspects[owners[which], move]
        reach[places] = self.moves.reach[owners[which], move]
        return aspects, reach

    def jumps(self, owners: IntVector, sets: BoolMatrix) -> Jumps | None:
        """The jumps of the sets."""
        if self.moves.jumps is None:
            return None
        which, move, places, shape = _column_places(sets)
        beyond, cost = np.full(shape, np.inf), np.zeros(shape)
        beyond[places] = self.moves.jumps.beyond[owners[which], move]
        cost[places] = self.moves.jumps.cost[owners[which], move]
        return Jumps(beyond, cost)

    def fixed(self, owners: IntVector, sets: BoolMatrix) -> BoolMatrix | None:
        """Which changes of the sets are fixed."""
        if self.moves.fixed is None:
            return None
        which, move, places, shape = _column_places(sets)
        fixed = np.zeros(shape, dtype=bool)
        fixed[places] = self.moves.fixed[owners[which], move]
        return fixed


def _column_places(sets: BoolMatrix) -> tuple[IntVector, IntVector, tuple[IntVector, IntVector], tuple[int, int]]:
    """The set and the move of each entry, its place, and the shape of the columns."""
    sizes = sets.sum(axis=1)
    which, move = np.nonzero(sets)
    column = np.arange(len(which)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return which, move, (which, column), (len(sets), max(1, int(sizes.max(initial=0))))


def put_changes(delta: FloatMatrix, rows: IntVector, aspects: IntMatrix, change: FloatMatrix, used: BoolMatrix) -> None:
    """Put the changes of these columns, where they are used, into rows over all aspects."""
    which, column = np.nonzero(used)
    delta[rows[which], aspects[which, column]] = change[which, column]
