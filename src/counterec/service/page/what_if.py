"""What if: the values that somebody has set on a case, step by step, and what becomes of the list with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.possible_values import possible_values
from counterec.errors import UsageError
from counterec.service.page.listing import Listing, listing_after
from counterec.wording import reranking_records, sentence
from counterec.wording.phrases import shown_value

if TYPE_CHECKING:
    from counterec.core.explainers.what_if import UserStanding
    from counterec.core.space import AspectSpace
    from counterec.run import Run
    from counterec.service.page.case import Case
    from counterec.service.page.value_steps import ValueSteps

ABSENT = "absent"
"""Stands in the address for an aspect that the item lacks."""
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

    def forget_past(self) -> None:
        """What is set now is the beginning: there is nothing to undo."""
        self._past = []

    def undo(self) -> None:
        """Go one step back."""
        if self._past:
            self._values = self._past.pop()
            self._settled = dict(self._values)


def written(space: AspectSpace, values: Mapping[str, float]) -> list[str]:
    """What is set, as the address has it: ``battery:2.075766``, ``wifi:no``."""
    return [f"{aspect}:{_written(space, space.aspects.number(aspect), code)}" for aspect, code in values.items()]


def _written(space: AspectSpace, aspect: int, code: float) -> str:
    if np.float32(code) == space.scale.absent[aspect]:
        return ABSENT
    if space.schema is not None and not space.schema[aspect].is_number:
        return shown_value(space.schema[aspect], code)
    return f"{code:.7g}"


def read(space: AspectSpace, item: int, texts: Iterable[str], *, any_value: bool = False) -> dict[str, float]:
    """What an address sets: aspect → value. A number stands for the nearest value that is possible.

    An aspect may have a colon in its name; a value that has one must be a category.
    """
    found = {}
    for text in texts:
        aspect = next((known for known in space.aspects.texts if text.startswith(f"{known}:")), None)
        if aspect is None:
            raise UsageError(f"the address sets {text!r}, which no aspect of this run is; write set=aspect:value")
        number = space.aspects.number(aspect)
        code = _read(space, item, number, text.removeprefix(f"{aspect}:"), any_value)
        if np.float32(code) != space.item_quality[item, number]:
            found[aspect] = code
    return found


def _read(space: AspectSpace, item: int, aspect: int, text: str, any_value: bool) -> float:
    said = f"{space.aspects.texts[aspect]} is {text!r} in the address"
    if text == ABSENT and space.scale.can_be_absent[aspect]:
        return float(space.scale.absent[aspect])
    if space.schema is not None and not space.schema[aspect].is_number:
        attribute = space.schema[aspect]
        codes = {shown_value(attribute, code): float(code) for code in range(attribute.count)}
        if text not in codes:
            raise UsageError(f"{said}; it may be {', '.join(codes)}")
        return codes[text]
    try:
        value = float(text)
    except ValueError:
        raise UsageError(f"{said}; it must be a number") from None
    if not np.isfinite(value):
        raise UsageError(f"{said}; it must be a finite number")
    if any_value:
        return value
    one = np.array([aspect])
    return float(possible_values(space, np.array([item]), one, np.array([value], dtype=np.float32))[0])


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
