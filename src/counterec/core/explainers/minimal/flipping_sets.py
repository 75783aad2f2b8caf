"""Sets of moves with their owners and gaps: what a search grows, proves and shrinks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, FloatVector, IntVector


@dataclass(frozen=True)
class Flipping:
    """Sets at their bounds, their owners, and their gaps. A set is flags over the moves of its owner."""

    owners: IntVector
    sets: BoolMatrix
    gaps: FloatVector

    def part(self, index: IntVector | BoolVector) -> Flipping:
        """Some of the sets."""
        return Flipping(self.owners[index], self.sets[index], self.gaps[index])

    @staticmethod
    def joined(parts: list[Flipping]) -> Flipping:
        """Sets of several searches as one."""
        owners, sets, gaps = zip(*((part.owners, part.sets, part.gaps) for part in parts), strict=True)
        return Flipping(np.concatenate(owners), np.concatenate(sets), np.concatenate(gaps))


def first_of_each(owners: IntVector, gaps: FloatVector) -> IntVector:
    """The index of each owner's lowest gap."""
    order = np.lexsort((gaps, owners))
    return order[np.unique(owners[order], return_index=True)[1]]
