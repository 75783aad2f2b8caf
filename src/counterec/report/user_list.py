"""One user's list: the first K items with their scores, and the first ones below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from counterec.core.arrays import require
from counterec.pipeline.asked_pairs import ListedItem
from counterec.pipeline.asked_pairs import user_list as listed_items
from counterec.pipeline.folder import RunFolder
from counterec.wording.markup import Markup, element, isolated
from counterec.wording.record_html import notebook_card


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

    def html(self, chosen: str | None = None, user: str | None = None) -> Markup:
        """The list as a table, with a line under its last item; ``chosen`` stands out, ``user`` is shown for the id."""
        head = element(
            "tr",
            element("th", element("span", "position", class_="ce-hidden"), scope="col"),
            element("th", "item", scope="col"),
            element("th", "score", scope="col", class_="ce-number"),
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
                element("td", "below" if below else item.position, class_="ce-place"),
                element("td", isolated(item.shown)),
                element("td", f"{item.score:.2f}", class_="ce-number"),
            )
            rows.append(element("tr", cells, class_=" ".join(kind for kind, applies in kinds if applies) or None))
        caption = element("caption", f"The list of {user or self.user_id}")
        return element("table", caption, element("thead", head), element("tbody", rows), class_="ce-list")

    def _repr_html_(self) -> str:
        return notebook_card(self.html())


def user_list(folder: RunFolder, user_id: str, below: int = 1) -> UserList:
    """A user's list, and so many items below it; of lists that rules decide, no more than one is known."""
    return UserList(user_id, folder.recommendations.k, listed_items(folder, user_id, below))
