"""Records of answers: rows get names, and their changes get scales.

There is one way to a record of an answer: from its row. A live answer becomes a row first.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import TYPE_CHECKING

import numpy as np

from counterec.core.arrays import FloatVector
from counterec.core.explainers.answer import Explanations, Status
from counterec.core.explainers.answer_columns import answer_rows
from counterec.core.explainers.answer_row import AnswerRow, change_sizes, strongest_first
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.history.answer_row import HistoryRow
from counterec.core.explainers.lead import Leads
from counterec.core.explainers.possible_values import SAME, possible_values
from counterec.core.explainers.question import Question
from counterec.core.opinions import Ladder
from counterec.core.space import AspectSpace
from counterec.wording.change import Change, telling_digits
from counterec.wording.record import AnswerRecord, AudienceRecord, HistoryRecord, RerankingRecord

if TYPE_CHECKING:  # stored answers are put into words without PyTorch
    from counterec.core.evaluation.robustness import AudienceRobustness, Robustness
    from counterec.core.explainers.audience.answer import AudienceAnswer
    from counterec.core.explainers.what_if import Reranking

NO_NAMES: Mapping[str, str] = {}


def answer_record(
    question: Question,
    answers: Explanations,
    row: int,
    *,
    names: Mapping[str, str] = NO_NAMES,
    positions: tuple[int, int | None] | None = None,
    instead: str | None = None,
    leads: Leads | None = None,
    robustness: Robustness | None = None,
) -> AnswerRecord:
    """The record of one answer, by its row number.

    ``names`` maps item ids to names; ``positions`` are those before and after the change; ``instead`` is the id of the
    first item below the list. ``leads`` and ``robustness`` are those of all the answers.
    """
    index = np.array([row])
    before, after = positions or (None, None)
    at = None if before is None else np.array([before])
    (found,) = answer_rows(
        answers.rows(index),
        question.rows(index),
        at,
        None if leads is None else leads.rows(index),
        None if robustness is None else robustness.rows(index),
    )
    return row_record(
        question.space,
        found,
        k=question.k,
        names=names,
        position_after=after,
        instead=instead,
        spread=float(question.spread[row]),
        constraints=question.constraints,
    )


def row_record(
    space: AspectSpace,
    row: AnswerRow,
    *,
    k: int,
    names: Mapping[str, str] = NO_NAMES,
    position_after: int | None = None,
    instead: str | None = None,
    spread: float | None = None,
    constraints: Constraints | None = None,
    new_user: bool = False,
    new_item: bool = False,
) -> AnswerRecord:
    """The record of one row of an explanations table.

    ``instead`` is the id of the first item below the list, ``spread`` the standard deviation of the scores of the
    user's candidates (NaN if not known), and ``constraints`` are those that the question was asked with. ``new_user``
    and ``new_item`` say that nothing is known of them yet.
    """
    return AnswerRecord(
        row=row,
        item=names.get(row.item_id, row.item_id),
        changes=_row_changes(space, row),
        k=k,
        versus=None if row.versus is None else names.get(row.versus, row.versus),
        position_after=position_after,
        instead=None if instead is None or row.question != "why" else names.get(instead, instead),
        spread=None if spread is None or isnan(spread) else spread,
        constraints=constraints,
        past=[names.get(item, item) for item in row.carried_by or ()],
        facts=space.schema is not None,
        may_be_unknown=bool(space.scale.can_be_absent.any()),
        new_user=new_user,
        new_item=new_item,
    )


def history_record(row: HistoryRow, *, k: int, names: Mapping[str, str]) -> HistoryRecord:
    """The record of one row; ``names`` maps item ids to names."""
    return HistoryRecord(
        row=row,
        item=names.get(row.item_id, row.item_id),
        reviews=[names.get(item, item) for item in row.reviews],
        k=k,
        instead=None if row.instead is None else names.get(row.instead, row.instead),
    )


def _row_changes(space: AspectSpace, row: AnswerRow) -> list[Change]:
    """The changes of a row; what a value takes in opinions is said only of values that were to be possible."""
    item = space.items.number(row.item_id)
    matched = None
    if row.question == "why_rather_takes" and row.versus is not None:
        matched = space.item_quality[space.items.number(row.versus)]
    return [
        change_of(space, item, aspect, before, after, matched, counted=row.values != "continuous")
        for aspect, before, after in zip(
            space.aspects.numbers(row.aspects).tolist(), row.before, row.after, strict=True
        )
    ]


def audience_record(
    space: AspectSpace,
    answer: AudienceAnswer,
    names: Mapping[str, str] = NO_NAMES,
    constraints: Constraints | None = None,
    robustness: AudienceRobustness | None = None,
) -> AudienceRecord:
    """The record of what an improvement does for an audience; the constraints are those that it was sought with."""
    counted = constraints is None or constraints.values != "continuous"
    return AudienceRecord(
        item=_name(space, answer.item, names),
        changes=_changes(space, answer.item, _after(space, answer.item, answer.delta), counted=counted),
        status=answer.status.label,
        asked=len(answer.users),
        wanted=answer.wanted,
        entered=int(answer.entered.sum()),
        had_it=int(answer.had_it.sum()),
        kept_it=int((answer.had_it & answer.has_it).sum()),
        proof=answer.proof.label if answer.status is Status.EXPLAINED else None,
        constraints=constraints,
        facts=space.schema is not None,
        nets=None if robustness is None else robustness.nets,
        nets_hold=None if robustness is None else robustness.hold,
    )


def reranking_records(
    space: AspectSpace, found: Reranking, names: Mapping[str, str] = NO_NAMES
) -> list[RerankingRecord]:
    """The records of a new ranking, one per item that was changed."""
    records = []
    for item, quality in zip(found.changed.tolist(), found.qualities, strict=True):
        if (quality != space.item_quality[item]).any():
            at = found.place(item) - 1
            records.append(
                RerankingRecord(
                    item=_name(space, item, names),
                    changes=_changes(space, item, quality),
                    position_before=int(found.positions_before[at]),
                    position_after=at + 1,
                    k=found.k,
                )
            )
    return records


def _after(space: AspectSpace, item: int, delta: FloatVector) -> FloatVector:
    """The qualities after a change; a possible value is freed from the rounding of the sum."""
    after = space.item_quality[item] + delta
    possible = possible_values(space, np.full(len(after), item), np.arange(len(after)), after)
    return np.where((delta != 0) & (np.abs(possible - after) <= SAME), possible, after)


def _changes(space: AspectSpace, item: int, after: FloatVector, *, counted: bool = True) -> list[Change]:
    """The changes of an item to these qualities, the largest first."""
    before = space.item_quality[item]
    moved = strongest_first(change_sizes(space, item, after)).tolist()
    return [
        change_of(space, item, aspect, float(before[aspect]), float(after[aspect]), counted=counted) for aspect in moved
    ]


def change_of(
    space: AspectSpace,
    item: int,
    aspect: int,
    before: float,
    after: float,
    matched: FloatVector | None = None,
    *,
    counted: bool = True,
) -> Change:
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
        attribute=None if space.schema is None else space.schema[aspect],
        **_opinions(space, item, aspect),
        **(_steps(space.ladder_of(item, aspect), after) if counted else {}),
    )


def _opinions(space: AspectSpace, item: int, aspect: int) -> dict[str, int]:
    """The opinions behind a value, where they are counted and values are made from them."""
    if space.opinions is None or space.counted_values is None:
        return {}
    counts = {"praises": space.opinions.item_praises, "complaints": space.opinions.item_complaints}
    return {name: int(count[item, aspect]) for name, count in counts.items()}


def _steps(ladder: Ladder | None, after: float) -> dict[str, int]:
    """The balance of opinions that gives a value, and the digits that tell it from others; nothing where none does."""
    if ladder is None:
        return {}
    (balance,) = ladder.balance_of([after]).tolist()
    if ladder.value(balance) != np.float32(after):
        return {}
    return {"balance_after": balance, "digits": telling_digits(ladder, after)}


def _name(space: AspectSpace, item: int, names: Mapping[str, str]) -> str:
    item_id = space.items.texts[item]
    return names.get(item_id, item_id)
