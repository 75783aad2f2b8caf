"""What if: the values that one aspect of an item may be set to, and what becomes of the list with them.

A value made from opinions can only be one that opinions give; an attribute has its steps; a category is one of its
values. Of neighbours that lie too close together, some are left out: never the present value, nor those that an answer
names. This module knows nothing of the page's elements.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from counterec.core.arrays import FloatVector, require
from counterec.core.attributes import NO, YES, Attribute
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.possible_values import possible_values
from counterec.core.space import AspectSpace
from counterec.errors import UsageError
from counterec.wording import Change, reranking_records, sentence
from counterec.wording.phrases import attribute_name, meaning, on_scale, shown_value
from counterec.wording.record_builders import change_of

if TYPE_CHECKING:
    from counterec.core.explainers.what_if import Reranking, UserStanding
    from counterec.run import Run

Control = Literal["slider", "switch", "choice"]

APART = 0.01
"""Neighbouring values of a slider are at least this share of the scale apart."""
ENOUGH = 100
"""Steps of a slider on which any value is possible."""
NOT_MENTIONED, AS_IF = "not mentioned", "as if nobody had mentioned it"
"""The value of an aspect that reviews do not speak of, and what it takes to get there."""
ABSENT = "absent"
"""Stands in the address for an aspect that the item lacks."""


@dataclass(frozen=True)
class ValueSteps:
    """One aspect of one item: what it may become, and what it is now."""

    aspect: str
    label: str
    """The aspect as it is spoken."""
    control: Control
    codes: tuple[float, ...]
    """The values as numbers, in the order in which they are offered."""
    shown: tuple[str, ...]
    """The same for people."""
    notes: tuple[str, ...]
    """What it would take to get there: “that is 3 more complaints”; empty if that is unknown, or it is so now."""
    now: int
    """The place of the present value among them."""
    scale: str
    """What the numbers are out of: “of 5”; empty if they say it themselves."""
    opinions: int | None
    """How many opinions stand behind the present value; None if they are not counted."""

    def __post_init__(self) -> None:
        for name in ("shown", "notes"):
            found = len(getattr(self, name))
            require(found == len(self.codes), f"{self.aspect}: {found} {name} for {len(self.codes)} values")
        require(0 <= self.now < len(self.codes), f"{self.aspect} has no value number {self.now}")

    def nearest(self, code: float) -> int:
        """Return the place of the nearest value."""
        return int(np.argmin(np.abs(np.array(self.codes) - code)))


def value_steps(
    space: AspectSpace, item: int, aspect: int, also: Collection[float] = (), *, any_value: bool
) -> ValueSteps:
    """Return the values of an aspect of an item, with those in ``also``. With ``any_value``, all are possible."""
    now = float(space.item_quality[item, aspect])
    attribute = None if space.schema is None else space.schema[aspect]
    codes = _possible_codes(space, item, aspect, attribute, (now, *also), any_value)
    return ValueSteps(
        aspect=space.aspects.texts[aspect],
        label=space.aspects.texts[aspect] if attribute is None else attribute_name(attribute.name),
        control=_choose_control(attribute),
        codes=tuple(codes.tolist()),
        shown=_show(codes, float(space.scale.absent[aspect]), attribute, now),
        notes=tuple(_describe_way(space, item, aspect, now, code) for code in codes.tolist()),
        now=int(np.flatnonzero(codes == np.float32(now))[0]),
        scale=_describe_scale(space, aspect, attribute),
        opinions=_count_opinions(space, item, aspect),
    )


def _choose_control(attribute: Attribute | None) -> Control:
    if attribute is None or attribute.is_number:
        return "slider"
    return "switch" if attribute.kind == "yes_no" and not attribute.can_be_absent else "choice"


def _possible_codes(
    space: AspectSpace, item: int, aspect: int, attribute: Attribute | None, named: Sequence[float], any_value: bool
) -> FloatVector:
    """Return the possible values in ascending order, *absent* before all others."""
    absent = np.float32(space.scale.absent[aspect])
    if attribute is not None and not attribute.is_number:
        found = np.array([NO, YES]) if attribute.kind == "yes_no" else np.arange(float(attribute.count))
    else:
        found = _thin(_possible_numbers(space, item, aspect, any_value), named, float(space.scale.span[aspect]))
    present = np.unique(np.r_[found, named].astype(np.float32))
    present = present[present != absent]
    return np.r_[absent, present] if space.scale.can_be_absent[aspect] else present


def _possible_numbers(space: AspectSpace, item: int, aspect: int, any_value: bool) -> FloatVector:
    """Return all possible values of a number, ascending."""
    least, greatest = (float(end[aspect]) for end in space.possible)
    ladder, steps = space.ladder_of(item, aspect), space.scale.steps
    if any_value and steps is None:
        low, high, absent = (float(getattr(space.scale, end)[aspect]) for end in ("low", "high", "absent"))
        return np.linspace(min(low, absent), max(high, absent), ENOUGH + 1)
    if ladder is not None:
        return ladder.values[(ladder.values >= np.float32(least)) & (ladder.values <= np.float32(greatest))]
    if steps is None:
        return np.linspace(least, greatest, ENOUGH + 1)
    step = float(steps[aspect])
    stride = step * max(1, int(np.ceil((greatest - least) / step / ENOUGH)))
    between = np.arange(np.ceil(least / stride - 1e-9) * stride, greatest + step / 2, stride)
    return np.clip(np.r_[least, between, greatest], least, greatest)


def _thin(values: FloatVector, named: Sequence[float], span: float) -> FloatVector:
    """Return the values that can be told apart; keep those that are named."""
    kept = [float(value) for value in named]
    for value in values.tolist():
        if all(abs(value - other) >= APART * span for other in kept):
            kept.append(value)
    return np.array(sorted(kept))


def _show(codes: FloatVector, absent: float, attribute: Attribute | None, now: float) -> tuple[str, ...]:
    """Return the values for people; numbers have one digit, or two to tell neighbours of the present one apart."""
    if attribute is not None and attribute.kind != "quality":
        return tuple(shown_value(attribute, float(code)) for code in codes)
    brief = [f"{float(code):z.1f}" for code in codes]
    present = codes == np.float32(now)
    return tuple(
        NOT_MENTIONED
        if code == np.float32(absent)
        else text
        if brief.count(text) == 1 or is_now
        else _longer(float(code), text)
        for code, text, is_now in zip(codes, brief, present, strict=True)
    )


def _longer(code: float, brief: str) -> str:
    longer = f"{code:z.2f}"
    return brief if longer == f"{brief}0" else longer


def _describe_way(space: AspectSpace, item: int, aspect: int, now: float, code: float) -> str:
    if np.float32(code) == np.float32(now):
        return ""
    change = change_of(space, item, aspect, now, code)
    if change.removed:
        return AS_IF if change.opinions is not None else ""
    return meaning(change) if change.more is not None else ""


def _describe_scale(space: AspectSpace, aspect: int, attribute: Attribute | None) -> str:
    if attribute is not None and attribute.kind != "quality":
        return ""
    low, high = (float(end[aspect]) for end in (space.scale.low, space.scale.high))
    example = Change(space.aspects.texts[aspect], low, high, span=high - low, low=low, absent=low - 1)
    return on_scale(example, "").strip()


def _count_opinions(space: AspectSpace, item: int, aspect: int) -> int | None:
    if space.opinions is None:
        return None
    return int(space.opinions.item_praises[item, aspect] + space.opinions.item_complaints[item, aspect])


def write(space: AspectSpace, values: Mapping[str, float]) -> list[str]:
    """Write values as the address has them: ``battery:2.075766``, ``wifi:no``."""
    return [f"{aspect}:{_write(space, space.aspects.number(aspect), code)}" for aspect, code in values.items()]


def _write(space: AspectSpace, aspect: int, code: float) -> str:
    if np.float32(code) == space.scale.absent[aspect]:
        return ABSENT
    if space.schema is not None and not space.schema[aspect].is_number:
        return shown_value(space.schema[aspect], code)
    return f"{code:.7g}"


def read(space: AspectSpace, item: int, texts: Iterable[str], *, any_value: bool = False) -> dict[str, float]:
    """Read what an address sets: aspect → value. A number stands for the nearest possible value.

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


@dataclass(frozen=True)
class Outcome:
    """What becomes of the list."""

    found: Reranking
    sentence: str
    """What has happened to the item, with the values that were set; empty if nothing is set."""
    crossed: bool
    """Whether the item has crossed the cut."""


def rank_with(
    run: Run, item_id: str, values: Mapping[str, float], standing: UserStanding, like: Constraints
) -> Outcome:
    """Rank a user's list with these values of an item, which may be what the constraints ``like`` allow."""
    space = run.space
    item = space.items.number(item_id)
    quality = space.item_quality[item].copy()
    quality[space.aspects.numbers(values)] = list(values.values())
    found = standing.reranked({item: quality}, Constraints(values=like.of(space).values))
    records = reranking_records(space, found, run.item_names)
    said = sentence(records[0]) if records else ""
    crossed = any((record.position_before <= found.k) != (record.position_after <= found.k) for record in records)
    return Outcome(found, said, crossed)
