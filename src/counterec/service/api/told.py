"""Answers as responses hold them: the row, the position after the change, and sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from counterec.core.explainers.answer_row import AnswerRow
from counterec.core.explainers.history.answer_row import HistoryRow
from counterec.wording import AnswerRecord, HistoryRecord, background, reason, sentence

if TYPE_CHECKING:
    from counterec.core.explainers.constraints import Constraints
    from counterec.service.service import Service

ROW_FIELDS = tuple(field.name for field in fields(AnswerRow))

Told = dict[str, Any]


def teller(service: Service, constraints: Constraints | None) -> Callable[[AnswerRow | HistoryRow], Told]:
    """From rows to answers, for questions under these constraints."""
    run, people = service.run, service.people
    unknown = run.without_history

    def told(row: AnswerRow | HistoryRow) -> Told:
        new = () if unknown is None else (row.user_id in unknown.users, row.item_id in unknown.items)
        known = {
            "user_id": people.shown(row.user_id),
            "without_history": WITHOUT[new],
            "name": run.item_names.get(row.item_id),
        }
        if isinstance(row, HistoryRow):
            return {**asdict(row), **known, **_words(run.history_record(row))}
        record = run.record(row, constraints)
        return {
            **{name: getattr(row, name) for name in ROW_FIELDS},
            **known,
            "position_after": record.position_after,
            "background": background(record),
            **_words(record),
        }

    return told


def _words(record: AnswerRecord | HistoryRecord) -> Told:
    return {
        "reason": reason(record),
        "sentence": sentence(record),
    }


WITHOUT: dict[tuple[bool, ...], str | None] = {
    (): None,
    (False, False): None,
    (True, False): "user",
    (False, True): "item",
    (True, True): "both",
}
"""Whether nothing is known of the user and of the item → the word for it."""
