"""The values that one aspect of one item may be set to, in order, each with its place on the row that shows it.

A value made from opinions can only be one that opinions give; an attribute lies on its steps; a category is one of its
values. Where neighbours lie too close together to be told apart on the row, some are left out: never the value as it
is, nor those that an answer names.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from counterec.core.arrays import FloatVector, require
from counterec.core.attributes import NO, YES, Attribute
from counterec.core.space import AspectSpace
from counterec.wording import Change
from counterec.wording.phrases import attribute_name, meaning, on_scale, shown_value
from counterec.wording.record_builders import change_of

Control = Literal["slider", "switch", "choice"]

APART = 0.01
"""Neighbouring values of a slider are at least this share of the row apart."""
ROOM_FOR_ABSENT = 0.15
"""The share of the row before the scale begins, where *absent* lies, if an item may lack the aspect."""
ENOUGH = 100
"""The number of steps of a slider on which any value is possible."""
NOT_MENTIONED, AS_IF = "not mentioned", "as if nobody had mentioned it"
"""The value of an aspect that reviews do not speak of, and what it takes to get there."""


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
    places: tuple[float, ...]
    """Where each lies on the row, from 0 to 1."""
    notes: tuple[str, ...]
    """What it would take to get there: “that is 3 more complaints”; empty where nobody knows, or it is so now."""
    now: int
    """The place of the present value among them."""
    scale: str
    """What the numbers are out of: “of 5”; empty where they say it themselves."""
    can_be_absent: bool
    """Whether the first value is that the item lacks the aspect."""
    ends: tuple[tuple[str, float, str], ...]
    """What is written below the row: each text, where it lies, and at which side of that point."""
    opinions: int | None
    """How many opinions stand behind the present value; None where they are not counted."""

    def __post_init__(self) -> None:
        for name in ("shown", "places", "notes"):
            found = len(getattr(self, name))
            require(found == len(self.codes), f"{self.aspect}: {found} {name} for {len(self.codes)} values")
        require(0 <= self.now < len(self.codes), f"{self.aspect} has no value number {self.now}")

    def nearest(self, code: float) -> int:
        """The place of the value that is nearest to this one."""
        return int(np.argmin(np.abs(np.array(self.codes) - code)))


def value_steps(
    space: AspectSpace, item: int, aspect: int, also: Collection[float] = (), *, any_value: bool
) -> ValueSteps:
    """The values of an aspect of an item; those in ``also`` are among them. With ``any_value``, all are possible."""
    now = float(space.item_quality[item, aspect])
    attribute = None if space.schema is None else space.schema[aspect]
    codes = _codes(space, item, aspect, attribute, (now, *also), any_value)
    return ValueSteps(
        aspect=space.aspects.texts[aspect],
        label=space.aspects.texts[aspect] if attribute is None else attribute_name(attribute.name),
        control=_control(attribute),
        codes=tuple(codes.tolist()),
        shown=_shown(codes, float(space.scale.absent[aspect]), attribute, now),
        places=tuple(_places(space, aspect, codes)),
        notes=tuple(_note(space, item, aspect, now, code) for code in codes.tolist()),
        now=int(np.flatnonzero(codes == np.float32(now))[0]),
        can_be_absent=bool(space.scale.can_be_absent[aspect]),
        ends=_ends(space, aspect, attribute),
        scale=_scale(space, aspect, attribute),
        opinions=_opinions(space, item, aspect),
    )


def _control(attribute: Attribute | None) -> Control:
    if attribute is None or attribute.is_number:
        return "slider"
    return "switch" if attribute.kind == "yes_no" and not attribute.can_be_absent else "choice"


def _codes(
    space: AspectSpace, item: int, aspect: int, attribute: Attribute | None, named: Sequence[float], any_value: bool
) -> FloatVector:
    """The possible values in ascending order, *absent* before all others."""
    absent = np.float32(space.scale.absent[aspect])
    if attribute is not None and not attribute.is_number:
        found = np.array([NO, YES]) if attribute.kind == "yes_no" else np.arange(float(attribute.count))
    else:
        found = _thinned(_numbers(space, item, aspect, any_value), named, float(space.scale.span[aspect]))
    present = np.unique(np.r_[found, named].astype(np.float32))
    present = present[present != absent]
    return np.r_[absent, present] if space.scale.can_be_absent[aspect] else present


def _numbers(space: AspectSpace, item: int, aspect: int, any_value: bool) -> FloatVector:
    """All possible values of a number, ascending."""
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


def _thinned(values: FloatVector, named: Sequence[float], span: float) -> FloatVector:
    """The values that can be told apart on a row; those that are named come first."""
    kept = [float(value) for value in named]
    for value in values.tolist():
        if all(abs(value - other) >= APART * span for other in kept):
            kept.append(value)
    return np.array(sorted(kept))


def _places(space: AspectSpace, aspect: int, codes: FloatVector) -> list[float]:
    """Where the values lie: *absent* at the very left, then the scale up to the right end."""
    low, high, absent = (float(getattr(space.scale, end)[aspect]) for end in ("low", "high", "absent"))
    room = ROOM_FOR_ABSENT if space.scale.can_be_absent[aspect] else 0.0
    ends = ([absent, low, high], [0, room, 1]) if absent < low else ([low, high], [room, 1])
    return np.where(codes == np.float32(absent), 0, np.interp(codes, *ends)).round(4).tolist()


def _shown(codes: FloatVector, absent: float, attribute: Attribute | None, now: float | None = None) -> tuple[str, ...]:
    """The values for people; numbers have one digit, or two where that tells neighbours apart from the present one."""
    if attribute is not None and attribute.kind != "quality":
        return tuple(shown_value(attribute, float(code)) for code in codes)
    brief = [f"{float(code):z.1f}" for code in codes]
    present = codes == np.float32(np.nan if now is None else now)
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


def _note(space: AspectSpace, item: int, aspect: int, now: float, code: float) -> str:
    if np.float32(code) == np.float32(now):
        return ""
    change = change_of(space, item, aspect, now, code)
    if change.removed:
        return AS_IF if change.opinions is not None else ""
    return meaning(change) if change.more is not None else ""


def _scale(space: AspectSpace, aspect: int, attribute: Attribute | None) -> str:
    if attribute is not None and attribute.kind != "quality":
        return ""
    low, high = (float(end[aspect]) for end in (space.scale.low, space.scale.high))
    example = Change(space.aspects.texts[aspect], low, high, span=high - low, low=low, absent=low - 1)
    return on_scale(example, "").strip()


def _ends(space: AspectSpace, aspect: int, attribute: Attribute | None) -> tuple[tuple[str, float, str], ...]:
    """The ends of the scale, which are the same on every row that has the same scale."""
    absent, low, high = (float(getattr(space.scale, end)[aspect]) for end in ("absent", "low", "high"))
    codes = np.array([absent, low, high] if space.scale.can_be_absent[aspect] else [low, high], dtype=np.float32)
    if attribute is None or attribute.kind == "quality":
        shown = tuple("none" if code == np.float32(absent) else f"{code:g}" for code in codes)
    else:
        shown = _shown(codes, absent, attribute)
    sides = ("leftmost", "", "rightmost") if len(codes) == 3 else ("leftmost", "rightmost")
    return tuple(zip(shown, _places(space, aspect, codes), sides, strict=True))


def _opinions(space: AspectSpace, item: int, aspect: int) -> int | None:
    if space.opinions is None:
        return None
    return int(space.opinions.item_praises[item, aspect] + space.opinions.item_complaints[item, aspect])
