"""Elements that all panels share. Text is always text: what looks like HTML in it is shown as it is."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Any, TypeVar

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement
from nicegui.events import GenericEventArguments

from counterec.core.explainers.budget import Budget
from counterec.core.scorers.base import aspect_part_of
from counterec.errors import CounterecError
from counterec.service.page.site import Address, Newest, Site, TextSearch
from counterec.wording import (
    AnswerRecord,
    AudienceRecord,
    Change,
    Mark,
    background,
    legend,
    marks,
    sentence,
)
from counterec.wording.phrases import attribute_name, shown_values, values

if TYPE_CHECKING:
    from counterec.run import Run
    from counterec.service.page.case import Listing

E = TypeVar("E", bound=ui.element)
T = TypeVar("T")

OFFERED = 20
"""Results of a search that are offered."""
PAUSE_S = 0.15
"""Shortest time between two searches."""
SOON_S = 0.3
"""What is done by then needs no word."""
SLOW_S = 1.5
"""What takes longer can be cancelled."""


class Opened:
    """A panel that somebody has opened: the run, and the address, which changes as they click."""

    def __init__(self, site: Site, address: Address, on_remember: Callable[[Address], None] | None = None) -> None:
        self.site, self.address, self._on_remember = site, address, on_remember

    def remember(self, address: Address) -> None:
        """Put another address into the browser; the panel already shows what it says."""
        self.address = address
        ui.navigate.history.replace(address.query)
        if self._on_remember is not None:
            self._on_remember(address)

    def go(self, address: Address) -> None:
        """Open another address, in the history of the browser."""
        ui.navigate.to(str(address))


# Plain HTML


def text(said: str, tag: str = "span", classes: str = "") -> TextElement:
    """Show text in an element of this kind, in the direction that it is written in."""
    return TextElement(tag=tag, text=said).classes(classes).props("dir=auto")


def heading(level: int, said: str, classes: str = "") -> TextElement:
    """Show a heading."""
    return text(said, f"h{level}", classes)


def box(tag: str = "div", classes: str = "", **attributes: str) -> ui.element:
    """Make an element that holds others; ``aria_label`` stands for the attribute ``aria-label``."""
    return with_attributes(ui.element(tag).classes(classes), **attributes)


def with_attributes(element: E, **attributes: str) -> E:
    """Set attributes of an element, whatever is in their values."""
    for name, value in attributes.items():
        element.props[name.replace("_", "-")] = value
    return element


def link(said: str, target: str, classes: str = "") -> ui.link:
    """Show a link within the page; ``target`` begins with a slash, wherever the page is mounted."""
    return ui.link(said, target).classes(classes)


def button(said: str, on_click: Callable[[], Any], classes: str = "", **attributes: str) -> TextElement:
    """Show a button."""
    made = TextElement(tag="button", text=said).classes(f"button {classes}").props("type=button")
    return with_attributes(made, **attributes).on("click", on_click)


def folded(summary: str, classes: str = "") -> ui.element:
    """Make an element that is folded away until its summary is clicked."""
    made = box("details", classes)
    with made:
        text(summary, "summary")
    return made


def notice(title: str, *lines: str, kind: str = "") -> ui.element:
    """Show an empty, missing or error state: what is so, and what to do."""
    made = box("section", f"notice {kind}", role="alert" if kind == "error" else "status")
    with made:
        text(title, "p", "notice-title")
        for line in lines:
            text(line, "p")
    return made


def show_figure(number: str, meaning: str) -> None:
    """Show a number and what it means."""
    with box("div"):
        text(number, "dd", "figure number")
        text(meaning, "dt", "muted small")


# Controls


def choice(label: str, options: Mapping[str, str], chosen: str, on_choice: Callable[[str], Any]) -> ui.select:
    """Show a choice among a few; ``options`` maps values to words."""
    made = ui.select(dict(options), label=label, value=chosen, on_change=lambda event: on_choice(event.value))
    return made.props("outlined dense options-dense").classes("choice")


def search_choice(
    opened: Opened,
    label: str,
    search: TextSearch,
    chosen: int | None,
    on_choice: Callable[[int], Any],
    allowed: Callable[[int], bool] | None = None,
) -> ui.select:
    """Show a choice among many names by typing a part of one; the server searches and sends the best few."""
    newest = Newest()

    def offer(places: Sequence[int]) -> dict[int, str]:
        known = [] if made.value is None else [made.value]
        return {place: search.names[place] for place in (*known, *places)}

    async def find(event: GenericEventArguments) -> None:
        typed = str(event.args or "")
        found = await newest.of(lambda: opened.site.ask(lambda _: search.find(typed, OFFERED, allowed)))
        if found is not None:
            made.set_options(offer(found))

    def choose(value: int | None) -> Any:
        return None if value is None else on_choice(value)

    first = {} if chosen is None else {chosen: search.names[chosen]}
    made = ui.select(
        first, label=label, value=chosen, with_input=True, on_change=lambda event: choose(event.value)
    ).props("outlined dense options-dense")
    made.on("input-value", find, throttle=PAUSE_S)
    return made.classes("search")


def show_pages(total: int, size: int, what: str, page: int, on_page: Callable[[int], Any]) -> None:
    """Say how many there are and, if they do not fit on a page, lead to the others; pages are counted from 0."""
    first, last = page * size + 1, min(total, (page + 1) * size)
    with box("nav", "row", aria_label=f"Pages of {what}"):
        text(f"{first:,}–{last:,} of {total:,} {what}" if total else f"No {what}", "span", "muted small number")
        if total > size:
            pages = ui.pagination(
                1, ceil(total / size), value=page + 1, on_change=lambda event: on_page((event.value or 1) - 1)
            )
            pages.props("max-pages=5 direction-links")


class RankedList(ui.element, component="ranked_list.js"):
    """A user's list with its cut, whose items move when it is ranked anew; each is a link to its own case."""

    def __init__(self, label: str, address: Address, chosen: str) -> None:
        super().__init__()
        self._address, self._chosen = address, chosen
        self.props["label"] = label
        self.props["rows"] = []
        self.props["cut"] = ""

    def show(self, listing: Listing) -> None:
        """Show another list, or the same after a change."""
        self.props["cut"] = f"The list ends here, after {sum(item.listed for item in listing.items)}"
        self.props["rows"] = [
            {
                "position": item.position,
                "id": item.item_id,
                "name": item.name,
                "listed": item.listed,
                "movement": "" if item.was is None else f"was {item.was}",
                "chosen": item.item_id == self._chosen,
                "href": str(self._address.with_params(item=item.item_id, set=None)),
            }
            for item in listing.items
        ]
        self.update()


