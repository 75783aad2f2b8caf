"""An answer: its sentence, its changes on their scales, what is established about it, and what stands behind it."""

from __future__ import annotations

from counterec.service.page.change_scale import show_changes
from counterec.service.page.marks_view import show_marks
from counterec.service.page.text_elements import text
from counterec.wording import AnswerRecord, AudienceRecord, background, marks, sentence


def show_answer(record: AnswerRecord | AudienceRecord) -> None:
    """Show the answer; one that found nothing says so, and has the nearest miss, if there is one."""
    text(sentence(record), "p", "sentence")
    if record.changes:
        show_changes(record.changes)
    show_marks(marks(record))
    if beside := background(record):
        text(beside, "p", "muted small")
