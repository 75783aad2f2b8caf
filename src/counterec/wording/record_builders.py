"""Records of answers: rows get names, and their changes get scales.

There is one way to a record of an answer: from its row. A live answer becomes a row first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from counterec.core.arrays import FloatVector
from counterec.core.explainers.answer import Explanations, Status
from counterec.core.explainers.answer_row import AnswerRow, answer_rows, strongest_first
from counterec.core.explainers.question import Question
from counterec.core.space import AspectSpace
from counterec.wording.change import Change
from counterec.wording.record import AnswerRecord, AudienceRecord, RerankingRecord

if TYPE_CHECKING:  # stored answers are put into words without PyTorch
    from counterec.core.explainers.audience.answer import AudienceAnswer
    from counterec.core.explainers.what_if import Reranking

NO_NAMES: Mapping[str, str] = {}


def answer_record(
    question: Question,
    answers: Explanations,
    row: int,
    *,
    goal: str = "minimal",
    names: Mapping[str, str] = NO_NAMES,
    positions: tuple[int, int | None] | None = None,
) -> AnswerRecord:
    """The record of one answer, by its row number.

    ``names`` maps item ids to names; ``positions`` are those before and after the change.
    """
    index = np.array([row])
    before, after = positions or (None, None)
    at = None if before is None else np.array([before])
    (found,) = answer_rows(answers.rows(index), question.rows(index), goal, at)
    return row_record(question.space, found, k=question.k, margin=answers.margin, names=names, position_after=after)


def row_record(
    space: AspectSpace,
    row: AnswerRow,
    *,
    k: int,
    margin: float,
    names: Mapping[str, str] = NO_NAMES,
    position_after: int | None = None,
) -> AnswerRecord:
    """The record of one row of an explanations table."""
    matched = None
    if row.question == "why_rather_takes" and row.versus is not None:
        matched = space.item_quality[space.items.number(row.versus)]
    aspects = space.aspects.numbers(row.aspects).tolist()
    return AnswerRecord(
        row=row,
        item=names.get(row.item_id, row.item_id),
        changes=[
            _change(space, aspect, before, after, matched)
            for aspect, before, after in zip(aspects, row.before, row.after, strict=True)
        ],
        k=k,
        versus=None if row.versus is None else names.get(row.versus, row.versus),
        position_after=position_after,
        margin=margin,
    )


def audience_record(space: AspectSpace, answer: AudienceAnswer, names: Mapping[str, str] = NO_NAMES) -> AudienceRecord:
    """The record of what an improvement does for an audience."""
    return AudienceRecord(
        item=_name(space, answer.item, names),
        changes=_changes(space, answer.item, answer.delta),
        status=answer.status.label,
        asked=len(answer.users),
        wanted=answer.wanted,
        entered=int(answer.entered.sum()),
        had_it=int(answer.had_it.sum()),
        kept_it=int((answer.had_it & answer.has_it).sum()),
        proof=answer.proof.label if answer.status is Status.EXPLAINED else None,
    )


def reranking_records(
    space: AspectSpace, found: Reranking, names: Mapping[str, str] = NO_NAMES
) -> list[RerankingRecord]:
    """The records of a new ranking, one per item that was changed."""
    records = []
    for item, quality in zip(found.changed.tolist(), found.qualities, strict=True):
        delta = quality - space.item_quality[item]
        if delta.any():
            at = found.place(item) - 1
            records.append(
                RerankingRecord(
                    item=_name(space, item, names),
                    changes=_changes(space, item, delta),
                    position_before=int(found.positions_before[at]),
                    position_after=at + 1,
                    k=found.k,
                    score_before=float(found.scores_before[at]),
                    score_after=float(found.scores_after[at]),
                )
            )
    return records


def _changes(space: AspectSpace, item: int, delta: FloatVector) -> list[Change]:
    before = space.item_quality[item]
    after = before + delta
    moved = strongest_first(delta).tolist()
    return [_change(space, aspect, float(before[aspect]), float(after[aspect])) for aspect in moved]


def _change(space: AspectSpace, aspect: int, before: float, after: float, matched: FloatVector | None = None) -> Change:
    """One change on the scale of its aspect; ``matched`` are the values of the other item, where these are taken."""
    scale = space.scale
    return Change(
        space.aspects.texts[aspect],
        before,
        after,
        span=float(scale.span[aspect]),
        absent=float(scale.absent[aspect]),
        low=float(scale.low[aspect]),
        low_is_worse=bool(scale.low_is_worse[aspect]),
        other=None if matched is None else float(matched[aspect]),
    )


def _name(space: AspectSpace, item: int, names: Mapping[str, str]) -> str:
    item_id = space.items.texts[item]
    return names.get(item_id, item_id)
