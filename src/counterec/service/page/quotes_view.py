"""The review sentences behind a value, on a click: a few at a time, as text."""

from __future__ import annotations

from collections.abc import Sequence

from nicegui import ui

from counterec.service.page.pager import show_pager
from counterec.service.page.panel import Opened
from counterec.service.page.quotes import Quote, quotes
from counterec.service.page.text_elements import box, button, text, with_attributes
from counterec.service.page.value_steps import ValueSteps

AT_ONCE = 5
"""How many sentences are shown at once."""


class QuotesView:
    """How many opinions stand behind a row and, when that is clicked, the sentences below it."""

    def __init__(self, opened: Opened, item_id: str, steps: ValueSteps) -> None:
        self._opened, self._item_id, self._steps = opened, item_id, steps
        self._place: ui.element | None = None
        self._open = False
        if not steps.opinions:
            if steps.opinions == 0:
                text("nobody mentions it so far", "span", "muted small")
            return
        behind = "1 opinion" if steps.opinions == 1 else f"{steps.opinions:,} opinions"
        self._button = button(f"{behind} so far: read them", self._clicked, "as-link small")
        with_attributes(self._button, aria_label=f"{behind} so far on {steps.label}: read them")
        with_attributes(self._button, aria_expanded="false")
        self._place = box("div", "quotes")

    async def _clicked(self) -> None:
        if self._place is None:
            return
        self._open = not self._open
        with_attributes(self._button, aria_expanded=str(self._open).lower())
        if not self._open:
            self._place.clear()
            return
        site = self._opened.site
        found = await site.ask(lambda run: quotes(run, self._item_id, self._steps.aspect, site.privacy))
        if self._open:
            self._show(found, 0)

    def _show(self, found: Sequence[Quote] | None, page: int) -> None:
        if self._place is None:
            return
        self._place.clear()
        with self._place:
            if found is None:
                shown = self._opened.site.privacy.shows_text
                missing = "This run keeps no reviews, so there are no sentences to read."
                text(missing if shown else "Review text is not shown (--no-text).", "p", "muted small")
                return
            with box("ul", "quote-list"):
                for quote in found[page * AT_ONCE : (page + 1) * AT_ONCE]:
                    self._quote(quote)
            show_pager(len(found), page, AT_ONCE, "mentions", lambda page: self._show(found, page))

    def _quote(self, quote: Quote) -> None:
        with box("li", f"quote {'praise' if quote.praises else 'complaint'}"):
            text("+" if quote.praises else "−", "span", "sign")
            text("praise: " if quote.praises else "complaint: ", "span", "visually-hidden")
            with box("span", "stack-tight"):
                text(quote.words or "(the source has no text)", "span", "quote-words")
                held_out = "" if quote.counted else " · held out, not counted"
                text(f"{quote.by}{held_out}", "span", "muted small")
