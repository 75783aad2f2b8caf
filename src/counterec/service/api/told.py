"""Answers as responses hold them: the row, the position after the change, and sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from counterec.core.explainers.answer_row import AnswerRow
from counterec.core.explainers.history.answer_row import HistoryRow
from counterec.wording import AnswerRecord, HistoryRecord, background, engineer_sentence, reason, sentence

if TYPE_CHECKING:
    from counterec.core.explainers.constraints import Constraints
    from counterec.service.service import Service

ROW_FIELDS = tuple(field.name for field in fields(AnswerRow))

Told = dict[str, Any]


def teller(
    service: Service, constraints: Constraints | None, language: str
) -> Callable[[AnswerRow | HistoryRow], Told]:
    """From rows to answers, for questions under these constraints."""
    run, people = service.run, service.people

    def told(row: AnswerRow | HistoryRow) -> Told:
        known = {"user_id": people.shown(row.user_id), "name": run.item_names.get(row.item_id)}
        if isinstance(row, HistoryRow):
            return {**asdict(row), **known, **_words(run.history_record(row), language)}
        record = run.record(row, constraints)
        return {
            **{name: getattr(row, name) for name in ROW_FIELDS},
            **known,
            "position_after": record.position_after,
            "background": background(record, language),
            **_words(record, language),
        }

    return told


def _words(record: AnswerRecord | HistoryRecord, language: str) -> Told:
    return {
        "reason": reason(record, language),
        "sentence": sentence(record, language),
        "engineer": engineer_sentence(record, language),
    }
