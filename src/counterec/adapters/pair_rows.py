"""The rows of some pairs, as a model wants them: two frames, one frame, or a matrix; made when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from counterec.adapters.frame_library import Frame
from counterec.adapters.tables import FrameTables, Side, as_written
from counterec.core.arrays import FloatMatrix
from counterec.core.scorers.protocols import PairBatch
from counterec.errors import ConfigError


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
        found = np.empty((len(self), len(columns)), dtype=np.float64)
        for place, name in enumerate(columns):
            side = self.tables.side_of(name)
            found[:, place] = self._of_frame(side, name)
        if self.tables.recompute is None:
            self._change(found, columns)
        return found

    def _of_frame(self, side: Side, name: str) -> np.ndarray:
        known = side.numbers(name)
        if known is None:
            raise ConfigError(f"{name} of {side.what}s holds no numbers, and the model takes a matrix of numbers")
        if side is self.tables.users:
            return known[self.pairs.users]
        if self.tables.recompute is not None:  # a derived column may follow from any other
            return side.library.values(self.items, name)
        return known[self.pairs.items]

    def _change(self, found: FloatMatrix, columns: Sequence[str]) -> None:
        """Put the attributes that are asked about into their columns; all others stay exactly as in the frame."""
        tables = self.tables
        asked = [(place, tables.aspect_of[name]) for place, name in enumerate(columns) if name in tables.aspect_of]
        if not asked:
            return
        places, aspects = (np.array(numbers) for numbers in zip(*asked, strict=True))
        codes = self.pairs.item_quality[:, aspects]
        rows, moved = np.nonzero(codes != tables.space.item_quality[np.ix_(self.pairs.items, aspects)])
        values = codes[rows, moved]
        absent = values == tables.space.scale.absent[aspects[moved]]
        found[rows, places[moved]] = np.where(absent, np.nan, as_written(values))
