"""A case: one user, one item, and why it is in their list, or what it would take; everything that the page says of it.

It knows nothing of the page's elements, and is worked out off the event loop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterec.errors import UnknownIdError
from counterec.service.page.listing import ListedItem, Listing, listing_now
from counterec.service.page.value_steps import ValueSteps, value_steps
from counterec.wording import AnswerRecord, Mark, marks, reason, sentence
from counterec.wording.sentences import state_lead

if TYPE_CHECKING:
    from counterec.core.explainers.budget import Budget
    from counterec.run import Run
    from counterec.service.page.settings import SearchSettings
    from counterec.service.page.stored_answers import StoredAnswers

MOST_ROWS = 3
"""At most this many aspects are shown at once; the others are folded away."""


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


def _without_limit(_: Run) -> None:
    return None


def case_of(
    run: Run,
    stored: StoredAnswers,
    user_id: str,
    item_id: str,
    settings: SearchSettings,
    budget: Callable[[Run], Budget | None] = _without_limit,
) -> Case:
    """The case of a user and an item: the stored answer, or one that is searched for now, within a budget.

    Of an item that is not in the list, the question is what it would take.
    """
    record = _record(run, stored, user_id, item_id, settings, budget)
    after = {change.aspect: change.after for change in record.changes}
    aspects = _aspects(run, item_id, list(after))
    shown = min(len(after) or MOST_ROWS, MOST_ROWS)
    return Case(
        user_id=user_id,
        item_id=item_id,
        record=record,
        listing=_listing(run, user_id, record),
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


def _listing(run: Run, user_id: str, record: AnswerRecord) -> Listing:
    """The user's list, and the item wherever it stands."""
    row, found = record.row, listing_now(run, user_id)
    if row.position is None:
        return found
    return found.showing(ListedItem(row.position, row.item_id, record.item, row.position <= found.k))


def steps_of(run: Run, item_id: str, aspect: str, settings: SearchSettings, also: list[float]) -> ValueSteps:
    """The values that an aspect of the item may be set to."""
    space = run.space
    item, number = space.items.number(item_id), space.aspects.number(aspect)
    any_value = settings.constraints.of(space).values == "continuous"
    return value_steps(space, item, number, also, any_value=any_value)


def _record(
    run: Run,
    stored: StoredAnswers,
    user_id: str,
    item_id: str,
    settings: SearchSettings,
    budget: Callable[[Run], Budget | None],
) -> AnswerRecord:
    """The answer: *why* of an item in the list, *why not* of any other."""
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


def _aspects(run: Run, item_id: str, named: list[str]) -> list[str]:
    """All aspects that may be set: those of the answer first, then those that most is known of."""
    space, item = run.space, run.space.items.number(item_id)
    known = (space.item_quality[item] != space.scale.absent).astype(np.int64)
    if space.opinions is not None:
        known = space.opinions.item_praises[item] + space.opinions.item_complaints[item]
    stays = np.zeros(len(space.aspects), dtype=bool) if space.schema is None else space.schema.stays
    order = np.argsort(-known, kind="stable")
    others = [space.aspects.texts[number] for number in order.tolist() if not stays[number]]
    return [*named, *(aspect for aspect in others if aspect not in named)]
