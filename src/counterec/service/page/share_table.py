"""A table of shares, by aspect and group; every share is written, shaded, and leads to its cases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from counterec.report.overview import CaseFilter
from counterec.service.page.model_overview import ShareTable
from counterec.service.page.numbers import percent
from counterec.service.page.text_elements import box, button, text


def show_share_table(table: ShareTable, group: str, on_choice: Callable[[CaseFilter], Any]) -> None:
    """Show the table; ``group`` is what its columns are."""
    if not table.groups:
        text(f"This run does not know anybody's {group}.", "p", "muted")
        return
    label = f"Share of the recommendations that each aspect decides, by {group}"
    with box("div", "scrolls", tabindex="0", role="region", aria_label=label), box("table", "shares"):
        text(label, "caption", "muted small")
        with box("thead"), box("tr"):
            for title in ("Aspect", *table.groups):
                text(str(title), "th").props("scope=col")
        with box("tbody"):
            for aspect in table.aspects:
                with box("tr"):
                    text(aspect, "th").props("scope=row")
                    for column in table.groups:
                        with box("td"):
                            _cell(table, group, column, aspect, on_choice)
    if table.left_out:
        text(f"The {len(table.groups)} largest groups; {table.left_out} more are not shown.", "p", "muted small")


def _cell(
    table: ShareTable, group: str, column: str | int, aspect: str, on_choice: Callable[[CaseFilter], Any]
) -> None:
    share = table.share(column, aspect)
    if not share:
        text("–", "span", "muted")
        return
    group_of: dict[str, Any] = {table.by: column}
    behind = CaseFilter(aspect=aspect, **group_of)
    label = f"{percent(share)}: cases of {aspect}, {group} {column}"
    made = button(percent(share), lambda: on_choice(behind), "cell number", aria_label=label)
    made.style(f"--shade: {share / table.largest:.2f}")
