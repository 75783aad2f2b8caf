"""Pages of a long list: only one of them is on the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from counterec.service.page.text_elements import box, button, text


def show_pager(total: int, page: int, size: int, what: str, on_page: Callable[[int], Any]) -> None:
    """Say which of how many are shown, and lead to the pages before and after; pages are counted from 0."""
    first, last = page * size + 1, min(total, (page + 1) * size)
    with box("nav", "row pager", aria_label=f"Pages of {what}"):
        text(f"{first:,}–{last:,} of {total:,} {what}" if total else f"No {what}", "span", "muted small number")
        if page > 0:
            button("Earlier", lambda: on_page(page - 1), "small", aria_label=f"Earlier {what}")
        if last < total:
            button("More", lambda: on_page(page + 1), "small", aria_label=f"More {what}")
