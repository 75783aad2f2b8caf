"""For a seller: one item, an audience, what to improve, how many lists it would enter, and in how many nets."""

from __future__ import annotations

from nicegui import ui

from counterec.errors import UsageError
from counterec.report.overview import Cohorts
from counterec.service.page.answer_place import AnswerPlace
from counterec.service.page.answer_view import show_answer
from counterec.service.page.audience import (
    EVERYBODY,
    MOST_USERS,
    Audience,
    Improvement,
    audiences_of,
    improvement_for,
    promising_item,
)
from counterec.service.page.choice_field import choice_field
from counterec.service.page.panel import Opened
from counterec.service.page.search_field import SearchField
from counterec.service.page.text_elements import box, button, folded, heading, link, notice, text, with_attributes
from counterec.service.page.text_search import Found

SHOWN_USERS = 8
"""How many of the users who would get the item are named."""
TODAY = (
    "This is what the model would do today, if nothing else changed. It is no forecast of sales: it does not know "
    "what an improvement costs, nor whether anybody would buy."
)


async def seller_panel(opened: Opened) -> None:
    """Show what would bring an item into more lists."""
    heading(1, "For a seller: what would bring an item into more lists?")
    text(TODAY, "p", "muted")
    audiences = await opened.site.ask(lambda run: audiences_of(Cohorts.of(run)))
    item_id = opened.address.get("item") or await opened.site.ask(promising_item)
    if item_id is None:
        notice("There is no item below any list in this run.", "Everything that competes is listed already.")
        return
    opened.site.run.space.items.number(item_id)
    await SellerPanel(opened, item_id, audiences).show()


class SellerPanel:
    """One opening of the panel; item, audience and wish are in the address."""

    def __init__(self, opened: Opened, item_id: str, audiences: dict[str, Audience]) -> None:
        self._opened, self._site, self._item_id, self._audiences = opened, opened.site, item_id, audiences

    async def show(self) -> None:
        """Build the form; an address that has a wish is answered at once."""
        with box("div", "two-columns"):
            with box("section", "card stack", aria_label="The question"):
                self._form()
            with box("section", "card stack", aria_label="The answer"):
                heading(2, "What to improve")
                self._hint = text("Choose an item and an audience, then ask.", "p", "muted")
                self._answer = AnswerPlace()
        if self._opened.address.get("wanted") is not None:
            await self._ask()

    def _form(self) -> None:
        heading(2, "The item")
        self._name = text(self._site.run.item_name(self._item_id), "p", "headline")
        site = self._site

        async def search(typed: str, most: int) -> Found:
            return await site.ask(lambda _: site.items.found(typed, most))

        SearchField("Find another item", search, lambda place: site.items.names[place], self._choose, "part of a name")
        options = {name: f"{audience.said} ({len(audience.user_ids):,})" for name, audience in self._audiences.items()}
        choice_field("Audience", options, self._audience.name, self._choose_audience)
        with box("label", "choice"):
            text("Lists it is to enter, at least", "span", "small muted")
            self._wish = with_attributes(
                ui.element("input").classes("field"), type="number", min="1", step="1", value=str(self._wanted)
            )
            self._wish.on("change", self._choose_wish, js_handler="(event) => emit(event.target.value)")
        button("Find the smallest improvement", self._asked, "primary")

    @property
    def _audience(self) -> Audience:
        named = self._opened.address.get("audience") or EVERYBODY
        if named not in self._audiences:
            raise UsageError(f"there is no audience {named!r} in this run; one of {', '.join(self._audiences)}")
        return self._audiences[named]

    @property
    def _wanted(self) -> int:
        said = self._opened.address.get("wanted")
        if said is None:
            return self._audience.usual_wish
        if not said.isdecimal() or int(said) < 1:
            raise UsageError(f"{said!r} lists cannot be entered; ask for 1 or more")
        return int(said)

    def _remember(self, **values: str | None) -> None:
        self._opened.remember(self._opened.address.with_params(**values))

    def _choose(self, place: int) -> None:
        self._item_id = self._site.run.space.items.texts[place]
        self._name.set_text(self._site.items.names[place])
        self._remember(item=self._item_id)
        self._answer.empty()

    def _choose_audience(self, name: str) -> None:
        self._remember(audience=None if name == EVERYBODY else name, wanted=None)
        self._wish.props["value"] = str(self._wanted)
        self._wish.update()
        self._answer.empty()

    def _choose_wish(self, event: object) -> None:
        self._remember(wanted=str(getattr(event, "args", "")))

    async def _asked(self) -> None:
        self._remember(item=self._item_id, wanted=self._opened.address.get("wanted") or str(self._wanted))
        await self._ask()

    async def _ask(self) -> None:
        self._hint.set_text("")
        item_id = self._item_id

        async def found() -> Improvement:
            audience, wanted = self._audience, self._wanted
            return await self._site.ask(lambda run: improvement_for(run, item_id, audience, wanted))

        await self._answer.fill("Trying improvements for everybody in the audience", lambda _: found(), self._show)

    def _show(self, found: Improvement) -> None:
        record = found.record
        if found.asked < found.of:
            text(
                f"Asked for {found.asked:,} of the {found.of:,} users, drawn at random: more than {MOST_USERS:,} "
                "take too long.",
                "p",
                "muted small",
            )
        with box("dl", "figures"):
            self._figure(f"{record.entered:,}", f"lists it would enter, of {record.asked:,}")
            self._figure(f"{record.had_it:,}", "lists have it already")
            if record.had_it:
                self._figure(f"{record.kept_it:,}", "of these would keep it")
            if record.nets is not None and record.nets > 1 and record.explained:
                self._figure(
                    f"{record.nets_hold} of {record.nets}", f"nets in which it enters at least {record.wanted:,}"
                )
        show_answer(record)
        if found.left_out:
            text(
                f"{found.left_out:,} users are left out: they know it already, or it is not offered to them.",
                "p",
                "muted small",
            )
        if found.entered:
            self._users(found)

    def _figure(self, number: str, meaning: str) -> None:
        with box("div"):
            text(number, "dd", "figure number")
            text(meaning, "dt", "muted small")

    def _users(self, found: Improvement) -> None:
        with folded("Whose lists it would enter"), box("ul", "stack-tight small"):
            for user_id in found.entered[:SHOWN_USERS]:
                user = self._site.user_name(user_id)
                with box("li"):
                    link(user, str(self._opened.address.to("/", user=user, item=self._item_id)))
            if len(found.entered) > SHOWN_USERS:
                text(f"and {len(found.entered) - SHOWN_USERS:,} more", "li", "muted")
