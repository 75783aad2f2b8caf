"""Bars: names and shares, each a button that leads to what is behind it. Plain HTML, which needs no network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from counterec.core.arrays import require
from counterec.service.page.text_elements import box, button, text


@dataclass(frozen=True)
class Bar:
    """One bar."""

    name: str
    share: float
    """How long it is: from 0 to 1."""
    said: str
    """What it means in numbers: “231 of 1,500 (15%)”."""
    note: str = ""
    """More about it, in smaller letters."""
    chosen: bool = False
    """Whether its cases are shown."""

    def __post_init__(self) -> None:
        require(0 <= self.share <= 1, f"the bar of {self.name} has a length of {self.share}; it must be from 0 to 1")


def show_bars(bars: Sequence[Bar], on_choice: Sequence[Callable[[], Any]]) -> None:
    """Show the bars on one scale, the longest of which fills the row. Each is a button; what it does is given, too."""
    longest = max((bar.share for bar in bars), default=0) or 1
    with box("ul", "bars"):
        for bar, choose in zip(bars, on_choice, strict=True):
            with box("li"):
                _show(bar, 100 * bar.share / longest, choose)


def _show(bar: Bar, percent: float, on_choice: Callable[[], Any]) -> None:
    with button("", on_choice, "bar", aria_pressed="true" if bar.chosen else "false"):
        with box("span", "bar-words"):
            text(bar.name, "span", "bar-name")
            text(bar.said, "span", "bar-number number")
        with box("span", "bar-track", aria_hidden="true"):
            box("span", "bar-length").style(f"width: {percent:.1f}%")
        if bar.note:
            text(bar.note, "span", "muted small")
