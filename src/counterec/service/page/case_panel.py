"""The first panel: a user's list, why one item is in it, and what if that item were different."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from nicegui import ui
from nicegui.events import GenericEventArguments

from counterec.errors import CounterecError
from counterec.service.page.advanced import Advanced
from counterec.service.page.answer_by import AnswerBy
from counterec.service.page.background import Newest
from counterec.service.page.case import Case, case_of, steps_of
from counterec.service.page.listing import Listing, listing_now
from counterec.service.page.marks_view import show_legend
from counterec.service.page.page_elements import RankedList
from counterec.service.page.pager import show_pager
from counterec.service.page.panel import Opened
from counterec.service.page.person_card import PersonCard
from counterec.service.page.quotes_view import QuotesView
from counterec.service.page.settings import SearchSettings
from counterec.service.page.text_elements import box, button, folded, heading, notice, text, with_attributes
from counterec.service.page.value_row import ValueRow
from counterec.service.page.value_steps import ValueSteps
from counterec.service.page.waiting import Patience, budget_of, waited
from counterec.service.page.what_if import Outcome, SetValues, outcome, read, written

if TYPE_CHECKING:
    from counterec.core.explainers.budget import Budget
    from counterec.core.explainers.what_if import UserStanding
    from counterec.run import Run

OTHERS_AT_ONCE = 8
"""How many of the other aspects are shown at once."""

ONCE = """(event) => {
  const rows = event.currentTarget;
  if (!rows.dataset.near) emit();
  rows.dataset.near = "yes";
}"""
COPY = """async () => {
  const address = window.location.href;
  try {
    await navigator.clipboard.writeText(address);
    emit(true);
  } catch {  // pages that do not come over https may not use the clipboard
    const field = document.createElement("textarea");
    field.value = address;
    document.body.append(field);
    field.select();
    emit(document.execCommand("copy"));
    field.remove();
  }
}"""


async def case_panel(opened: Opened) -> None:
    """Show the case that the address names; without a name, a good example."""
    site = opened.site
    shown = opened.address.get("user")
    example = await site.ask(lambda _: site.example)
    if shown is None and example is None:
        heading(1, "Nobody has a list in this run")
        notice("There is nothing to show.", "No item competes for any user's list. Look at: counterec show RUN")
        return
    user_id = example[0] if shown is None and example is not None else site.user_id(shown or "")
    listing = await site.ask(lambda run: listing_now(run, user_id))
    if not listing.items:
        heading(1, "This list is empty")
        notice("No item competes for this user's list.", "Find another user.")
        await PersonCard(opened, user_id).show(box("div", "stack"))
        return
    item_id = opened.address.get("item")
    if item_id is None:
        item_id = example[1] if example is not None and user_id == example[0] else listing.items[0].item_id
    site.run.space.items.number(item_id)
    await CasePanel(opened, user_id, item_id, listing).show()


class CasePanel:
    """One case on the screen, and the values that somebody sets on it."""

    def __init__(self, opened: Opened, user_id: str, item_id: str, listing: Listing) -> None:
        self._opened, self._site = opened, opened.site
        self._user_id, self._item_id, self._listing = user_id, item_id, listing
        self._set, self._newest = SetValues(), Newest()
        self._rows: dict[str, ValueRow] = {}
        self._standing: UserStanding | None = None

    async def show(self) -> None:
        """Build the list at once, and the explanation as soon as it is there."""
        with box("div", "case"):
            self._show_list()
            self._right = box("section", "card stack explanation case-why", aria_label="The explanation")
            people = box("div", "case-user")
        await asyncio.gather(self._explain(), PersonCard(self._opened, self._user_id).show(people))

    def _show_list(self) -> None:
        user = self._site.user_name(self._user_id)
        with box("section", "card stack case-list", aria_label="The list"):
            heading(2, f"Recommended to {user}")
            address = self._opened.address.with_params(user=user)
            self._list = RankedList(f"The list of {user}", address, self._item_id)
            self._list.show(self._listing)

    async def _explain(self) -> None:
        """Find the explanation, and show it; while that takes long, it can be cancelled."""
        self._right.clear()
        try:
            self._settings = SearchSettings.of(self._opened.address, self._site.run.config.explain.constraints)
            patience = Patience()
            work = self._site.ask(lambda run: self._case(run, patience))
            with self._right:
                self._heading(self._site.run.item_name(self._item_id), self._is_listed)
            case = await waited(self._right, "Looking for the smallest change", work, patience.given_up.set)
        except CounterecError as error:
            with self._right:
                notice("There is no answer to this.", str(error), kind="error")
            return
        with self._right:
            if case is None:
                notice("Cancelled.", "The list is as it was.")
                button("Try again", self._explain)
            else:
                await self._show_case(case)

    def _case(self, run: Run, patience: Patience) -> Case:
        """The case; the search of a model that shows nothing but scores, which may be slow, can be ended."""

        def budget(run: Run) -> Budget | None:
            return budget_of(run, patience) if self._settings.goal == "minimal" else None

        ids = self._user_id, self._item_id
        return case_of(run, self._site.stored, *ids, self._settings, budget)

    @property
    def _is_listed(self) -> bool:
        return any(item.item_id == self._item_id and item.listed for item in self._listing.items)

    def _heading(self, item: str, listed: bool) -> None:
        heading(1, f"Why is {item} in the list?" if listed else f"What would bring {item} into the list?", "question")

    async def _show_case(self, case: Case) -> None:
        self._shown, self._listing = case, case.listing
        self._list.show(case.listing)
        await AnswerBy(self._opened, case).show()
        with box("div", "stack what-if") as rows:
            for sign in ("pointerenter", "focusin"):
                rows.on(sign, self._get_ready, js_handler=ONCE)
            heading(2, f"What if {case.item} were different?")
            text(self._hint(case), "p", "muted small")
            for steps in case.rows:
                self._add_row(steps)
            self._buttons(case)
            self._said = with_attributes(text("", "p", "outcome"), role="status", aria_live="polite")
            if case.others:
                self._others(case)
        Advanced(self._opened, case.settings, [steps.aspect for steps in case.rows] + list(case.others))
        show_legend(case.record.facts)
        await self._begin(case)

    def _hint(self, case: Case) -> str:
        sliders = all(steps.control == "slider" for steps in case.rows)
        do = "Drag a row and watch the list" if sliders else "Change a row and watch the list"
        if not case.smallest:
            return f"{do}: nothing was found that would do, but you may try."
        if not sliders:
            return f"{do}."
        there = "with all rows at their marks" if len(case.smallest) > 1 else "at the mark"
        return f"{do}: {there}, {case.item} {'leaves' if case.leaves else 'enters'} it."

    def _add_row(self, steps: ValueSteps) -> None:
        case = self._shown
        label = "leaves the list" if case.leaves else "enters the list"
        if len(case.smallest) > 1:
            label += ", with the other" if len(case.smallest) == 2 else ", with the others"
        row = ValueRow(steps, case.item, case.smallest.get(steps.aspect), label, self._moved)
        with row.below:
            QuotesView(self._opened, self._item_id, steps)
        if steps.aspect in self._set.values:
            row.set(self._set.values[steps.aspect])
        self._rows[steps.aspect] = row

    def _buttons(self, case: Case) -> None:
        with box("div", "row"):
            if case.smallest:
                button("Show the smallest change", lambda: self._become(case.smallest), "primary")
            self._undo = button("Undo", self._step_back)
            self._reset = button("Reset", lambda: self._become({}))
            copied = button("Copy as a link", lambda: None)
            copied.on("click", self._copied, js_handler=COPY)

    def _copied(self, event: GenericEventArguments) -> None:
        ui.notify("The link is copied: it leads to what you see now." if event.args else "Copy the address instead.")

    def _others(self, case: Case) -> None:
        """All other aspects, folded away; they are made when they are unfolded."""
        with folded(f"Other aspects ({len(case.others)})") as fold:
            place = box("div", "stack")
        fold.on("toggle", lambda: self._page_of_others(place, 0), js_handler="(event) => event.target.open && emit()")

    async def _page_of_others(self, place: ui.element, page: int) -> None:
        others = self._shown.others
        some = others[page * OTHERS_AT_ONCE : (page + 1) * OTHERS_AT_ONCE]
        named = self._shown.smallest

        def steps(run: Run) -> list[ValueSteps]:
            also = {aspect: [value] for aspect, value in {**named, **self._set.values}.items()}
            return [steps_of(run, self._item_id, aspect, self._settings, also.get(aspect, [])) for aspect in some]

        found = await self._site.ask(steps)
        for aspect in others:
            self._rows.pop(aspect, None)
        place.clear()
        with place:
            for one in found:
                self._add_row(one)
            if len(others) > OTHERS_AT_ONCE:
                size = OTHERS_AT_ONCE
                show_pager(len(others), page, size, "aspects", lambda page: self._page_of_others(place, page))

    async def _begin(self, case: Case) -> None:
        """Set what the address sets."""
        item, set_there = self._site.run.space.items.number(self._item_id), self._opened.address.all("set")
        any_value = case.settings.constraints.of(self._site.run.space).values == "continuous"
        self._set.become(read(self._site.run.space, item, set_there, any_value=any_value))
        self._set.forget_past()
        self._show_buttons()
        if self._set.values:
            await self._put_rows()

    async def _moved(self, steps: ValueSteps, at: int, settled: bool) -> None:
        self._set.slide(steps, at)
        if settled:
            self._settle()
        await self._rank()

    async def _become(self, values: Mapping[str, float]) -> None:
        self._set.become(values)
        self._settle()
        await self._put_rows()

    async def _step_back(self) -> None:
        self._set.undo()
        self._settle()
        await self._put_rows()

    def _settle(self) -> None:
        """What is set now is a step, and in the address."""
        self._set.settle()
        self._show_buttons()
        user, there = self._site.user_name(self._user_id), written(self._site.run.space, self._set.values)
        self._opened.remember(self._opened.address.with_params(user=user, item=self._item_id, set=there))

    def _show_buttons(self) -> None:
        for shown, usable in ((self._undo, self._set.can_undo), (self._reset, bool(self._set.values))):
            shown.props.set_bool("disabled", not usable)

    async def _put_rows(self) -> None:
        for aspect, row in self._rows.items():
            row.set(self._set.values.get(aspect))
        await self._rank()

    async def _get_ready(self) -> None:
        """Score the candidates as soon as somebody comes near the rows: the first drag then waits for nothing."""
        await self._site.ask(self._stands)

    def _stands(self, run: Run) -> UserStanding:
        if self._standing is None:
            self._standing = run.standing(self._user_id)
        return self._standing

    async def _rank(self) -> None:
        """Rank the list with what is set; of several in a row, only the newest is shown."""
        case, values = self._shown, dict(self._set.values)

        def ranked(run: Run) -> Outcome:
            return outcome(run, case, self._stands(run), values)

        found = await self._newest.of(lambda: self._site.ask(ranked))
        if found is None:
            return
        self._list.show(found.listing if values else self._listing)
        self._said.set_text(found.sentence)
        self._said.classes(replace=f"outcome {'crossed' if found.crossed else ''}")
