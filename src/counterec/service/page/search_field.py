"""A field to find one of many by typing: the best few are buttons below it, and a line says how many there are."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial

from nicegui import ui
from nicegui.events import GenericEventArguments

from counterec.service.page.background import Newest
from counterec.service.page.text_elements import box, button, text, with_attributes
from counterec.service.page.text_search import Found

SHOWN = 8
"""How many results are shown at once."""
PAUSE_S = 0.15
"""How long typing has to pause before a search begins."""

EMPTY = """
const field = getHtmlElement(%d);
if (field) field.value = "";
if (field && document.activeElement === document.body) field.focus();  // the button that was clicked is gone
"""


class SearchField:
    """A labelled field, and what was found. Nothing is shown until something is typed.

    ``search`` is handed what was typed and how many places are wanted; ``name`` gives the words of a button.
    """

    def __init__(
        self,
        label: str,
        search: Callable[[str, int], Awaitable[Found]],
        name: Callable[[int], str],
        on_choice: Callable[[int], Awaitable[None] | None],
        hint: str = "",
    ) -> None:
        self._search, self._name, self._on_choice = search, name, on_choice
        self._newest = Newest()
        self._home = box("div", "search", role="search", aria_label=label)
        with self._home:
            with box("label", "search-label"):
                text(label)
                self.field = _field(hint)
            self._said = text("", "p", "muted small")
            with_attributes(self._said, role="status")
            self._results = box("ul", "search-results")
        self._shown: dict[int, ui.element] = {}
        self.field.on("input", self._typed, js_handler="(event) => emit(event.target.value)", throttle=PAUSE_S)

    async def _typed(self, event: GenericEventArguments) -> None:
        typed = str(event.args).strip()
        if not typed:
            self._newest.forget()
            self.clear()
            return
        found = await self._newest.of(lambda: self._search(typed, SHOWN))
        if found is not None:
            self._show(found)

    def clear(self) -> None:
        """Take away what was found."""
        self._keep(())
        self._said.set_text("")

    def _show(self, found: Found) -> None:
        more = found.total - len(found.places)
        some = f"{found.total:,} fit; here are the first {len(found.places)}. Type more to narrow them down."
        self._said.set_text(some if more else "" if found.total else "Nothing fits. Try a part of the name, or the id.")
        self._keep(found.places)
        with self._results:
            for at, place in enumerate(found.places):
                if place not in self._shown:
                    self._shown[place] = self._result(place)
                if self._results.default_slot.children[at] is not self._shown[place]:
                    self._shown[place].move(target_index=at)

    def _keep(self, places: Iterable[int]) -> None:
        """Take away the results that are not among these.

        A result that still fits stays the element that it is: a click on a button that was replaced while the
        finger came down would be lost.
        """
        for place in self._shown.keys() - set(places):
            self._shown.pop(place).delete()

    def _result(self, place: int) -> ui.element:
        with box("li") as row:
            button(self._name(place), partial(self._chosen, place), "result")
        return row

    async def _chosen(self, place: int) -> None:
        with self._home:  # the button itself is gone in a moment
            self._newest.forget()
            self.clear()
            ui.run_javascript(EMPTY % self.field.id)
            waiting = self._on_choice(place)
            if waiting is not None:
                await waiting


def _field(hint: str) -> ui.element:
    return with_attributes(
        ui.element("input").classes("field"), type="search", autocomplete="off", spellcheck="false", placeholder=hint
    )
