"""One user's list: the first K items with their scores, and the first ones below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import require
from counterec.core.lists import ABSENT_ITEM, Recommendations
from counterec.pipeline import layout
from counterec.pipeline.folder import RunFolder
from counterec.wording import catalogue
from counterec.wording.markup import Markup, element, isolated
from counterec.wording.record_html import notebook_card


@dataclass(frozen=True)
class ListedItem:
    """One item of a ranking."""

    position: int
    item_id: str
    name: str | None
    """What the item is called, where that is known."""
    score: float

    @property
    def shown(self) -> str:
        """What a person reads: the name, or the id where there is none."""
        return self.name or self.item_id


@dataclass(frozen=True)
class UserList:
    """The beginning of a user's ranking; the first ``k`` are the list. A notebook draws it."""

    user_id: str
    k: int
    items: Sequence[ListedItem]

    def __post_init__(self) -> None:
        object.__setattr__(self, "items", tuple(self.items))
        positions = [item.position for item in self.items]
        require(positions == list(range(1, len(positions) + 1)), f"a list has the positions {positions}")

    @property
    def listed(self) -> tuple[ListedItem, ...]:
        """The list itself."""
        return tuple(self.items[: self.k])

    @property
    def below(self) -> tuple[ListedItem, ...]:
        """The first items that are not in it."""
        return tuple(self.items[self.k :])

    def html(self, language: str = "en", chosen: str | None = None, user: str | None = None) -> Markup:
        """The list as a table, with a line under its last item; ``chosen`` stands out, ``user`` is shown for the id."""
        words = catalogue(language)
        head = element(
            "tr",
            element("th", element("span", words.say("heading.position"), class_="ce-hidden"), scope="col"),
            element("th", words.say("heading.item"), scope="col"),
            element("th", words.say("heading.score"), scope="col", class_="ce-number"),
        )
        rows = []
        for item in self.items:
            below = item.position > self.k
            kinds = [
                ("ce-below", below),
                ("ce-cut", item.position == self.k + 1),
                ("ce-chosen", item.item_id == chosen),
            ]
            cells = (
                element("td", words.say("heading.below") if below else item.position, class_="ce-place"),
                element("td", isolated(item.shown)),
                element("td", words.number(f"{item.score:.2f}"), class_="ce-number"),
            )
            rows.append(element("tr", cells, class_=" ".join(kind for kind, applies in kinds if applies) or None))
        caption = element("caption", words.say("heading.list_of", user=user or self.user_id))
        return element(
            "table", caption, element("thead", head), element("tbody", rows), class_="ce-list", lang=language
        )

    def _repr_html_(self) -> str:
        return notebook_card(self.html())


def user_list(folder: RunFolder, user_id: str, below: int = 1) -> UserList:
    """A user's list, and so many items below it; of lists that rules decide, no more than one is known."""
    user, lists = folder.space.users.number(user_id), folder.recommendations
    if below > 1 and lists.ranker is None and folder.has(layout.HEADS):
        lists = folder.heads
    k = folder.recommendations.k
    return UserList(user_id, k, _ranked(folder, lists, user, k + below))


def _ranked(folder: RunFolder, lists: Recommendations, user: int, most: int) -> list[ListedItem]:
    """The first items of a user's row."""
    (row,) = lists.rows_of(np.array([user])).tolist()
    found = []
    for position, (item, score) in enumerate(zip(lists.items[row, :most], lists.scores[row, :most], strict=True), 1):
        if item != ABSENT_ITEM:
            item_id = folder.space.items.texts[item]
            found.append(ListedItem(position, item_id, folder.item_names.get(item_id), float(score)))
    return found
