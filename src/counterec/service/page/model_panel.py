"""The model: what decides its recommendations overall, for whom and where, and from every bar the cases behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from nicegui import ui

from counterec.report.overview import Outcomes, decisive_aspects, items_by_aspect, outcomes, statuses
from counterec.report.overview.decisive_aspects import Group
from counterec.service.page.background import Newest
from counterec.service.page.bars import Bar, show_bars
from counterec.service.page.case_list import show_cases
from counterec.service.page.choice_field import choice_field
from counterec.service.page.model_scope import ModelScope
from counterec.service.page.numbers import percent
from counterec.service.page.panel import Opened
from counterec.service.page.text_elements import box, button, folded, heading, notice, text
from counterec.wording import catalogue

ASPECTS, ITEMS = 12, 8
"""How many bars are shown of each kind."""
MOST_GROUPS = 6
"""How many groups a table has columns for."""
GROUPS: dict[Group, str] = {"position": "position in the list", "activity": "number of reviews", "taste": "taste"}
ORDERS = {"often": "how often they decide", "strongly": "how strongly they decide"}
EVERYBODY = ""
"""What a filter that leaves everything says in a form."""


async def model_panel(opened: Opened) -> None:
    """Show what drives the model."""
    heading(1, "What drives this model?")
    cases = await opened.site.ask(lambda _: opened.site.cases)
    if cases is None:
        notice(
            "This run has no stored explanations, so there is nothing to count.",
            "Explain its lists with: counterec run (or counterec explain RUN --goal minimal), then open it again.",
        )
        return
    await ModelPanel(opened, cases).show()


@dataclass(frozen=True)
class Overview:
    """The numbers behind one state of the panel."""

    figures: Outcomes
    aspects: pl.DataFrame
    by_group: pl.DataFrame
    wins: pl.DataFrame
    loses: pl.DataFrame
    statuses: pl.DataFrame

    @classmethod
    def of(cls, cases: pl.DataFrame, by: Group) -> Overview:
        """Count these cases."""
        wins, loses = (items_by_aspect(cases, side).head(ITEMS) for side in ("wins", "loses"))
        return cls(outcomes(cases), decisive_aspects(cases), decisive_aspects(cases, by), wins, loses, statuses(cases))


class ModelPanel:
    """One opening of the panel; the address has all of its state."""

    def __init__(self, opened: Opened, cases: pl.DataFrame) -> None:
        self._opened, self._cases, self._newest = opened, cases, Newest()

    async def show(self) -> None:
        """Build everything: filters, numbers, and the cases that the address names."""
        self._filters()
        with box("div", "two-columns charts"):
            self._charts = box("div", "stack")
            self._behind = box("section", "card stack behind", aria_label="The cases behind a bar")
        await self._refresh()

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

    def _filters(self) -> None:
        """Choices among recommendations; groups that a run does not know are not offered."""
        whose = self._scope.whose
        with box("form", "row filters", role="search", aria_label="Whose recommendations are counted"):
            for name, label, everything in (
                ("activity", "Users with so many reviews", "any number"),
                ("taste", "Users who care most about", "anything"),
                ("position", "Position in the list", "any"),
            ):
                known = self._known(name)
                if len(known) > 1:
                    options = {EVERYBODY: everything} | {value: value for value in known}
                    chosen = getattr(whose, name)
                    choice_field(label, options, EVERYBODY if chosen is None else str(chosen), self._narrow(name))

    def _known(self, name: str) -> list[str]:
        """The groups that there are, in their order; of tastes, the most frequent first."""
        values = self._cases[name].drop_nulls()
        if name == "taste":
            return [str(value) for value in values.value_counts(sort=True)[name]]
        return [str(value) for value in values.unique().sort()]

    def _narrow(self, name: str) -> Any:
        async def narrow(value: str) -> None:
            wanted: str | int | None = value or None
            if name == "position" and value:
                wanted = int(value)
            self._remember(**self._scope.narrowed(**{name: wanted}).params(), page=None)
            await self._refresh()

        return narrow

    async def _refresh(self) -> None:
        """Count again what the address means, and show it."""
        scope, by = self._scope, self._by
        found = await self._newest.of(
            lambda: self._opened.site.ask(lambda _: Overview.of(scope.recommendations(self._cases), by))
        )
        if found is None:
            return
        self._charts.clear()
        with self._charts:
            if not found.figures.recommendations:
                notice("No recommendation fits these filters.", "Choose fewer of them.")
            else:
                self._show_figures(found.figures)
                self._show_aspects(found)
                self._show_groups(found.by_group)
                self._show_items(found)
                self._show_statuses(found.statuses)
        await self._show_behind()

    def _show_figures(self, figures: Outcomes) -> None:
        said = [
            (f"{figures.recommendations:,}", f"recommendations to {figures.users:,} users, of {figures.items:,} items"),
            (percent(figures.explained_share), "are explained: a change of aspects was found and checked"),
            (percent(figures.one_aspect), "of these hang on a single aspect"),
            (percent(figures.necessary), "would also leave the list if no item had these aspects"),
            (percent(figures.led_by_history), "rest more on the user's history than on aspects"),
        ]
        with box("dl", "figures"):
            for number, meaning in said:
                if number:
                    with box("div"):
                        text(number, "dd", "figure number")
                        text(meaning, "dt", "muted small")

    def _show_aspects(self, found: Overview) -> None:
        table = found.aspects if self._order == "often" else found.aspects.sort("strength", descending=True)
        with box("section", "card stack", aria_label="Aspects that decide"):
            with box("div", "row spread"):
                heading(2, "Aspects that decide")
                choice_field("Order by", ORDERS, self._order, self._reorder)
            text(
                "An aspect decides a recommendation if the item would leave the list, were it worse on this aspect.",
                "p",
                "muted small",
            )
            if not len(table):
                text("No recommendation here is decided by an aspect.", "p")
            show_bars(self._aspect_bars(table.head(ASPECTS)), "Aspects that decide", self._choose_aspect)
            if len(table) > ASPECTS:
                with folded(f"{len(table) - ASPECTS:,} more aspects"):
                    rest = table.slice(ASPECTS)["aspect"].to_list()
                    text(", ".join(rest[:100]) + (" …" if len(rest) > 100 else ""), "p", "muted small")

    def _aspect_bars(self, table: pl.DataFrame) -> list[Bar]:
        often = self._order == "often"
        strongest = table["strength"].max() or 1.0
        return [
            Bar(
                name=row["aspect"],
                share=row["share"] if often else max(0.0, (row["strength"] or 0.0) / strongest),
                said=f"{row['decided']:,} of {row['recommendations']:,} ({percent(row['share'])})",
                note=_aspect_note(row),
                chosen=self._scope.chosen.aspect == row["aspect"] and self._scope.chosen.item_id is None,
            )
            for row in table.iter_rows(named=True)
        ]

    async def _reorder(self, order: str) -> None:
        self._remember(order=order)
        await self._refresh()

    async def _choose_aspect(self, bar: Bar) -> None:
        await self._choose(aspect=bar.name)

    async def _choose(self, **fields: str | int | None) -> None:
        """Look at the cases behind something; on a small screen they are further down."""
        self._remember(**self._scope.with_cases(**fields).params(), page=None)
        await self._refresh()
        ui.run_javascript(
            f"const place = getHtmlElement({self._behind.id});"
            "if (place.getBoundingClientRect().top > window.innerHeight * 0.8 ||"
            "    place.getBoundingClientRect().bottom < 0) place.scrollIntoView();"
            "place.querySelector('h2').focus({preventScroll: true});"
        )

    def _show_groups(self, table: pl.DataFrame) -> None:
        with box("section", "card stack", aria_label="For whom, and where"):
            with box("div", "row spread"):
                heading(2, "For whom, and where")
                choice_field("By", dict[str, str](GROUPS), self._by, self._regroup)
            if not len(table):
                text(f"This run does not know anybody's {GROUPS[self._by]}.", "p", "muted")
                return
            groups = table.group_by(self._by).agg(pl.col("recommendations").first())
            if self._by == "taste":
                groups = groups.sort("recommendations", "taste", descending=[True, False])
            else:
                groups = groups.sort(self._by)
            shown = groups[self._by].to_list()[:MOST_GROUPS]
            aspects = (
                table.group_by("aspect")
                .agg(pl.col("decided").sum())
                .sort("decided", "aspect", descending=[True, False])
            )
            self._show_shares(table, aspects["aspect"].to_list()[:ITEMS], shown)
            if len(groups) > MOST_GROUPS:
                text(f"The {MOST_GROUPS} largest of {len(groups)} groups.", "p", "muted small")

    def _show_shares(self, table: pl.DataFrame, aspects: Sequence[str], groups: Sequence[Any]) -> None:
        """A table of aspects by groups; every share leads to its cases."""
        shares = {(row[self._by], row["aspect"]): row["share"] for row in table.iter_rows(named=True)}
        largest = max(shares.values()) or 1.0
        with (
            box("div", "scrolls", tabindex="0", role="region", aria_label=f"Shares by {GROUPS[self._by]}"),
            box("table", "shares"),
        ):
            text(
                f"Share of the recommendations that each aspect decides, by {GROUPS[self._by]}",
                "caption",
                "muted small",
            )
            with box("thead"), box("tr"):
                text("Aspect", "th").props("scope=col")
                for group in groups:
                    text(str(group), "th").props("scope=col")
            with box("tbody"):
                for aspect in aspects:
                    with box("tr"):
                        text(aspect, "th").props("scope=row")
                        for group in groups:
                            share = shares.get((group, aspect), 0.0)
                            with box("td"):
                                self._cell(aspect, group, share, share / largest)

    def _cell(self, aspect: str, group: Any, share: float, shade: float) -> None:
        if not share:
            text("–", "span", "muted")
            return
        label = f"{aspect}, {GROUPS[self._by]} {group}: {percent(share)}. Show the cases"

        async def choose() -> None:
            await self._choose(aspect=aspect, **{self._by: group})

        made = button(percent(share), choose, "cell number", aria_label=label)
        made.style(f"--shade: {shade:.2f}")

    async def _regroup(self, by: str) -> None:
        self._remember(by=by)
        await self._refresh()

    def _show_items(self, found: Overview) -> None:
        sides = (
            ("Items that win by an aspect", "in so many lists only because of it", found.wins, "item_id"),
            (
                "Items that lose by an aspect",
                "just below so many lists, whose item wins by it",
                found.loses,
                "below_id",
            ),
        )
        for title, meaning, table, column in sides:
            with box("section", "card stack", aria_label=title):
                heading(2, title)
                text(f"The item is {meaning}.", "p", "muted small")
                if not len(table):
                    text("There is none here.", "p", "muted")
                self._item_bars(table, title, column)

    def _item_bars(self, table: pl.DataFrame, title: str, column: str) -> None:
        rows = table.to_dicts()
        longest = max((row["lists"] for row in rows), default=1)
        chosen = self._scope.chosen
        bars = {
            Bar(
                name=f"{self._opened.site.run.item_name(row['item_id'])}: {row['aspect']}",
                share=row["lists"] / longest,
                said=f"{row['lists']:,} of {row['of_lists']:,} lists",
                chosen=(getattr(chosen, column), chosen.aspect) == (row["item_id"], row["aspect"]),
            ): row
            for row in rows
        }

        async def choose(bar: Bar) -> None:
            await self._choose(aspect=bars[bar]["aspect"], **{column: bars[bar]["item_id"]})

        show_bars(list(bars), title, choose)

    def _show_statuses(self, table: pl.DataFrame) -> None:
        words = catalogue(self._opened.site.language)
        bars = {
            Bar(
                name=words.say(f"status.{row['status']}"),
                share=row["share"],
                said=f"{row['recommendations']:,} ({percent(row['share'])})",
                chosen=self._scope.chosen.status == row["status"],
            ): row["status"]
            for row in table.iter_rows(named=True)
        }
        with box("section", "card stack", aria_label="What became of the recommendations"):
            heading(2, "What became of the recommendations")

            async def choose(bar: Bar) -> None:
                await self._choose(status=bars[bar])

            show_bars(list(bars), "Recommendations by outcome", choose)

    async def _show_behind(self) -> None:
        """The cases that the address names."""
        scope, opened = self._scope, self._opened
        self._behind.clear()
        with self._behind:
            if not scope.has_cases:
                heading(2, "The cases behind a bar").props("tabindex=-1")
                text("Choose a bar or a share to see the recommendations behind it.", "p", "muted")
                return
            heading(2, self._title(scope)).props("tabindex=-1")
            found = await opened.site.ask(lambda _: scope.cases(self._cases))
            await show_cases(opened, found, self._turn_page)
            button("Close", self._close, "quiet")

    async def _turn_page(self, page: int) -> None:
        self._remember(page=str(page) if page else None)
        await self._show_behind()

    async def _close(self) -> None:
        self._remember(**ModelScope(self._scope.whose).params(), page=None)
        await self._refresh()

    def _title(self, scope: ModelScope) -> str:
        """“Decided by battery, position in the list 2”."""
        chosen, run = scope.chosen, self._opened.site.run
        said = []
        if chosen.aspect is not None:
            said.append(f"Decided by {chosen.aspect}")
        if chosen.status is not None:
            said.append(catalogue(self._opened.site.language).say(f"status.{chosen.status}").capitalize())
        if chosen.item_id is not None:
            said.append(f"item {run.item_name(chosen.item_id)}")
        if chosen.below_id is not None:
            said.append(f"just below: {run.item_name(chosen.below_id)}")
        said += [f"{GROUPS[by]} {value}" for by in GROUPS if (value := getattr(chosen, by)) is not None]
        return ", ".join(said)


def _aspect_note(row: dict[str, Any]) -> str:
    """What else is known of an aspect's decisions."""
    said = [f"alone in {percent(row['alone'])}"]
    if row["change"] is not None:
        said.append(f"has to move by {percent(row['change'])} of its scale")
    if row["strength"] is not None:
        said.append(f"carries {row['strength']:.1f} standard deviations of score")
    return " · ".join(said)
