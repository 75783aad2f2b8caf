"""A case: one user, one item, and why it is in their list, or what it would take; and all that is said beside it.

It knows nothing of the page's elements, and is computed off the event loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from counterec.core.arrays import require
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.goal_names import GOALS, Goal
from counterec.core.lists import ABSENT_ITEM
from counterec.errors import ConfigError, UnknownIdError, UsageError
from counterec.pipeline.evidence import OTHERS, evidence_of
from counterec.pipeline.layout import MENTIONS, SPLIT
from counterec.service.page.site import Address
from counterec.service.page.what_if import ValueSteps, value_steps
from counterec.wording import AnswerRecord, Mark, marks, reason, sentence
from counterec.wording.sentences import state_lead

if TYPE_CHECKING:
    from counterec.core.explainers.budget import Budget
    from counterec.core.explainers.what_if import Reranking
    from counterec.report.privacy import Privacy
    from counterec.run import Run
    from counterec.service.page.site import StoredAnswers

MOST_ROWS = 3
"""At most this many aspects are shown at once; the others are added one by one."""
BELOW = 2
"""Items below the list that are shown."""
USUAL_GOAL: Goal = "minimal"
NOTHING = ""
"""What the address says to lift a limit of the run."""
SETTINGS = ("goal", "keep", "bound")
"""The parameters of the address that are settings of the search."""
TASTES = 6
"""Aspects that are shown of what a user cares about."""
PARTS = {"train": "", "validation": "held out, to choose settings", "test": "held out, to test"}
"""The parts of the split, in words."""

Bounds = tuple[float | None, float | None]
"""The least and the greatest value; None: no limit."""


@dataclass(frozen=True)
class ListedItem:
    """One item of a user's ranking."""

    position: int
    item_id: str
    name: str
    listed: bool
    """Whether it is in the list, not below it."""
    was: int | None = None
    """Its position before a change, if that was another one."""


@dataclass(frozen=True)
class Listing:
    """A user's list and what comes next."""

    items: tuple[ListedItem, ...]
    k: int

    def __post_init__(self) -> None:
        positions = [item.position for item in self.items]
        require(positions == sorted(set(positions)), f"a listing goes from {positions}; positions only grow")

    def with_item(self, item: ListedItem) -> Listing:
        """Return the listing with one more item further below, unless it is there."""
        if any(known.item_id == item.item_id for known in self.items):
            return self
        return replace(self, items=tuple(sorted((*self.items, item), key=lambda known: known.position)))

    @property
    def below(self) -> tuple[ListedItem, ...]:
        """The items below the cut."""
        return tuple(item for item in self.items if not item.listed)


def listing_now(run: Run, user_id: str) -> Listing:
    """Return a user's list as it is stored. Nothing is scored, unless rules decide the lists."""
    lists, user = run.recommendations, run.space.users.number(user_id)
    if lists.ranker is not None:
        standing = run.standing(user_id)
        items = [int(item) for item in lists.of_user(user).items[0] if item != ABSENT_ITEM]
        return listing_after(run, standing.reranked({items[0]: run.space.item_quality[items[0]]})) if items else NOBODY
    heads = run.heads.of_user(user)
    shown = [int(item) for item in heads.items[0][: lists.k + BELOW] if item != ABSENT_ITEM]
    return Listing(
        tuple(_item(run, item, place, place <= lists.k) for place, item in enumerate(shown, start=1)), lists.k
    )


def listing_after(run: Run, found: Reranking) -> Listing:
    """Return a user's list after a change: the new list, what is next, and the changed items wherever they are."""
    end = found.k if found.listed is None else found.listed
    places = set(range(min(end + BELOW, len(found.items))))
    places |= {int((found.items == item).argmax()) for item in found.changed.tolist()}
    shown = []
    for place in sorted(places):
        item, listed = int(found.items[place]), place < end
        position = place + 1 if listed else place - end + found.k + 1
        before = int(found.positions_before[place])
        shown.append(_item(run, item, position, listed, None if before == position else before))
    return Listing(tuple(shown), found.k)


def _item(run: Run, item: int, position: int, listed: bool, was: int | None = None) -> ListedItem:
    item_id = run.space.items.texts[item]
    return ListedItem(position, item_id, run.item_name(item_id), listed, was)


NOBODY = Listing((), 1)
"""The list of a user for whom no item competes."""


# How an explanation is searched for


