"""Changes on their scales: what each aspect is, what it would have to be, and how many opinions stand behind it."""

from __future__ import annotations

from collections.abc import Sequence

from counterec.service.page.text_elements import box, text
from counterec.wording import Change
from counterec.wording.phrases import attribute_name, shown_values, values


def show_changes(changes: Sequence[Change]) -> None:
    """One row per change; numbers lie on a scale from their lowest to their highest value."""
    with box("ul", "changes"):
        for change in changes:
            with box("li", "stack-tight"):
                with box("div", "row spread"):
                    facts = change.attribute is not None
                    text(attribute_name(change.aspect) if facts else change.aspect, "span", "bar-name")
                    text(_said(change), "span", "number")
                if change.moved and (change.attribute is None or change.attribute.is_number):
                    _scale(change)


def _said(change: Change) -> str:
    """“4.5 → 2.1 of 5; 15 opinions so far”."""
    if change.attribute is None:
        return values(change)
    before, after = shown_values(change)
    return f"{before} → {after}"


def _scale(change: Change) -> None:
    """A line from the lowest to the highest value, with the way of the change; the words beside it say the same."""
    places = [min(max((value - change.low) / change.span, 0.0), 1.0) for value in (change.before, change.after)]
    left, right = sorted(places)
    with box("div", "scale", aria_hidden="true"):
        box("span", "scale-way").style(f"left: {100 * left:.1f}%; width: {100 * (right - left):.1f}%")
        for name, place in zip(("before", "after"), places, strict=True):
            box("span", f"scale-end {name}").style(f"left: {100 * place:.1f}%")
