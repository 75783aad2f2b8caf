"""One aspect of an item as a row that can be set, and the review sentences behind its value."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.value_element import ValueElement

from counterec.service.page.case import Quote, quotes_of
from counterec.service.page.elements import Opened, box, button, show_pages, text, with_attributes
from counterec.service.page.what_if import NOT_MENTIONED, ValueSteps

QUOTES = 5
"""Review sentences on a page of them."""
NEAR_END = 0.3
"""A mark of a slider that is closer to an end, as a share of the slider, takes the place of the end's own mark."""


class ValueRow:
    """One aspect of the item as a slider, a switch or a choice. ``goal`` is the value that an answer gives it."""

    def __init__(
        self,
        steps: ValueSteps,
        item: str,
        goal: float | None,
        goal_label: str,
        on_move: Callable[[ValueSteps, int], Awaitable[None]],
        on_rest: Callable[[], None],
    ) -> None:
        self.steps, self._on_move, self._on_rest = steps, on_move, on_rest
        self._goal = None if goal is None else steps.nearest(goal)
        self._at = steps.now
        label = f"{steps.label} of {item}"
        with box("div", "value-row"):
            with box("div", "row spread"):
                text(steps.label, "span", "value-name")
                self._values = text("", "span", "number")
                if steps.control == "switch":
                    self._control: ValueElement[Any] = ui.switch(value=steps.now == 1, on_change=self._changed)
                elif steps.control == "choice":
                    options = dict(enumerate(steps.shown))
                    self._control = ui.select(options, value=steps.now, on_change=self._changed)
                    self._control.props("outlined dense options-dense")
            if steps.control == "slider":
                self._control = self._slider(goal_label)
            with_attributes(self._control, aria_label=label)
            self._note = text("", "p", "muted small value-note")
            self.below = box("div", "value-below row")
        self._tell()

    def put(self, code: float | None) -> None:
        """Put the row to this value; None: to what it is."""
        self._at = self.steps.now if code is None else self.steps.nearest(code)
        self._control.set_value(bool(self._at) if self.steps.control == "switch" else self._at)
        self._tell()

    def _slider(self, goal_label: str) -> ui.slider:
        shown, last = self.steps.shown, len(self.steps.codes) - 1
        labels = {0: shown[0], last: shown[last]}
        if self._goal is not None and self._goal != self.steps.now:
            labels = {at: said for at, said in labels.items() if abs(at - self._goal) > NEAR_END * last}
            labels[self._goal] = goal_label
        sides = {0: "first-label", last: "last-label"}
        made = ui.slider(min=0, max=last, value=self._at, on_change=self._changed)
        made.props["marker-labels"] = [
            {"value": at, "label": said, "classes": sides.get(at, "")} for at, said in labels.items()
        ]
        made.on("change", self._rest)
        return made

    async def _changed(self, event: object) -> None:
        at = int(getattr(event, "value", None) or 0)
        if at != self._at:  # not what the page itself has set
            self._at = at
            self._tell()
            if self.steps.control != "slider":
                await self._on_move(self.steps, at)
                self._on_rest()
                return
            await self._on_move(self.steps, at)

    async def _rest(self, event: object) -> None:
        """Take the value at which the slider has come to rest."""
        at = int(getattr(event, "args", None) or 0)
        self._at = at
        self._tell()
        await self._on_move(self.steps, at)
        self._on_rest()

    def _tell(self) -> None:
        """Say “4.0 → 2.1 of 5”: the present value, the one that is set or in the answer, and what it takes."""
        steps, at = self.steps, self._at
        after = at if at != steps.now or self._goal is None else self._goal
        said = steps.shown[steps.now] if after == steps.now else f"{steps.shown[steps.now]} → {steps.shown[after]}"
        said = self._scaled(said, after)
        if steps.control == "slider":
            spoken = ", ".join(part for part in (self._scaled(steps.shown[at], at), steps.notes[at]) if part)
            with_attributes(self._control, aria_valuetext=spoken)
        self._values.set_text("" if steps.control == "choice" and after == steps.now else said)
        self._note.set_text(steps.notes[at])

    def _scaled(self, said: str, at: int) -> str:
        """Add what a number is out of."""
        steps = self.steps
        return said if steps.shown[at] == NOT_MENTIONED or not steps.scale else f"{said} {steps.scale}"


class QuotesView:
    """How many opinions are behind a row and, when that is clicked, the sentences below it."""

    def __init__(self, opened: Opened, item_id: str, steps: ValueSteps) -> None:
        self._opened, self._item_id, self._steps = opened, item_id, steps
        self._open = False
        if not steps.opinions:
            if steps.opinions == 0:
                text("nobody mentions it so far", "span", "muted small")
            return
        behind = "1 opinion" if steps.opinions == 1 else f"{steps.opinions:,} opinions"
        self._button = button(f"{behind} so far: read them", self._click, "as-link small", aria_expanded="false")
        with_attributes(self._button, aria_label=f"{behind} so far on {steps.label}: read them")
        self._place = box("div", "quotes")

    async def _click(self) -> None:
        self._open = not self._open
        with_attributes(self._button, aria_expanded=str(self._open).lower())
        self._place.clear()
        if self._open:
            site = self._opened.site
            found = await site.ask(lambda run: quotes_of(run, self._item_id, self._steps.aspect, site.privacy))
            self._show(found, 0)

    def _show(self, found: tuple[Quote, ...] | None, page: int) -> None:
        self._place.clear()
        with self._place:
            if found is None:
                shown = self._opened.site.privacy.shows_text
                missing = "This run keeps no reviews, so there are no sentences to read."
                text(missing if shown else "Review text is not shown (--no-text).", "p", "muted small")
                return
            with box("ul", "quote-list"):
                for quote in found[page * QUOTES : (page + 1) * QUOTES]:
                    self._quote(quote)
            show_pages(len(found), QUOTES, "mentions", page, lambda page: self._show(found, page))

    def _quote(self, quote: Quote) -> None:
        with box("li", f"quote {'praise' if quote.praises else 'complaint'}"):
            text("+" if quote.praises else "−", "span", "sign")
            text("praise: " if quote.praises else "complaint: ", "span", "visually-hidden")
            with box("span", "stack-tight"):
                text(quote.words or "(the source has no text)", "span", "quote-words")
                held_out = "" if quote.counted else " · held out, not counted"
                text(f"{quote.by}{held_out}", "span", "muted small")
