"""The model: what decides its recommendations overall, for whom and where, and from every bar the cases behind it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import polars as pl
from nicegui import ui

from counterec.report.overview import CaseFilter, Group
from counterec.service.page.elements import (
    Opened,
    box,
    button,
    choice,
    folded,
    heading,
    link,
    notice,
    show_figure,
    show_pages,
    text,
)
from counterec.service.page.model import (
    ASPECTS,
    CASES,
    GROUPS,
    SCOPE,
    Bar,
    CasePage,
    Choices,
    ModelOverview,
    ModelScope,
    ShareTable,
    percent,
    title_cases,
)
from counterec.service.page.site import Newest
from counterec.wording import AnswerRecord, sentence

ORDERS = {"often": "how often they decide", "strongly": "how strongly they decide"}
FILTERS = {
    "activity": ("Users with so many reviews", "any number"),
    "taste": ("Users who care most about", "anything"),
    "position": ("Position in the list", "any"),
}
"""The words of each filter, and of leaving it open."""
EVERYTHING = ""
"""What an open filter says in a form."""
WIN = "The item is in so many lists, of those that have it, that it would leave if it were worse on the aspect."
LOSE = "The item is just below so many lists, in which another one is listed because of the aspect."


async def model_panel(opened: Opened) -> None:
    """Show what drives the model."""
    heading(1, "What drives this model?")
    cases = await opened.site.ask(lambda _: opened.site.cases)
    if cases is None:
        notice(
            "This run has lists, but no stored explanations: there is nothing to count yet.",
            "counterec run explains whole runs. Single items can be explained on the first panel all the same.",
        )
        return
    await ModelPanel(opened, cases).show()


class ModelPanel:
    """One opening of the panel; the address has all of its state. Fields stay; what they decide is shown again."""

    def __init__(self, opened: Opened, cases: pl.DataFrame) -> None:
        self._opened, self._cases = opened, cases
        self._newest, self._newest_cases = Newest(), Newest()
        self._bodies: dict[str, ui.element] = {}

    async def show(self) -> None:
        """Build everything: filters, numbers, and the cases that the address names."""
        with box("div", "row filters", role="group", aria_label="Whose recommendations are counted"):
            for name in SCOPE:
                self._filter(name)
        self._nothing = box("div")
        self._figures = box("dl", "figures")
        with box("div", "two-columns charts"):
            with box("div", "stack"):
                self._sections()
            self._behind = box("section", "card stack behind", aria_label="The cases behind a bar")
        await self._refresh()

    def _sections(self) -> None:
        """The empty sections, each with the field that decides what it shows."""
        said = "An aspect decides a recommendation if the item would leave the list, were it worse on this aspect."
        self._section("aspects", "Aspects that decide", said, ("Order by", "order", ORDERS, self._order))
        by = ("By", "by", {str(group): said for group, said in GROUPS.items()}, self._by)
        self._section("groups", "For whom, and where", "", by)
        self._section("wins", "Items that win by an aspect", WIN)
        self._section("loses", "Items that lose by an aspect", LOSE)
        self._section("statuses", "What became of the recommendations", "")

    def _section(
        self, name: str, title: str, said: str, field: tuple[str, str, dict[str, str], str] | None = None
    ) -> None:
        with box("section", "card stack", aria_label=title):
            with box("div", "row spread"):
                heading(2, title)
                if field is not None:
                    label, param, options, chosen = field
                    choice(label, options, chosen, self._set(param))
            if said:
                text(said, "p", "muted small")
            self._bodies[name] = box("div", "stack")

    @property
    def _scope(self) -> ModelScope:
        return ModelScope.of(self._opened.address)

    @property
    def _by(self) -> Group:
        asked = self._opened.address.get("by")
        return next((group for group in GROUPS if group == asked), "position")

    @property
    def _order(self) -> str:
        asked = self._opened.address.get("order")
        return asked if asked in ORDERS else "often"

    def _remember(self, **values: str | None) -> None:
        self._opened.remember(self._opened.address.with_params(**values))

    def _set(self, param: str) -> Callable[[str], Awaitable[None]]:
        async def chosen(value: str) -> None:
            self._remember(**{param: value})
            await self._refresh()

        return chosen

    def _filter(self, name: str) -> None:
        """A choice among recommendations; a group that the run does not know is not offered."""
        values = self._cases[name].drop_nulls()
        known = values.value_counts(sort=True)[name] if name == "taste" else values.unique().sort()
        if len(known) < 2:
            return
        label, everything = FILTERS[name]
        options = {EVERYTHING: everything} | {str(value): str(value) for value in known}

        async def narrow(value: str) -> None:
            wanted = int(value) if name == "position" and value else value or None
            self._remember(**self._scope.narrowed(**{name: wanted}).params(), page=None)
            await self._refresh()

        chosen = getattr(self._scope.whose, name)
        choice(label, options, EVERYTHING if chosen is None else str(chosen), narrow)

    async def _refresh(self) -> None:
        """Count again what the address means, and show it."""
        scope, by = self._scope, self._by
        found = await self._newest.of(
            lambda: self._opened.site.ask(lambda _: ModelOverview.of(scope.recommendations(self._cases), by))
        )
        if found is not None:
            self._show_numbers(found)
            await self._show_behind()

    def _show_numbers(self, found: ModelOverview) -> None:
        for body in (self._nothing, self._figures, *self._bodies.values()):
            body.clear()
        if not found.figures.recommendations:
            with self._nothing:
                notice("No recommendation fits these filters.", "Leave one of them open.")
        with self._figures:
            for number, meaning in found.figures_in_words():
                show_figure(number, meaning)
        chosen, name = self._scope.chosen, self._opened.site.run.item_name
        self._show_bars("aspects", found.aspect_bars(self._order == "strongly", chosen))
        self._show_bars("wins", found.item_bars("wins", name, chosen))
        self._show_bars("loses", found.item_bars("loses", name, chosen))
        self._show_bars("statuses", found.status_bars(chosen))
        with self._bodies["groups"]:
            _show_share_table(found.table, GROUPS[found.table.by], self._choose)
        if len(found.aspects) > ASPECTS:
            with self._bodies["aspects"], folded(f"{len(found.aspects) - ASPECTS:,} more aspects"):
                text(", ".join(found.aspects["aspect"][ASPECTS:100]), "p", "muted small")

    def _show_bars(self, section: str, choices: Choices) -> None:
        with self._bodies[section]:
            if not choices:
                text("There is none here.", "p", "muted")
                return
            _show_bars([bar for bar, _ in choices], [partial(self._choose, behind) for _, behind in choices])

    async def _choose(self, behind: CaseFilter) -> None:
        """Look at the cases behind something; on a small screen they are further down."""
        self._remember(**ModelScope(self._scope.whose, behind).params(), page=None)
        await self._refresh()
        self._behind.client.run_javascript(
            f"const place = getHtmlElement({self._behind.id}), seen = place.getBoundingClientRect();"
            "if (seen.top > window.innerHeight * 0.8 || seen.bottom < 0) place.scrollIntoView();"
            "place.querySelector('h2').focus({preventScroll: true});"
        )

    async def _show_behind(self) -> None:
        """The cases that the address names."""
        scope, opened, page = self._scope, self._opened, self._page
        if not scope.has_cases:
            self._newest_cases.forget()
            self._behind.clear()
            with self._behind:
                heading(2, "The cases behind a bar").props("tabindex=-1")
                text("Choose a bar or a share to see the recommendations behind it.", "p", "muted")
            return
        found = await self._newest_cases.of(
            lambda: opened.site.ask(lambda run: CasePage.of(run, scope.cases(self._cases), page))
        )
        if found is None:
            return
        self._behind.clear()
        with self._behind:
            title = title_cases(scope.chosen, opened.site.run.item_name)
            heading(2, title).props("tabindex=-1")
            _show_cases(opened, found, self._turn_page)
            button("Close", self._close, "quiet")

    @property
    def _page(self) -> int:
        asked = self._opened.address.get("page") or "0"
        return int(asked) if asked.isdecimal() else 0

    async def _turn_page(self, page: int) -> None:
        self._remember(page=str(page) if page else None)
        await self._show_behind()

    async def _close(self) -> None:
        self._remember(**ModelScope(self._scope.whose).params(), page=None)
        await self._refresh()


def _show_bars(bars: Sequence[Bar], on_choice: Sequence[Callable[[], Any]]) -> None:
    """Show the bars on one scale, the longest of which fills the row. Each is a button; what it does is given, too."""
    longest = max((bar.share for bar in bars), default=0) or 1
    with box("ul", "bars"):
        for bar, choose in zip(bars, on_choice, strict=True):
            with box("li"):
                _show_bar(bar, 100 * bar.share / longest, choose)


def _show_bar(bar: Bar, percent: float, on_choice: Callable[[], Any]) -> None:
    with button("", on_choice, "bar", aria_pressed="true" if bar.chosen else "false"):
        with box("span", "bar-words"):
            text(bar.name, "span", "bar-name")
            text(bar.said, "span", "bar-number number")
        with box("span", "bar-track", aria_hidden="true"):
            box("span", "bar-length").style(f"width: {percent:.1f}%")
        if bar.note:
            text(bar.note, "span", "muted small")


def _show_share_table(table: ShareTable, group: str, on_choice: Callable[[CaseFilter], Any]) -> None:
    """Show the table; ``group`` is what its columns are."""
    if not table.groups:
        text(f"This run does not know any user's {group}.", "p", "muted")
        return
    label = f"Share of the recommendations that each aspect decides, by {group}"
    with box("div", "scrolls", tabindex="0", role="region", aria_label=label), box("table", "shares"):
        text(label, "caption", "muted small")
        with box("thead"), box("tr"):
            for title in ("Aspect", *table.groups):
                text(str(title), "th").props("scope=col")
        with box("tbody"):
            for aspect in table.aspects:
                with box("tr"):
                    text(aspect, "th").props("scope=row")
                    for column in table.groups:
                        with box("td"):
                            _show_cell(table, group, column, aspect, on_choice)
    if table.left_out:
        text(f"The {len(table.groups)} largest groups; {table.left_out} more are not shown.", "p", "muted small")


def _show_cell(
    table: ShareTable, group: str, column: str | int, aspect: str, on_choice: Callable[[CaseFilter], Any]
) -> None:
    share = table.share(column, aspect)
    if not share:
        text("–", "span", "muted")
        return
    group_of: dict[str, Any] = {table.by: column}
    behind = CaseFilter(aspect=aspect, **group_of)
    label = f"{percent(share)}: cases of {aspect}, {group} {column}"
    made = button(percent(share), lambda: on_choice(behind), "cell number", aria_label=label)
    made.style(f"--shade: {share / table.largest:.2f}")


def _show_cases(opened: Opened, found: CasePage, on_page: Callable[[int], Any]) -> None:
    """Show some cases, and the way to the others."""
    with box("ol", "cases"):
        for record in found.records:
            with box("li", "stack-tight"):
                _show_case(opened, record)
    show_pages(found.total, CASES, "cases", found.page, on_page)


def _show_case(opened: Opened, record: AnswerRecord) -> None:
    user = opened.site.user_name(record.row.user_id)
    place = "" if record.row.position is None else f", position {record.row.position}"
    text(f"{record.item}, in the list of {user}{place}", "p", "small muted")
    text(sentence(record), "p")
    address = opened.address.to("/", user=user, item=record.row.item_id)
    link("Open this case", str(address), "small")
