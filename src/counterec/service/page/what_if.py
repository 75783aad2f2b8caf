"""What if: the values that somebody has set on a case, step by step, and what becomes of the list with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterec.core.explainers.constraints import Constraints
from counterec.service.page.listing import Listing, listing_after
from counterec.wording import reranking_records, sentence

if TYPE_CHECKING:
    from counterec.core.explainers.what_if import UserStanding
    from counterec.run import Run
    from counterec.service.page.case import Case
    from counterec.service.page.value_steps import ValueSteps

MOST_STEPS_BACK = 100
"""How many steps can be undone."""


@dataclass(frozen=True)
class Outcome:
    """What becomes of the list."""

    listing: Listing
    sentence: str
    """What has happened to the item, with the values that were set; empty if nothing is set."""
    crossed: bool
    """Whether the item has crossed the cut."""


class SetValues:
    """The values that are set, and those that were before: aspect → value. What is as it is, is not set."""

    def __init__(self) -> None:
        self._values: dict[str, float] = {}
        self._past: list[dict[str, float]] = []
        self._settled: dict[str, float] = {}

    @property
    def values(self) -> Mapping[str, float]:
        """What is set now."""
        return self._values

    @property
    def can_undo(self) -> bool:
        """Whether there is a step back."""
        return bool(self._past)

    def slide(self, steps: ValueSteps, at: int) -> None:
        """Set one aspect for the moment; it is a step of its own only when it settles."""
        values = {aspect: value for aspect, value in self._values.items() if aspect != steps.aspect}
        if at != steps.now:
            values[steps.aspect] = steps.codes[at]
        self._values = values

    def settle(self) -> None:
        """Make what is set a step that can be undone."""
        if self._values != self._settled:
            self._past = [*self._past, self._settled][-MOST_STEPS_BACK:]
            self._settled = dict(self._values)

    def become(self, values: Mapping[str, float]) -> None:
        """Set exactly these."""
        self._values = dict(values)
        self.settle()

    def undo(self) -> None:
        """Go one step back."""
        if self._past:
            self._values = self._past.pop()
            self._settled = dict(self._values)


def written(values: Mapping[str, float], steps: Mapping[str, ValueSteps]) -> list[str]:
    """What is set, as the address has it: ``battery:2.0757``."""
    return [f"{aspect}:{steps[aspect].written(steps[aspect].nearest(value))}" for aspect, value in values.items()]


def read(texts: Iterable[str]) -> dict[str, str]:
    """What an address sets: aspect → value as text. An aspect may have a colon in its name, a value has none."""
    found = {}
    for text in texts:
        aspect, _, value = text.rpartition(":")
        if aspect:
            found[aspect] = value
    return found


def outcome(run: Run, case: Case, standing: UserStanding, values: Mapping[str, float]) -> Outcome:
    """The list with these values of the item."""
    space = run.space
    item = space.items.number(case.item_id)
    quality = space.item_quality[item].copy()
    quality[space.aspects.numbers(values)] = list(values.values())
    found = standing.reranked({item: quality}, Constraints(values=case.settings.constraints.of(space).values))
    records = reranking_records(space, found, run.item_names)
    said = sentence(records[0]) if records else ""
    crossed = any((record.position_before <= found.k) != (record.position_after <= found.k) for record in records)
    return Outcome(listing_after(run, found), said, crossed)
