"""A user's list as it is shown: its items, the cut, and the first ones below it; as it is, or after a change."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from counterec.core.arrays import require
from counterec.core.lists import ABSENT_ITEM

if TYPE_CHECKING:
    from counterec.core.explainers.what_if import Reranking
    from counterec.run import Run

BELOW = 2
"""How many items below the list are shown."""


@dataclass(frozen=True)
class ListedItem:
    """One item of a user's ranking."""

    position: int
    item_id: str
    name: str
    listed: bool
    """Whether it is in the list, and not below it."""
    was: int | None = None
    """Its position before a change, if that was another one."""

    @property
    def movement(self) -> str:
        """Where it came from, in words; empty if it has stayed where it was."""
        if self.was is None:
            return ""
        return f"was {self.was}"


@dataclass(frozen=True)
class Listing:
    """A user's list and what comes next."""

    items: tuple[ListedItem, ...]
    k: int

    def __post_init__(self) -> None:
        positions = [item.position for item in self.items]
        require(positions == sorted(set(positions)), f"a listing goes from {positions}; positions only grow")

    def showing(self, item: ListedItem) -> Listing:
        """The same listing with one more item further below, unless it is there."""
        if any(known.item_id == item.item_id for known in self.items):
            return self
        return replace(self, items=tuple(sorted((*self.items, item), key=lambda known: known.position)))

    @property
    def below(self) -> tuple[ListedItem, ...]:
        """The items below the cut."""
        return tuple(item for item in self.items if not item.listed)


def listing_now(run: Run, user_id: str) -> Listing:
    """A user's list as it is stored. Nothing is scored, unless rules decide the lists."""
    lists, user = run.recommendations, run.space.users.number(user_id)
    if lists.ranker is not None:
        standing = run.standing(user_id)
        items = [int(item) for item in lists.of_user(user).items[0] if item != ABSENT_ITEM]
        return listing_after(run, standing.reranked({items[0]: run.space.item_quality[items[0]]})) if items else NOBODY
    heads = run.heads.of_user(user)
    shown = [int(item) for item in heads.items[0][: lists.k + BELOW] if item != ABSENT_ITEM]
    return Listing(tuple(_item(run, item, place, place <= lists.k) for place, item in _counted(shown)), lists.k)


def listing_after(run: Run, found: Reranking) -> Listing:
    """A user's list after a change: the new list, what is next, and wherever the changed item has got to."""
    end = found.k if found.listed is None else found.listed
    places = set(range(min(end + BELOW, len(found.items))))
    places |= {int((found.items == item).argmax()) for item in found.changed.tolist()}
    shown = []
    for place in sorted(places):
        item, listed = int(found.items[place]), place < end
        position = place + 1 if listed else place - end + found.k + 1
        before = int(found.positions_before[place])
        shown.append(_item(run, item, position, listed, None if before == position else before))
    return Listing(tuple(shown), found.k)


def _counted(items: Iterable[int]) -> Iterable[tuple[int, int]]:
    return enumerate(items, start=1)


def _item(run: Run, item: int, position: int, listed: bool, was: int | None = None) -> ListedItem:
    item_id = run.space.items.texts[item]
    return ListedItem(position, item_id, run.item_name(item_id), listed, was)


NOBODY = Listing((), 1)
"""The list of a user for whom no item competes."""
