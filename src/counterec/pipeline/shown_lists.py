"""Lists as people see them: positions from 1, with ids, names and scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterec.core.lists import ABSENT_ITEM

if TYPE_CHECKING:
    from counterec.core.explainers.what_if import Reranking
    from counterec.pipeline.folder import RunFolder


@dataclass(frozen=True, slots=True)
class ListedItem:
    """One place of a user's list, or the first place below it."""

    position: int
    item_id: str
    name: str | None
    """None where the item has no name but its id."""
    score: float


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


def user_list(folder: RunFolder, user_id: str) -> list[ListedItem]:
    """A user's list, best first, and the first item below it."""
    lists, items = folder.recommendations, folder.space.items.texts
    (at,) = lists.rows_of(np.array([folder.space.users.number(user_id)])).tolist()
    found = zip(lists.items[at].tolist(), lists.scores[at].tolist(), strict=True)
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