@dataclass(frozen=True)
class SearchSettings:
    """A goal, and constraints."""

    goal: Goal
    constraints: Constraints

    @classmethod
    def of(cls, address: Address, usual: Constraints) -> SearchSettings:
        """Read an address; what it leaves out is as in the run."""
        goal = address.get("goal") or USUAL_GOAL
        found = next((known for known in GOALS if known == goal), None)
        if found is None:
            raise UsageError(f"unknown goal {goal!r}; one of {', '.join(GOALS)}")
        return cls(found, _read_constraints(address, usual))

    def write(self, usual: Constraints) -> dict[str, str | list[str] | None]:
        """Return the parameters of an address that say this; leave out what is as usual."""
        own = self.constraints
        return {
            "goal": None if self.goal == USUAL_GOAL else self.goal,
            "keep": None if own.keep == usual.keep else list(own.keep) or [NOTHING],
            "bound": None if bounds_of(own) == bounds_of(usual) else _write_bounds(bounds_of(own)) or [NOTHING],
        }


def _read_constraints(address: Address, usual: Constraints) -> Constraints:
    found = usual
    if kept := address.all("keep"):
        found = replace(found, keep=tuple(name for name in kept if name != NOTHING))
    if bounds := address.all("bound"):
        found = with_bounds(found, dict(_read_bounds(text) for text in bounds if text != NOTHING))
    return found


def bounds_of(constraints: Constraints) -> dict[str, Bounds]:
    """Return the limits of single aspects: aspect → least and greatest value."""
    named = dict.fromkeys([*constraints.lowest, *constraints.highest])
    return {name: (constraints.lowest.get(name), constraints.highest.get(name)) for name in named}


def with_bounds(constraints: Constraints, bounds: Mapping[str, Bounds]) -> Constraints:
    """Return the constraints with these limits, and no others."""
    lowest = {name: low for name, (low, _) in bounds.items() if low is not None}
    highest = {name: high for name, (_, high) in bounds.items() if high is not None}
    return replace(constraints, lowest=lowest, highest=highest)


def _write_bounds(bounds: Mapping[str, Bounds]) -> list[str]:
    """Write limits as the address has them: ``battery:2:4``; an open end is empty."""
    ends = {name: ["" if end is None else f"{end:g}" for end in both] for name, both in bounds.items()}
    return [f"{name}:{low}:{high}" for name, (low, high) in ends.items()]


def _read_bounds(text: str) -> tuple[str, Bounds]:
    name, *ends = text.rsplit(":", 2)
    try:
        low, high = (float(end) if end else None for end in ends)
    except ValueError:
        raise ConfigError(f"bound is {text!r}; write bound=aspect:least:greatest, such as battery:2:4") from None
    return name, (low, high)


# The case


@dataclass(frozen=True)
class Case:
    """What the page shows of one user and one item."""

    user_id: str
    item_id: str
    record: AnswerRecord
    listing: Listing
    settings: SearchSettings
    headline: str
    """The reason, which names what would be in the list instead."""
    sentence: str
    """What would have to be different, with its numbers."""
    origin: str
    """How much is aspects, and how much is the user's history; empty where the model has no such parts."""
    marks: tuple[Mark, ...]
    rows: tuple[ValueSteps, ...]
    """The aspects that the answer changes; where it changes nothing, those that the item has most opinions on."""
    others: tuple[str, ...]
    """All other aspects that may be set, those with most opinions first."""
    by_history: bool = False
    """Whether past reviews of the user can be asked about, too."""

    @property
    def item(self) -> str:
        """The name of the item."""
        return self.record.item

    @property
    def leaves(self) -> bool:
        """Whether the question is what takes the item off the list, not what brings it there."""
        return self.record.row.lowers

    @property
    def smallest(self) -> dict[str, float]:
        """The change of the answer: aspect → value; empty if there is none."""
        found = self.record.explained or self.record.ended_early
        return {change.aspect: change.after for change in self.record.changes} if found else {}


def _no_budget(_: Run) -> None:
    return None


def case_of(
    run: Run,
    stored: StoredAnswers,
    user_id: str,
    item_id: str,
    settings: SearchSettings,
    budget: Callable[[Run], Budget | None] = _no_budget,
) -> Case:
    """Return the case of a user and an item: the stored answer, or one that is searched for now, within a budget.

    Of an item that is not in the list, the question is what it would take.
    """
    record = _answer(run, stored, user_id, item_id, settings, budget)
    after = {change.aspect: change.after for change in record.changes}
    aspects = _order_aspects(run, item_id, list(after))
    shown = min(len(after) or MOST_ROWS, MOST_ROWS)
    return Case(
        user_id=user_id,
        item_id=item_id,
        record=record,
        listing=_show_asked(run, user_id, record),
        settings=settings,
        headline=reason(record),
        sentence=sentence(record),
        origin=state_lead(record),
        marks=marks(record),
        rows=tuple(
            steps_of(run, item_id, aspect, settings, [after[aspect]] if aspect in after else [])
            for aspect in aspects[:shown]
        ),
        others=tuple(aspects[shown:]),
        by_history=record.row.question == "why" and run.knows_past_reviews,
    )


