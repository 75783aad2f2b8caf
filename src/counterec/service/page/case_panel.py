"""The first panel: a user's list, why one item is in it, and what if that item were different."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from nicegui import ui

from counterec.core.explainers.goal_names import GOALS
from counterec.errors import ConfigError
from counterec.service.page.case import (
    SETTINGS,
    Bounds,
    Case,
    KnownItem,
    Listing,
    SearchSettings,
    Taste,
    bounds_of,
    case_of,
    known_items_of,
    listing_after,
    listing_now,
    steps_of,
    taste_of,
    with_bounds,
)
from counterec.service.page.elements import (
    AnswerPlace,
    Opened,
    Patience,
    RankedList,
    box,
    budget_of,
    button,
    choice,
    folded,
    heading,
    notice,
    search_choice,
    show_legend,
    show_marks,
    text,
    with_attributes,
)
from counterec.service.page.site import Newest
from counterec.service.page.value_row import QuotesView, ValueRow
from counterec.service.page.what_if import Outcome, ValueSteps, rank_with, read, write
from counterec.wording import HistoryRecord, marks, reason, sentence

if TYPE_CHECKING:
    from counterec.core.explainers.budget import Budget
    from counterec.core.explainers.what_if import UserStanding
    from counterec.run import Run

KNOWN = 20
"""Reviewed items that are named."""
BY = {"aspects": "its aspects", "history": "past reviews"}
"""What an answer may name → the words of the choice."""
GOAL_WORDS = {
    "minimal": "as few aspects as possible",
    "single": "one aspect only",
    "relaxed": "small changes of many aspects",
    "complete": "all that its place rests on",
}


async def case_panel(opened: Opened) -> None:
    """Show the case that the address names; without a name, the first explained one."""
    site = opened.site
    shown = opened.address.get("user")
    example = await site.ask(lambda _: site.example)
    if shown is None and example is None:
        heading(1, "No user has a list in this run")
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
    """One case on the screen, and the values that somebody sets on it: aspect → value."""

    def __init__(self, opened: Opened, user_id: str, item_id: str, listing: Listing) -> None:
        self._opened, self._site = opened, opened.site
        self._user_id, self._item_id, self._listing = user_id, item_id, listing
        self._set: dict[str, float] = {}
        self._newest = Newest()
        self._rows: dict[str, ValueRow] = {}
        self._standing: UserStanding | None = None

    async def show(self) -> None:
        """Build the list at once, and the explanation as soon as it is there."""
        with box("div", "case"):
            self._show_list()
            with box("section", "card stack explanation case-why", aria_label="The explanation"):
                listed = any(item.item_id == self._item_id and item.listed for item in self._listing.items)
                item = self._site.run.item_name(self._item_id)
                asked = f"Why is {item} in the list?" if listed else f"What would bring {item} into the list?"
                heading(1, asked, "question")
                place = AnswerPlace("stack explanation")
            people = box("div", "case-user")
        explained = place.fill("Looking for the smallest change", self._find_case, self._show_case)
        await asyncio.gather(explained, PersonCard(self._opened, self._user_id).show(people))

    def _show_list(self) -> None:
        user = self._site.user_name(self._user_id)
        with box("section", "card stack case-list", aria_label="The list"):
            heading(2, f"Recommended to {user}")
            self._list = RankedList(f"The list of {user}", self._opened.address.with_params(user=user), self._item_id)
            self._list.show(self._listing)

    async def _find_case(self, patience: Patience) -> Case:
        settings = SearchSettings.of(self._opened.address, self._site.run.config.explain.constraints)

        def budget(run: Run) -> Budget | None:
            return budget_of(run, patience) if settings.goal == "minimal" else None

        ids, site = (self._user_id, self._item_id), self._site
        return await site.ask(lambda run: case_of(run, site.stored, *ids, settings, budget))

    async def _show_case(self, case: Case) -> None:
        self._case, self._listing = case, case.listing
        self._list.show(case.listing)
        await AnswerBy(self._opened, case).show()
        with box("div", "stack what-if"):
            heading(2, f"What if {case.item} were different?")
            text(self._hint(case), "p", "muted small")
            self._place = box("div", "stack")
            for steps in case.rows:
                self._add_row(steps)
            with box("div", "row"):
                if case.smallest:
                    button("Show the smallest change", lambda: self._become(case.smallest), "primary")
                self._reset = button("Reset", lambda: self._become({}))
            self._said = with_attributes(text("", "p", "outcome"), role="status", aria_live="polite")
            if case.others:
                others = {aspect: aspect for aspect in case.others}
                add = ui.select(
                    others, label="Change another aspect", with_input=True, on_change=lambda event: one(event.value)
                ).props("outlined dense options-dense")
                add.classes("search")

                async def one(aspect: str | None) -> None:
                    if aspect is not None:
                        await self._add_other(aspect)
                        add.set_options({other: other for other in others if other not in self._rows}, value=None)

        SettingsForm(self._opened, case.settings, [steps.aspect for steps in case.rows] + list(case.others))
        show_legend(case.record.facts)
        await self._begin()

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
        case = self._case
        label = "leaves the list" if case.leaves else "enters the list"
        if len(case.smallest) > 1:
            label += ", with the other" if len(case.smallest) == 2 else ", with the others"
        with self._place:
            row = ValueRow(steps, case.item, case.smallest.get(steps.aspect), label, self._move, self._remember)
            with row.below:
                QuotesView(self._opened, self._item_id, steps)
        if steps.aspect in self._set:
            row.put(self._set[steps.aspect])
        self._rows[steps.aspect] = row

    async def _add_other(self, aspect: str) -> None:
        case = self._case
        named = [values[aspect] for values in (case.smallest, self._set) if aspect in values]
        self._add_row(await self._site.ask(lambda run: steps_of(run, self._item_id, aspect, case.settings, named)))

    async def _begin(self) -> None:
        """Set what the address sets."""
        space, there = self._site.run.space, self._opened.address.all("set")
        any_value = self._case.settings.constraints.of(space).values == "continuous"
        item = space.items.number(self._item_id)
        self._set = read(space, item, there, any_value=any_value)
        for aspect in self._set:
            if aspect not in self._rows:
                await self._add_other(aspect)
        await self._put_rows()

    async def _move(self, steps: ValueSteps, at: int) -> None:
        self._set = {aspect: value for aspect, value in self._set.items() if aspect != steps.aspect}
        if at != steps.now:
            self._set[steps.aspect] = steps.codes[at]
        await self._rank()

    async def _become(self, values: Mapping[str, float]) -> None:
        self._set = dict(values)
        for aspect in values:
            if aspect not in self._rows:
                await self._add_other(aspect)
        self._remember()
        await self._put_rows()

    def _remember(self) -> None:
        """Write what is set into the address."""
        user, there = self._site.user_name(self._user_id), write(self._site.run.space, self._set)
        self._opened.remember(self._opened.address.with_params(user=user, item=self._item_id, set=there))

    async def _put_rows(self) -> None:
        for aspect, row in self._rows.items():
            row.put(self._set.get(aspect))
        await self._rank()

    async def _rank(self) -> None:
        """Rank the list with what is set; of several changes in a row, show only the newest."""
        case, values = self._case, dict(self._set)
        self._reset.props.set_bool("disabled", not values)
        if not values:
            self._newest.forget()
            self._show_ranked(self._listing, "", False)
            return

        def rank(run: Run) -> tuple[Listing, Outcome]:
            if self._standing is None:
                self._standing = run.standing(self._user_id)
            outcome = rank_with(run, case.item_id, values, self._standing, case.settings.constraints)
            return listing_after(run, outcome.found), outcome

        ranked = await self._newest.of(lambda: self._site.ask(rank))
        if ranked is not None:
            listing, outcome = ranked
            self._show_ranked(listing, outcome.sentence, outcome.crossed)

    def _show_ranked(self, listing: Listing, said: str, crossed: bool) -> None:
        self._list.show(listing)
        self._said.set_text(said)
        self._said.classes(replace=f"outcome {'crossed' if crossed else ''}")


class AnswerBy:
    """The answer of a case, by aspects of the item or by past reviews of the user: the reader chooses."""

    def __init__(self, opened: Opened, case: Case) -> None:
        self._opened, self._case, self._site = opened, case, opened.site

    async def show(self) -> None:
        """Show the answer that the address names; without a name, that by aspects."""
        chosen = "history" if self._case.by_history and self._opened.address.get("by") == "history" else "aspects"
        with box("div", "answers"):
            self._own = box("div", "stack")
            self._past = AnswerPlace()
        if self._case.by_history:
            choice("Explained by", BY, chosen, self._choose)
        await self._fill(chosen)

    async def _choose(self, by: str) -> None:
        self._opened.remember(self._opened.address.with_params(by=None if by == "aspects" else by))
        await self._fill(by)

    async def _fill(self, by: str) -> None:
        self._own.clear()
        self._past.empty()
        if by == "history":
            await self._past.fill("Trying past reviews", self._ask, self._show_past)
            return
        case = self._case
        with self._own:
            text(case.headline, "p", "headline")
            text(case.sentence, "p", "sentence")
            if case.origin:
                text(case.origin, "p", "origin small")
            show_marks(case.marks)

    async def _ask(self, patience: Patience) -> HistoryRecord:
        case = self._case

        def answer(run: Run) -> HistoryRecord:
            table = run.explain(case.user_id, case.item_id, by="history", budget=patience)
            return run.history_record(table.row(0, named=True))

        return await self._site.ask(answer)

    def _show_past(self, record: HistoryRecord) -> None:
        text(reason(record), "p", "headline")
        text(sentence(record), "p", "sentence")
        show_marks(marks(record))


class SettingsForm:
    """How an explanation is searched for: the goal, aspects that stay, and limits of values."""

    def __init__(self, opened: Opened, settings: SearchSettings, aspects: list[str]) -> None:
        self._opened, self._settings = opened, settings
        self._usual, space = opened.site.run.config.explain.constraints, opened.site.run.space
        own, numbers = (
            settings.constraints,
            [name for name in aspects if not space.scale.is_category[space.aspects.number(name)]],
        )
        changed = any(value is not None for value in settings.write(self._usual).values())
        with folded("Advanced: how the explanation is searched for", "advanced") as place:
            if changed:
                with_attributes(place, open="open")
            with box("div", "settings"):
                self._goal = choice(
                    "Look for", {goal: GOAL_WORDS[goal] for goal in GOALS}, settings.goal, lambda _: None
                )
                self._kept = self._choose_aspects("Keep as they are", sorted({*aspects, *own.keep}), list(own.keep))
                limited = sorted({*numbers, *bounds_of(own)})
                self._limited = self._choose_aspects("Limit the values of", limited, list(bounds_of(own)))
            self._limited.on_value_change(self._show_ends)
            self._place, self._ends = box("div", "stack-tight"), dict[str, tuple[ui.number, ui.number]]()
            self._show_ends()
            with box("div", "row"):
                button("Explain anew", self._apply, "primary")
                if changed:
                    usual = SearchSettings("minimal", self._usual)
                    button("Back to the usual settings", lambda: self._open(usual))

    def _choose_aspects(self, label: str, aspects: list[str], chosen: list[str]) -> ui.select:
        made = ui.select(aspects, label=label, value=chosen, multiple=True)
        return made.props("outlined dense options-dense use-chips")

    def _show_ends(self) -> None:
        """Show two fields for each aspect whose values are limited."""
        known: dict[str, Bounds] = {**bounds_of(self._settings.constraints), **self._bounds}
        self._place.clear()
        self._ends = {}
        for name in self._limited.value:
            least, greatest = known.get(name, (None, None))
            with self._place, box("div", "row", role="group", aria_label=f"The limits of {name}"):
                text(name, "span", "small")
                ends = ui.number("from", value=least, format="%g"), ui.number("to", value=greatest, format="%g")
                for end in ends:
                    end.props("outlined dense")
            self._ends[name] = ends

    @property
    def _bounds(self) -> dict[str, Bounds]:
        return {name: (least.value, greatest.value) for name, (least, greatest) in self._ends.items()}

    def _apply(self) -> None:
        try:
            constraints = with_bounds(replace(self._settings.constraints, keep=tuple(self._kept.value)), self._bounds)
        except ConfigError as error:
            ui.notify(str(error))
            return
        for goal in GOALS:
            if goal == self._goal.value:
                self._open(SearchSettings(goal, constraints))

    def _open(self, settings: SearchSettings) -> None:
        self._opened.go(self._opened.address.with_params(set=None, **settings.write(self._usual)))


class PersonCard:
    """A user: what they care about, what they reviewed, and a way to another one."""

    def __init__(self, opened: Opened, user_id: str) -> None:
        self._opened, self._user_id = opened, user_id

    async def show(self, place: ui.element) -> None:
        """Build the card there."""
        site, user_id = self._opened.site, self._user_id
        likes, known = await site.ask(lambda run: (taste_of(run, user_id), known_items_of(run, user_id)))
        with place, box("section", "card stack", aria_label="The user"):
            heading(2, f"About {site.user_name(user_id)}")
            self._show_taste(likes)
            self._show_known(known)
            everybody = site.run.recommendations.users
            search_choice(self._opened, "Find another user", site.users, None, self._open)
            button("A random user", lambda: self._open(int(everybody[secrets.randbelow(len(everybody))])))

    def _show_taste(self, likes: tuple[Taste, ...]) -> None:
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

    def _show_known(self, known: tuple[KnownItem, ...] | None) -> None:
        if not known:
            text("What this user has reviewed is not part of this run.", "p", "muted small")
            return
        count = f"Reviewed {len(known):,} items" if len(known) != 1 else "Reviewed 1 item"
        with folded(count), box("ul", "stack-tight small"):
            for item in known[:KNOWN]:
                with box("li"):
                    text(item.name)
                    if item.note:
                        text(f" · {item.note}", "span", "muted")
            if len(known) > KNOWN:
                text(f"and {len(known) - KNOWN:,} more", "li", "muted")

    def _open(self, user: int) -> None:
        """Open the list of another user; how explanations are searched for stays."""
        site, address = self._opened.site, self._opened.address
        kept = {name: address.all(name) for name in SETTINGS}
        shown = site.user_name(site.run.space.users.texts[user])
        self._opened.go(address.to("/", user=shown, item=None, **kept))
