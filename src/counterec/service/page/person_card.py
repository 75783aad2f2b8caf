"""Whose list it is: find somebody else, what they care about, what they reviewed."""

from __future__ import annotations

import secrets

from nicegui import ui

from counterec.service.page.pager import show_pager
from counterec.service.page.panel import Opened
from counterec.service.page.people import KnownItem, Taste, known_items, taste
from counterec.service.page.search_field import SearchField
from counterec.service.page.settings import NAMES
from counterec.service.page.text_elements import box, button, folded, heading, text
from counterec.service.page.text_search import Found

AT_ONCE = 8
"""How many reviewed items are shown at once."""


class PersonCard:
    """A user, and a way to another one."""

    def __init__(self, opened: Opened, user_id: str) -> None:
        self._opened, self._user_id = opened, user_id

    async def show(self, place: ui.element) -> None:
        """Build the card there."""
        site, user_id = self._opened.site, self._user_id
        likes, known = await site.ask(lambda run: (taste(run, user_id), known_items(run, user_id)))
        with place, box("section", "card stack", aria_label="The user"):
            heading(2, f"About {site.user_name(user_id)}")
            self._taste(likes)
            self._known(known)
            self._find()

    def _taste(self, likes: tuple[Taste, ...]) -> None:
        if not likes:
            text("What this user cares about is not known: to the model, all aspects matter alike.", "p", "muted small")
            return
        with box("div", "stack-tight"):
            text("Speaks most of", "p", "small muted")
            with box("ul", "tastes"):
                for one in likes:
                    with box("li", "taste"):
                        text(one.aspect)
                        if one.mentions is not None:
                            text("once" if one.mentions == 1 else f"{one.mentions} times", "span", "muted small number")

    def _known(self, known: tuple[KnownItem, ...] | None) -> None:
        if not known:
            text("What this user has reviewed is not part of this run.", "p", "muted small")
            return
        with folded(f"Reviewed {len(known):,} items" if len(known) != 1 else "Reviewed 1 item"):
            place = box("div", "stack-tight")
        self._page(place, known, 0)

    def _page(self, place: ui.element, known: tuple[KnownItem, ...], page: int) -> None:
        place.clear()
        with place:
            with box("ul", "stack-tight"):
                for item in known[page * AT_ONCE : (page + 1) * AT_ONCE]:
                    with box("li", "small"):
                        text(item.name)
                        if item.note:
                            text(f" · {item.note}", "span", "muted")
            if len(known) > AT_ONCE:
                show_pager(len(known), page, AT_ONCE, "items", lambda page: self._page(place, known, page))

    def _find(self) -> None:
        site = self._opened.site

        async def search(typed: str, most: int) -> Found:
            return await site.ask(lambda _: site.users.found(typed, most))

        def choose(place: int) -> None:
            self._open(site.run.space.users.texts[place])

        SearchField("Find another user", search, lambda place: site.users.names[place], choose, "part of an id")
        everybody = site.run.recommendations.users
        button("A random user", lambda: choose(int(everybody[secrets.randbelow(len(everybody))])))

    def _open(self, user_id: str) -> None:
        """Open the list of another user; how explanations are searched for stays."""
        kept = {name: self._opened.address.all(name) for name in NAMES}
        self._opened.go(self._opened.address.to("/", user=self._opened.site.user_name(user_id), item=None, **kept))