def _show_asked(run: Run, user_id: str, record: AnswerRecord) -> Listing:
    """Return the user's list, with the item wherever it is."""
    row, found = record.row, listing_now(run, user_id)
    if row.position is None:
        return found
    return found.with_item(ListedItem(row.position, row.item_id, record.item, row.position <= found.k))


def steps_of(run: Run, item_id: str, aspect: str, settings: SearchSettings, also: list[float]) -> ValueSteps:
    """Return the values that an aspect of the item may be set to."""
    space = run.space
    item, number = space.items.number(item_id), space.aspects.number(aspect)
    any_value = settings.constraints.of(space).values == "continuous"
    return value_steps(space, item, number, also, any_value=any_value)


def _answer(
    run: Run,
    stored: StoredAnswers,
    user_id: str,
    item_id: str,
    settings: SearchSettings,
    budget: Callable[[Run], Budget | None],
) -> AnswerRecord:
    """Return the answer: *why* of an item in the list, *why not* of any other."""
    item, user = run.space.items.number(item_id), run.space.users.number(user_id)
    listed = bool((run.recommendations.of_user(user).items[0, : run.recommendations.k] == item).any())
    if not listed and not run.candidates.contain(user, item):
        raise UnknownIdError(
            f"{run.item_name(item_id)} does not compete for this list: the user knows it already, or it is not on offer"
        )
    row = None
    if listed and settings.constraints == run.config.explain.constraints:
        row = stored.row(settings.goal, user_id, item_id)
    if row is None:
        table = run.explain(
            user_id,
            item_id,
            question="why" if listed else "why_not",
            goal=settings.goal,
            constraints=settings.constraints,
            budget=budget(run),
        )
        row = table.row(0, named=True)
    return run.record(row, settings.constraints)


def _order_aspects(run: Run, item_id: str, named: list[str]) -> list[str]:
    """Return all aspects that may be set: those of the answer first, then those with most opinions."""
    space, item = run.space, run.space.items.number(item_id)
    known = (space.item_quality[item] != space.scale.absent).astype(np.int64)
    if space.opinions is not None:
        known = space.opinions.item_praises[item] + space.opinions.item_complaints[item]
    stays = np.zeros(len(space.aspects), dtype=bool) if space.schema is None else space.schema.stays
    order = np.argsort(-known, kind="stable")
    others = [space.aspects.texts[number] for number in order.tolist() if not stays[number]]
    return [*named, *(aspect for aspect in others if aspect not in named)]


# The user, and the sentences behind a value


@dataclass(frozen=True)
class Taste:
    """An aspect that a user cares about."""

    aspect: str
    mentions: int | None
    """How often they have mentioned it; None if that is not counted."""


@dataclass(frozen=True)
class KnownItem:
    """An item that a user has reviewed, or otherwise knows."""

    item_id: str
    name: str
    note: str


def taste_of(run: Run, user_id: str) -> tuple[Taste, ...]:
    """Return the aspects that a user cares about most; none if all aspects matter alike."""
    space, user = run.space, run.space.users.number(user_id)
    attention = space.user_attention[user]
    if (attention == attention[0]).all():
        return ()
    mentions = None
    if space.opinions is not None:
        mentions = space.opinions.user_praises[user] + space.opinions.user_complaints[user]
    order = np.argsort(-attention, kind="stable")[:TASTES]
    return tuple(
        Taste(
            space.aspects.texts[aspect],
            None if mentions is None else int(mentions[aspect]),
        )
        for aspect in order.tolist()
        if attention[aspect] > 0
    )


def known_items_of(run: Run, user_id: str) -> tuple[KnownItem, ...] | None:
    """Return what a user has reviewed, by name; None if the run does not say."""
    if not run.has(SPLIT):
        return None
    rows = run.split.filter(pl.col("user_id") == user_id).select("item_id", "part").rows()
    found = [KnownItem(item_id, run.item_name(item_id), PARTS.get(part, "")) for item_id, part in rows]
    return tuple(sorted(found, key=lambda item: (item.note, item.name)))


@dataclass(frozen=True)
class Quote:
    """One mention of an aspect."""

    praises: bool
    words: str | None
    """The sentence; None if the source has no text."""
    by: str
    """Who says so."""
    counted: bool
    """Whether it counts for the value; what is held out does not."""


def quotes_of(run: Run, item_id: str, aspect: str, privacy: Privacy) -> tuple[Quote, ...] | None:
    """Return what is said about an aspect of an item, what counts first.

    None if the run has no mentions, or no text may be shown.
    """
    if not run.has(MENTIONS) or not privacy.shows_text:
        return None
    found = [
        Quote(row["sentiment"] > 0, row["words"], privacy.user(row["user_id"]), row["part"] in ("train", OTHERS))
        for row in evidence_of(run, aspect, item_id=item_id).mentions
    ]
    return tuple(sorted(found, key=lambda quote: not quote.counted))
