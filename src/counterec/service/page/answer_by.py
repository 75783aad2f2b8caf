"""The answer of a case, by aspects of the item or by past reviews of the user: whoever reads it chooses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterec.service.page.answer_place import AnswerPlace
from counterec.service.page.choice_field import choice_field
from counterec.service.page.marks_view import show_marks
from counterec.service.page.text_elements import box, text
from counterec.wording import marks, reason, sentence

if TYPE_CHECKING:
    from counterec.run import Run
    from counterec.service.page.case import Case
    from counterec.service.page.panel import Opened
    from counterec.service.page.waiting import Patience
    from counterec.wording import HistoryRecord

WORDS = {"aspects": "its aspects", "history": "past reviews"}
"""What an answer may name → the words of the choice."""


class AnswerBy:
    """The answer at the top of a case; by past reviews it is worked out when somebody asks for it."""

    def __init__(self, opened: Opened, case: Case) -> None:
        self._opened, self._case, self._site = opened, case, opened.site

    async def show(self) -> None:
        """Show the answer that the address names; without a name, that by aspects."""
        chosen = "history" if self._case.by_history and self._opened.address.get("by") == "history" else "aspects"
        with box("div", "answers"):
            self._own = box("div", "stack")
            self._past = AnswerPlace()
        if self._case.by_history:
            choice_field("Explained by", WORDS, chosen, self._choose, "explained-by")
        await self._fill(chosen)

    async def _choose(self, by: str) -> None:
        address = self._opened.address.with_params(by=None if by == "aspects" else by)
        self._opened.remember(address)
        await self._fill(by)

    async def _fill(self, by: str) -> None:
        self._own.clear()
        if by == "history":
            await self._past.fill("Trying past reviews", self._asked, self._show_past)
            return
        self._past.empty()
        with self._own:
            self._show_own()

    async def _asked(self, patience: Patience) -> HistoryRecord:
        case = self._case

        def answered(run: Run) -> HistoryRecord:
            table = run.explain(case.user_id, case.item_id, by="history", budget=patience)
            return run.history_record(table.row(0, named=True))

        return await self._site.ask(answered)

    def _show_own(self) -> None:
        case = self._case
        text(case.headline, "p", "headline")
        text(case.sentence, "p", "sentence")
        if case.origin:
            text(case.origin, "p", "origin small")
        show_marks(case.marks)

    def _show_past(self, record: HistoryRecord) -> None:
        text(reason(record), "p", "headline")
        text(sentence(record), "p", "sentence")
        show_marks(marks(record))
