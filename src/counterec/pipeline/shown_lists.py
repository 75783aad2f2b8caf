"""Lists as people see them: positions from 1, with ids, names and scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterec.core.lists import ABSENT_ITEM
from counterec.pipeline import layout

if TYPE_CHECKING:
    from counterec.core.explainers.what_if import Reranking
    from counterec.pipeline.folder import RunFolder


@dataclass(frozen=True, slots=True)
class ListedItem:
    """One place of a user's list, or below it."""

    position: int
    item_id: str
    name: str | None
    """None where the item has no name but its id."""
    score: float

    @property
    def shown(self) -> str:
        """What a person reads: the name, or the id where there is none."""
        return self.name or self.item_id


@dataclass(frozen=True, slots=True)
class RerankedItem:
    """One place of a new ranking."""

    position: int
    position_before: int
    item_id: str
    name: str | None
    score: float
    score_before: float
    changed: bool


def user_list(folder: RunFolder, user_id: str, below: int = 1) -> list[ListedItem]:
    """A user's list, best first, and so many items below it; of lists that rules decide, no more than one is known."""
    lists, items = folder.recommendations, folder.space.items.texts
    most = lists.k + below
    if below > 1 and lists.ranker is None and folder.has(layout.HEADS):
        lists = folder.heads
    (at,) = lists.rows_of(np.array([folder.space.users.number(user_id)])).tolist()
    found = zip(lists.items[at, :most].tolist(), lists.scores[at, :most].tolist(), strict=True)
    return [
        ListedItem(position, items[item], folder.item_names.get(items[item]), score)
        for position, (item, score) in enumerate(found, start=1)
        if item != ABSENT_ITEM
    ]


def reranked_item(folder: RunFolder, found: Reranking, at: int) -> RerankedItem:
    """The item at a place, counted from 0, of a new ranking."""
    item_id = folder.space.items.texts[found.items[at]]
    return RerankedItem(
        position=at + 1,
        position_before=int(found.positions_before[at]),
        item_id=item_id,
        name=folder.item_names.get(item_id),
        score=float(found.scores_after[at]),
        score_before=float(found.scores_before[at]),
        changed=bool(found.items[at] in found.changed),
    )
