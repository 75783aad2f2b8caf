"""Why not, and why rather: what would bring any item into a list, and why one item is ahead of another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterec.core.arrays import BoolVector
from counterec.core.lists import ABSENT_ITEM
from counterec.service.page.case import listing_now
from counterec.service.page.elements import (
    AnswerPlace,
    Opened,
    RankedList,
    box,
    budget_of,
    button,
    heading,
    link,
    notice,
    search_choice,
    show_answer,
    text,
)
from counterec.wording import AnswerRecord

if TYPE_CHECKING:
    from nicegui import ui

    from counterec.core.explainers.budget import Budget
    from counterec.run import Run

ABSENT, FIRST, SECOND = "absent", "first", "second"
"""The parameters of the address: the item that is not in the list, and the two that are compared."""


@dataclass(frozen=True)
class Rivals:
    """The items that compete for a user's list: which are in it, and which comes next."""

    competes: BoolVector
    """By the number of the item."""
    listed: BoolVector
    first: int | None
    """The first item of the list; None if it is empty."""
    next: int | None
    """The best item that is not in the list; None if there is none."""

    def could_enter(self, item: int) -> bool:
        """Whether the item competes, and is not in the list."""
        return bool(self.competes[item] and not self.listed[item])


def rivals_of(run: Run, user_id: str) -> Rivals:
    """Return the items that compete for a user's list."""
    user, lists = run.space.users.number(user_id), run.recommendations
    competes, listed = np.zeros((2, len(run.space.items)), dtype=bool)
    competes[run.candidates.of(user)] = True
    row = lists.of_user(user).items[0]
    own = row[: lists.k][row[: lists.k] != ABSENT_ITEM]
    listed[own] = True
    below = [int(item) for item in row[lists.k :] if item != ABSENT_ITEM]
    others = below or np.flatnonzero(competes & ~listed)[:1].tolist()
    return Rivals(competes, listed, int(own[0]) if len(own) else None, others[0] if others else None)


def explain_absent(run: Run, user_id: str, item_id: str, budget: Budget | None = None) -> AnswerRecord:
    """Answer what it would take to bring an item into the list."""
    return run.record(run.explain(user_id, item_id, question="why_not", budget=budget).row(0, named=True))


@dataclass(frozen=True)
class Contrast:
    """Why one item is ahead of another: by how much it would have to be worse, or to be like the other."""

    rather: AnswerRecord
    takes: AnswerRecord | None
    """The same with the other item's own values; None if the other is ahead."""


def compare(run: Run, user_id: str, first: str, second: str, budget: Budget | None = None) -> Contrast:
    """Answer why the first item is ahead of the second for this user."""
    rather = _ask(run, user_id, first, second, takes=False, budget=budget)
    behind = rather.row.status == "already_true"
    return Contrast(rather, None if behind else _ask(run, user_id, first, second, takes=True, budget=budget))


def _ask(run: Run, user_id: str, first: str, second: str, *, takes: bool, budget: Budget | None) -> AnswerRecord:
    found = run.explain(
        user_id, first, question="why_rather_takes" if takes else "why_rather", versus=second, budget=budget
    )
    return run.record(found.row(0, named=True))


async def contrast_panel(opened: Opened) -> None:
    """Show what an item that is not in the list would take, and the contrast of two items."""
    user_id = await _find_user(opened)
    heading(1, "Why not that one? Why this rather than that?")
    if user_id is None:
        notice("No user has a list in this run.", "No item competes for any user's list. Look at: counterec show RUN")
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
        self._show_whose()
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
                rivals = self._rivals
                self._search("Find an item that is not in the list", ABSENT, rivals.next, rivals.could_enter)
            self._absent = AnswerPlace()

    def _why_rather(self) -> None:
        with box("section", "card stack", aria_label="Why rather"):
            heading(2, "Why this one rather than that one?")
            if self._rivals.next is None:
                text("Only the items of the list compete; compare two of them.", "p", "muted")
            with box("div", "pair"):
                self._one = self._search("This one", FIRST, self._rivals.first, self._competes)
                self._other = self._search("rather than that one", SECOND, self._rivals.next, self._competes)
            self._contrast = AnswerPlace()

    def _competes(self, item: int) -> bool:
        return bool(self._rivals.competes[item])

    def _search(self, label: str, param: str, otherwise: int | None, allowed: Callable[[int], bool]) -> ui.select:
        site, named = self._site, self._find_named(param, otherwise)

        async def choose(place: int) -> None:
            if site.run.space.items.texts[place] == self._find_named(param, otherwise):
                return
            self._remember(**{param: site.run.space.items.texts[place]})
            await (self._answer_absent() if param == ABSENT else self._answer_contrast())

        known = named if named is not None and named in site.run.space.items else None
        chosen = None if known is None else site.run.space.items.number(known)
        return search_choice(self._opened, label, site.items, chosen, choose, allowed)

    def _remember(self, **items: str | None) -> None:
        user = self._site.user_name(self._user_id)
        self._opened.remember(self._opened.address.with_params(user=user, **items))

    def _find_named(self, param: str, otherwise: int | None) -> str | None:
        """The item that the address names; without one, a good beginning."""
        named = self._opened.address.get(param)
        if named is not None or otherwise is None:
            return named
        return self._site.run.space.items.texts[otherwise]

    async def _answer_absent(self) -> None:
        item_id = self._find_named(ABSENT, self._rivals.next)
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
                lambda run: explain_absent(run, self._user_id, item_id, budget_of(run, patience))
            ),
            show,
        )

    async def _answer_contrast(self) -> None:
        first, second = self._find_named(FIRST, self._rivals.first), self._find_named(SECOND, self._rivals.next)
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
                lambda run: compare(run, self._user_id, first, second, budget_of(run, patience))
            ),
            show,
        )

    async def _swap(self) -> None:
        first, second = self._find_named(FIRST, self._rivals.first), self._find_named(SECOND, self._rivals.next)
        self._remember(**{FIRST: second, SECOND: first})
        one, other = self._one.value, self._other.value
        names = self._site.items.names
        for field, place in ((self._one, other), (self._other, one)):
            field.set_options({} if place is None else {place: names[place]}, value=place)
        await self._answer_contrast()

    def _show_whose(self) -> None:
        """Say whose list it is, and where another one is found."""
        shown = self._site.user_name(self._user_id)
        with box("p", "row muted"):
            text(f"For the list of {shown}.")
            link("Find another user", str(self._opened.address.to("/", user=shown)))


async def _find_user(opened: Opened) -> str | None:
    """Return the user whom the address names; else the one that the page begins with, None if no user has a list."""
    shown = opened.address.get("user")
    if shown is not None:
        return opened.site.user_id(shown)
    example = await opened.site.ask(lambda _: opened.site.example)
    return None if example is None else example[0]
