"""For a seller: what to improve about one item for an audience, how many lists it would enter, and in how many nets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from nicegui import ui

from counterec.core.lists import ABSENT_ITEM
from counterec.errors import UsageError
from counterec.randomness import generator
from counterec.report.overview import COHORTS, Cohorts
from counterec.service.page.elements import (
    AnswerPlace,
    Opened,
    box,
    button,
    choice,
    folded,
    heading,
    link,
    notice,
    search_choice,
    show_answer,
    show_figure,
    text,
)
from counterec.wording import AudienceRecord, audience_record

if TYPE_CHECKING:
    from counterec.run import Run

EVERYBODY = "all"
"""The name of the audience of all users, in the address."""
MOST_USERS = 1_000
"""A larger audience is asked in part: that many of its users, drawn at random."""
MOST_GROUPS = 12
"""How many groups of a kind are offered."""
WANTED_SHARE = 0.1
"""Share of the users to be won if nothing else is asked."""
SHOWN_USERS = 8
"""How many of the users who would get the item are named."""
TODAY = (
    "This is what the model would do today, if nothing else changed. It is no forecast of sales: it does not know "
    "what an improvement costs, nor whether anybody would buy."
)


@dataclass(frozen=True)
class Audience:
    """Some users, under a name."""

    name: str
    """As the address has it: ``all``, ``activity:5–9``, ``taste:battery``."""
    said: str
    user_ids: Sequence[str]

    @property
    def usual_wish(self) -> int:
        """How many lists an item is to enter if nothing else is asked."""
        return max(1, round(WANTED_SHARE * min(len(self.user_ids), MOST_USERS)))


def audiences_of(cohorts: Cohorts) -> dict[str, Audience]:
    """Return everybody and the known groups, the largest first, by their names."""
    found = [Audience(EVERYBODY, "everybody", cohorts.user_ids)]
    said = {"activity": "users with {} reviews", "taste": "users who care most about {}"}
    for kind in COHORTS:
        groups: dict[str, list[str]] = {}
        for user_id, group in zip(cohorts.user_ids, getattr(cohorts, kind), strict=True):
            if group is not None:
                groups.setdefault(group, []).append(user_id)
        largest = sorted(groups, key=lambda group: (-len(groups[group]), group))[:MOST_GROUPS]
        ordered = [group for group in cohorts.activity_groups if group in largest] if kind == "activity" else largest
        found += [Audience(f"{kind}:{group}", said[kind].format(group), groups[group]) for group in ordered]
    return {audience.name: audience for audience in found}


@dataclass(frozen=True)
class Improvement:
    """What would bring an item into the lists of an audience."""

    record: AudienceRecord
    asked: int
    """How many users were asked about."""
    of: int
    """How many the audience has."""
    left_out: int
    """How many of those asked about the item does not compete for."""
    entered: Sequence[str]
    """The users whose list it would enter."""


def find_improvement(run: Run, item_id: str, audience: Audience, wanted: int) -> Improvement:
    """Find the fewest improvements with which the item enters at least ``wanted`` lists of the audience."""
    users = _draw_users(run, audience)
    answer = run.why_not_for_all(item_id, users, wanted)
    constraints = run.config.explain.constraints
    robustness = run.audience_robustness(answer)
    return Improvement(
        record=audience_record(run.space, answer, run.item_names, constraints, robustness),
        asked=len(users),
        of=len(audience.user_ids),
        left_out=len(users) - len(answer.users),
        entered=[run.space.users.texts[user] for user in answer.users[answer.entered].tolist()],
    )


def _draw_users(run: Run, audience: Audience) -> list[str]:
    """Return the users of an audience; of a large one a sample, the same every time."""
    users = list(audience.user_ids)
    if len(users) <= MOST_USERS:
        return users
    drawn = generator(run.config.seed, f"audience {audience.name}").choice(len(users), MOST_USERS, replace=False)
    return [users[place] for place in np.sort(drawn).tolist()]


def find_promising(run: Run) -> str | None:
    """Return the item that is just below most lists; None if there is none."""
    below = run.recommendations.items[:, run.recommendations.k]
    counts = np.bincount(below[below != ABSENT_ITEM], minlength=1)
    return run.space.items.texts[int(counts.argmax())] if counts.any() else None


async def seller_panel(opened: Opened) -> None:
    """Show what would bring an item into more lists."""
    heading(1, "For a seller: what would bring an item into more lists?")
    text(TODAY, "p", "muted")
    audiences = await opened.site.ask(lambda run: audiences_of(Cohorts.of(run)))
    item_id = opened.address.get("item") or await opened.site.ask(find_promising)
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
        items = self._site.run.space.items
        search_choice(self._opened, "Find another item", self._site.items, items.number(self._item_id), self._choose)
        options = {name: f"{audience.said} ({len(audience.user_ids):,})" for name, audience in self._audiences.items()}
        choice("Audience", options, self._audience.name, self._choose_audience)
        self._wish = ui.number("Lists it is to enter, at least", value=self._wanted, min=1, precision=0)
        self._wish.props("outlined dense")
        button("Find the smallest improvement", self._click, "primary")

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
        self._wish.set_value(self._wanted)
        self._answer.empty()

    async def _click(self) -> None:
        wanted = self._wish.value
        self._remember(item=self._item_id, wanted=str(self._wanted if wanted is None else int(wanted)))
        await self._ask()

    async def _ask(self) -> None:
        self._hint.set_text("")
        item_id = self._item_id

        async def find() -> Improvement:
            audience, wanted = self._audience, self._wanted
            return await self._site.ask(lambda run: find_improvement(run, item_id, audience, wanted))

        await self._answer.fill("Trying improvements for everybody in the audience", lambda _: find(), self._show)

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
            show_figure(f"{record.entered:,}", f"lists it would enter, of {record.asked:,}")
            show_figure(f"{record.had_it:,}", "lists have it already")
            if record.had_it:
                show_figure(f"{record.kept_it:,}", "of these would keep it")
            if record.nets is not None and record.nets > 1 and record.explained:
                show_figure(
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
            self._show_users(found)

    def _show_users(self, found: Improvement) -> None:
        with folded("Whose lists it would enter"), box("ul", "stack-tight small"):
            for user_id in found.entered[:SHOWN_USERS]:
                user = self._site.user_name(user_id)
                with box("li"):
                    link(user, str(self._opened.address.to("/", user=user, item=self._item_id)))
            if len(found.entered) > SHOWN_USERS:
                text(f"and {len(found.entered) - SHOWN_USERS:,} more", "li", "muted")
