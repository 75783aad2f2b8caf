"""The record of an answer by history: its row with names, checked like every record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from counterec.core.arrays import require
from counterec.core.explainers.history.answer_row import HistoryRow


@dataclass(frozen=True)
class HistoryRecord:
    """The answer about one user and one item: its row, and the names of the items in it."""

    row: HistoryRow
    item: str
    """The name of the item."""
    reviews: Sequence[str]
    """The names of the items whose reviews are left out, in the order of the row."""
    k: int
    """The length of the list."""
    instead: str | None = None
    """The name of the best item that enters the list."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "reviews", tuple(self.reviews))
        row = self.row
        require(bool(self.item), "the item has no name")
        require(self.k >= 1, f"k is {self.k}; a list has at least 1 place")
        require(len(self.reviews) == len(row.reviews), f"reviews names {self.reviews}, but the row has {row.reviews}")
        require(
            self.instead is None or row.leaves, f"{self.instead} enters the list, but {self.item} does not leave it"
        )
        claim = f"by history with status {row.status} and a list of {self.k}"
        if row.position is not None and row.status != "already_true":
            require(row.position <= self.k, f"{claim} cannot begin at position {row.position}")
        if row.position_after is not None and row.leaves:
            require(row.position_after > self.k, f"{claim} cannot end at position {row.position_after}")

    @property
    def explained(self) -> bool:
        """Whether there is an explanation."""
        return self.row.explained

    @property
    def too_close(self) -> bool:
        """Whether a miss does end below the list, but by so little that it does not count."""
        after = self.row.position_after
        return bool(self.reviews) and not self.row.leaves and after is not None and after > self.k


def history_record(row: HistoryRow, *, k: int, names: Mapping[str, str]) -> HistoryRecord:
    """The record of one row; ``names`` maps item ids to names."""
    return HistoryRecord(
        row=row,
        item=names.get(row.item_id, row.item_id),
        reviews=[names.get(item, item) for item in row.reviews],
        k=k,
        instead=None if row.instead is None else names.get(row.instead, row.instead),
    )