# Answers


def show_answer(record: AnswerRecord | AudienceRecord) -> None:
    """Show an answer; one that found nothing says so, and has the nearest miss if there is one."""
    text(sentence(record), "p", "sentence")
    if record.changes:
        _show_changes(record.changes)
    show_marks(marks(record))
    if beside := background(record):
        text(beside, "p", "muted small")


def show_marks(found: Sequence[Mark]) -> None:
    """Show the marks of an answer as words; the meaning appears when one points at them."""
    with box("ul", "marks", aria_label="What is established"):
        for mark in found:
            with box("li"):
                with box("button", f"mark {mark.tone}", type="button") as shown:
                    text(mark.label)
                tip = text(mark.meaning, "span", "tip")
                name = f"mark-{tip.id}"  # several answers may be on a page
                with_attributes(tip, role="tooltip", id=name)
                with_attributes(shown, aria_describedby=name)


def show_legend(facts: bool) -> None:
    """Show all marks and what they mean."""
    with folded("What the marks mean"), box("dl", "legend small"):
        for mark in legend(facts=facts):
            text(mark.label, "dt")
            text(mark.meaning, "dd", "muted")


def _show_changes(changes: Sequence[Change]) -> None:
    """Show one row per change; numbers lie on a scale from their lowest to their highest value."""
    with box("ul", "changes"):
        for change in changes:
            with box("li", "stack-tight"):
                with box("div", "row spread"):
                    facts = change.attribute is not None
                    text(attribute_name(change.aspect) if facts else change.aspect, "span", "bar-name")
                    text(_describe(change), "span", "number")
                if change.moved and (change.attribute is None or change.attribute.is_number):
                    _show_scale(change)


