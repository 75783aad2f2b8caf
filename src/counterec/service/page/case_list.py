"""Cases in words, a few at a time: whose list, which item, and why it is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from counterec.service.page.pager import show_pager
from counterec.service.page.panel import Opened
from counterec.service.page.text_elements import box, link, text
from counterec.wording import AnswerRecord, sentence

if TYPE_CHECKING:
    from counterec.run import Run

AT_ONCE = 6
"""How many cases are shown at once."""


@dataclass(frozen=True)
class CasePage:
    """A few of many cases."""

    records: Sequence[AnswerRecord]
    page: int
    total: int

    @classmethod
    def of(cls, run: Run, cases: pl.DataFrame, page: int) -> CasePage:
        """The cases of a page, counted from 0; beyond the last one, of the last."""
        page = min(page, max(0, (len(cases) - 1) // AT_ONCE))
        rows = cases.slice(page * AT_ONCE, AT_ONCE).to_dicts()
        return cls([run.record(row) for row in rows], page, len(cases))


def show_cases(opened: Opened, found: CasePage, on_page: Callable[[int], Any]) -> None:
    """Show some cases, and the way to the others."""
    with box("ol", "cases"):
        for record in found.records:
            with box("li", "stack-tight"):
                _case(opened, record)
    show_pager(found.total, found.page, AT_ONCE, "cases", on_page)


def _case(opened: Opened, record: AnswerRecord) -> None:
    user = opened.site.user_name(record.row.user_id)
    place = "" if record.row.position is None else f", position {record.row.position}"
    text(f"{record.item}, in the list of {user}{place}", "p", "small muted")
    text(sentence(record), "p")
    address = opened.address.to("/", user=user, item=record.row.item_id)
    link("Open this case", str(address), "small")
