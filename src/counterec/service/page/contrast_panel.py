"""Why not, and why rather: what would bring any item into a list, and why one item is ahead of another."""

from __future__ import annotations

from collections.abc import Callable

from counterec.service.page.answer_place import AnswerPlace
from counterec.service.page.answer_view import show_answer
from counterec.service.page.chosen_user import chosen_user, show_whose
from counterec.service.page.contrast import Contrast, Rivals, contrast_of, rivals_of, why_not_record
from counterec.service.page.listing import listing_now
from counterec.service.page.page_elements import RankedList
from counterec.service.page.panel import Opened
from counterec.service.page.search_field import SearchField
from counterec.service.page.text_elements import box, button, heading, link, notice, text
from counterec.service.page.text_search import Found
from counterec.service.page.waiting import budget_of
from counterec.wording import AnswerRecord

ABSENT, FIRST, SECOND = "absent", "first", "second"
"""The parameters of the address: the item that is not in the list, and the two that are compared."""


async def contrast_panel(opened: Opened) -> None:
    """Show what an item that is not in the list would take, and the contrast of two items."""
    user_id = await chosen_user(opened)
    heading(1, "Why not that one? Why this rather than that?")
    if user_id is None:
        notice(
            "Nobody has a list in this run.",
            "No item competes for any user's list. Look at: counterec show RUN",
        )
        return
    rivals = await opened.site.ask(lambda run: rivals_of(run, user_id))
    if rivals.first is None:
        notice("No item competes for this user's list.", "Find another user on the first panel.")
        return
    await ContrastPanel(opened, user_id, rivals).show()


class ContrastPanel:
    """One opening of the panel; the items are in the address."""

    def __init__(self, opened: Opened, user_id: str, rivals: Rivals) -> None:
        self._opened, self._site, self._user_id, self._rivals = opened, opened.site, user_id, rivals

    async def show(self) -> None:
        """Build both questions, each with an answer from the start."""
        show_whose(self._opened, self._user_id)
        listing = await self._site.ask(lambda run: listing_now(run, self._user_id))
        with box("div", "two-columns"):
            with box("section", "card stack", aria_label="The list"):
                user = self._site.user_name(self._user_id)
                heading(2, f"Recommended to {user}")
                RankedList(f"The list of {user}", self._opened.address.to("/", user=user), "").show(listing)
            with box("div", "stack"):
                self._why_not()
                self._why_rather()
        await self._answer_absent()
        await self._answer_contrast()

    def _why_not(self) -> None:
        with box("section", "card stack", aria_label="Why not"):
            heading(2, "Why is it not in the list?")
            if self._rivals.next is None:
                text("Everything that competes is in the list.", "p", "muted")
            else:
                self._search("Find an item that is not in the list", self._rivals.could_enter, ABSENT)
            self._absent = AnswerPlace()

    def _why_rather(self) -> None:
        with box("section", "card stack", aria_label="Why rather"):
            heading(2, "Why this one rather than that one?")
            if self._rivals.next is None:
                text("Only the items of the list compete; compare two of them.", "p", "muted")
            with box("div", "pair"):
                self._search("This one", self._competes, FIRST)
                self._search("rather than that one", self._competes, SECOND)
            self._contrast = AnswerPlace()

    def _competes(self, item: int) -> bool:
        return bool(self._rivals.competes[item])

    def _search(self, label: str, allowed: Callable[[int], bool], param: str) -> None:
        site = self._site

        async def search(typed: str, most: int) -> Found:
            return await site.ask(lambda _: site.items.found(typed, most, allowed))

        async def choose(place: int) -> None:
            self._remember(**{param: site.run.space.items.texts[place]})
            await (self._answer_absent() if param == ABSENT else self._answer_contrast())

        SearchField(label, search, lambda place: site.items.names[place], choose, "part of a name")

    def _remember(self, **items: str | None) -> None:
        user = self._site.user_name(self._user_id)
        self._opened.remember(self._opened.address.with_params(user=user, **items))

    def _named(self, param: str, otherwise: int | None) -> str | None:
        """The item that the address names; without one, a good beginning."""
        named = self._opened.address.get(param)
        if named is not None or otherwise is None:
            return named
        return self._site.run.space.items.texts[otherwise]

    async def _answer_absent(self) -> None:
        item_id = self._named(ABSENT, self._rivals.next)
        if item_id is None:
            return

        def show(record: AnswerRecord) -> None:
            heading(3, record.item)
            show_answer(record)
            user = self._site.user_name(self._user_id)
            link("Try it out: what if it were different?", str(self._opened.address.to("/", user=user, item=item_id)))

        await self._absent.fill(
            "Looking for what it would take",
            lambda patience: self._site.ask(
                lambda run: why_not_record(run, self._user_id, item_id, budget_of(run, patience))
            ),
            show,
        )

    async def _answer_contrast(self) -> None:
        first, second = self._named(FIRST, self._rivals.first), self._named(SECOND, self._rivals.next)
        if first is None or second is None:
            return

        def show(found: Contrast) -> None:
            rather, takes = found.rather, found.takes
            heading(3, f"{rather.item} rather than {rather.versus}")
            show_answer(rather)
            if takes is not None:
                heading(3, f"With the values of {rather.versus}")
                show_answer(takes)
            button("Ask it the other way round", self._swap)

        await self._contrast.fill(
            "Comparing the two",
            lambda patience: self._site.ask(
                lambda run: contrast_of(run, self._user_id, first, second, budget_of(run, patience))
            ),
            show,
        )

    async def _swap(self) -> None:
        first, second = self._named(FIRST, self._rivals.first), self._named(SECOND, self._rivals.next)
        self._remember(**{FIRST: second, SECOND: first})
        await self._answer_contrast()
