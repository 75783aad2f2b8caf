"""Cases in words, a few at a time: whose list, which item, and why it is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from counterec.service.page.pager import show_pager
from counterec.service.page.panel import Opened
from counterec.service.page.text_elements import box, link, text
from counterec.wording import AnswerRecord, sentence

AT_ONCE = 6
"""How many cases are shown at once."""


async def show_cases(opened: Opened, cases: pl.DataFrame, on_page: Callable[[int], Any]) -> None:
    """Show the page of the cases that the address names."""
    asked = opened.address.get("page") or "0"
    last = max(0, (len(cases) - 1) // AT_ONCE)
    page = min(int(asked), last) if asked.isdecimal() else 0
    rows = cases.slice(page * AT_ONCE, AT_ONCE).to_dicts()
    records = await opened.site.ask(lambda run: [run.record(row) for row in rows])
    with box("ol", "cases"):
        for record in records:
            with box("li", "stack-tight"):
                _case(opened, record)
    show_pager(len(cases), page, AT_ONCE, "cases", on_page)


def _case(opened: Opened, record: AnswerRecord) -> None:
    user = opened.site.user_name(record.row.user_id)
    place = "" if record.row.position is None else f", position {record.row.position}"
    text(f"{record.item}, in the list of {user}{place}", "p", "small muted")
    text(sentence(record, opened.site.language), "p")
    address = opened.address.to("/", user=user, item=record.row.item_id)
    link("Open this case", str(address), "small")
