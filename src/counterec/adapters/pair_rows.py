"""The rows of some pairs, as a model wants them: two frames, one frame, or a matrix; made when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from counterec.adapters.frame_library import Frame
from counterec.adapters.tables import FrameTables, NumberBlock, as_written
from counterec.core.arrays import FloatMatrix
from counterec.core.scorers.base import PairBatch


@dataclass(frozen=True)
class PairRows:
    """One row per pair."""

    tables: FrameTables
    pairs: PairBatch

    def __len__(self) -> int:
        return len(self.pairs)

    @cached_property
    def users(self) -> Frame:
        """The users' rows, like those of the frame of users."""
        return self.tables.user_rows(self.pairs.users)

    @cached_property
    def items(self) -> Frame:
        """The items' rows, like those of the frame of items, with the attributes that they are asked about."""
        return self.tables.item_rows(self.pairs.items, self.pairs.item_quality)

    def frame(self, columns: Sequence[str]) -> Frame:
        """These columns of both, side by side; made from a matrix where all of them are numbers."""
        library = self.tables.items.library
        if self.all_numbers(columns):
            return library.of_matrix(self.matrix(columns), columns)
        return library.side_by_side(self.users, self.items, columns)

    def all_numbers(self, columns: Sequence[str]) -> bool:
        """Whether these columns hold numbers, or yes and no, alone."""
        return all(self.tables.side_of(name).numbers(name) is not None for name in columns)

    def column(self, name: str) -> np.ndarray:
        """One column as an array."""
        side = self.tables.side_of(name)
        if side.numbers(name) is not None:
            return self.matrix([name])[:, 0]
        return side.library.values(self.users if side is self.tables.users else self.items, name)

    def matrix(self, columns: Sequence[str]) -> FloatMatrix:
        """These columns as numbers in double precision; what is absent is NaN."""
        if self.tables.recompute is not None:
            return self._recomputed_matrix(columns)
        block = self.tables.number_block(tuple(columns))
        found = np.empty((len(self), len(columns)), dtype=np.float64)
        found[:, block.user_places] = block.users[self.pairs.users]
        found[:, block.item_places] = block.items[self.pairs.items]
        self._change(found, block)
        return found

    def _recomputed_matrix(self, columns: Sequence[str]) -> FloatMatrix:
        """The same where a derived column may follow from any other: from the rows themselves."""
        found = np.empty((len(self), len(columns)), dtype=np.float64)
        for place, name in enumerate(columns):
            side = self.tables.side_of(name)
            if side is self.tables.users:
                found[:, place] = side.required_numbers(name)[self.pairs.users]
            else:
                side.required_numbers(name)
                found[:, place] = side.library.values(self.items, name)
        return found

    def _change(self, found: FloatMatrix, block: NumberBlock) -> None:
        """Put the attributes that are asked about into their columns; all others stay exactly as in the frame."""
        codes = self.pairs.item_quality[:, block.aspects]
        rows, moved = np.nonzero(codes != block.codes[self.pairs.items])
        values = codes[rows, moved]
        absent = values == self.tables.space.scale.absent[block.aspects[moved]]
        found[rows, block.aspect_places[moved]] = np.where(absent, np.nan, as_written(values))