def _describe(change: Change) -> str:
    """Return “4.5 → 2.1 of 5; 15 opinions so far”."""
    if change.attribute is None:
        return values(change)
    before, after = shown_values(change)
    return f"{before} → {after}"


def _show_scale(change: Change) -> None:
    """Draw the way of a change on its scale; the words beside it say the same."""
    places = [min(max((value - change.low) / change.span, 0.0), 1.0) for value in (change.before, change.after)]
    left, right = sorted(places)
    with box("div", "scale", aria_hidden="true"):
        box("span", "scale-way").style(f"left: {100 * left:.1f}%; width: {100 * (right - left):.1f}%")
        for name, place in zip(("before", "after"), places, strict=True):
            box("span", f"scale-end {name}").style(f"left: {100 * place:.1f}%")


# Waiting for an answer


@dataclass(frozen=True)
class Patience(Budget):
    """A budget that is spent as soon as nobody waits any more."""

    given_up: threading.Event = field(default_factory=threading.Event)

    @property
    def is_late(self) -> bool:
        """Whether nobody waits."""
        return self.given_up.is_set() or super().is_late


def budget_of(run: Run, patience: Patience) -> Budget | None:
    """Return the budget of a search that somebody waits for.

    It can be ended if the model shows nothing but scores and may be slow. With any other model, counting its calls
    would take longer than the search.
    """
    return None if hasattr(aspect_part_of(run.scorer), "unrolled") else patience


class AnswerPlace:
    """A place that holds one answer at a time: it says what is being computed, and shows only the newest answer."""

    def __init__(self, classes: str = "stack") -> None:
        self._place = box("div", classes, aria_live="polite")
        self._patience = Patience()

    async def fill(
        self, said: str, begin: Callable[[Patience], Awaitable[T]], show: Callable[[T], Awaitable[None] | None]
    ) -> None:
        """Compute something and show it; give up what was begun before.

        An error of the question is shown instead, and so is that somebody has cancelled it.
        """
        self.empty()
        patience = self._patience
        found: T | CounterecError | None
        try:
            found = await self._wait(said, begin(patience), patience.given_up.set)
        except CounterecError as error:
            found = error
        if patience is not self._patience or self._place.is_deleted:
            return
        self._place.clear()
        with self._place:
            if isinstance(found, CounterecError):
                notice("There is no answer to this.", str(found), kind="error")
            elif found is None:
                notice("Cancelled.", "Ask again whenever you like.")
            elif (shown := show(found)) is not None:
                await shown

    def empty(self) -> None:
        """Take the answer away."""
        self._patience.given_up.set()
        self._patience = Patience()
        self._place.clear()

    async def _wait(self, said: str, work: Awaitable[T], give_up: Callable[[], None]) -> T | None:
        """Return the result of the work, or None if it was cancelled; meanwhile say what is being done."""
        task = asyncio.ensure_future(work)
        done, _ = await asyncio.wait({task}, timeout=SOON_S)
        if not done:
            await self._show_waiting(said, task, give_up)
        return None if task.cancelled() else await task

    async def _show_waiting(self, said: str, task: asyncio.Future[T], give_up: Callable[[], None]) -> None:
        def cancel() -> None:
            give_up()
            task.cancel()

        with self._place, box("div", "waiting stack-tight", role="status") as shown:
            line = text(f"{said} …", "p")
            ui.linear_progress(show_value=False).props("indeterminate").props["aria-label"] = said
        done, _ = await asyncio.wait({task}, timeout=SLOW_S - SOON_S)
        if not done and not shown.is_deleted:
            with shown:
                button("Cancel", cancel)
        seconds = 1
        while not done:
            line.set_text(f"{said} … {seconds} s")
            done, _ = await asyncio.wait({task}, timeout=1.0)
            seconds += 1
