"""Marks as words; what each means appears when it is pointed at, and in a legend."""

from __future__ import annotations

from collections.abc import Sequence

from counterec.service.page.text_elements import box, folded, text, with_attributes
from counterec.wording import Mark, legend


def show_marks(marks: Sequence[Mark]) -> None:
    """The marks of an answer."""
    with box("ul", "marks", aria_label="What is established"):
        for mark in marks:
            with box("li"):
                with box("button", f"mark {mark.tone}", type="button") as shown:
                    text(mark.label)
                tip = text(mark.meaning, "span", "tip")
                name = f"mark-{tip.id}"  # several answers may be on a page
                with_attributes(tip, role="tooltip", id=name)
                with_attributes(shown, aria_describedby=name)


def show_legend(facts: bool) -> None:
    """All marks and what they mean."""
    with folded("What the marks mean"), box("dl", "legend small"):
        for mark in legend(facts=facts):
            text(mark.label, "dt")
            text(mark.meaning, "dd", "muted")
