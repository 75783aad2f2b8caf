"""The answers to a question as columns: everything that an ``AnswerRow`` says, as arrays over all pairs.

A run makes its table from columns; a person who asks gets rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from counterec.core.arrays import BoolVector, FloatVector, IntVector, require
from counterec.core.evaluation.verdicts import VERDICTS
from counterec.core.explainers.answer import Explanations, Proof, Status
from counterec.core.explainers.answer_row import (
    ANSWER_VALUES,
    AT_TIMES,
    ROW_COLUMNS,
    UNCHANGED,
    UNREVIEWED,
    AnswerRow,
    change_sizes,
)
from counterec.core.explainers.lead import Leads
from counterec.core.explainers.question import Question
from counterec.core.space import AspectSpace

if TYPE_CHECKING:  # rows are read without PyTorch
    from counterec.core.evaluation.robustness import Robustness


@dataclass(frozen=True)
class Column:
    """One value per entry: a number, or the place of a text in ``texts``."""

    values: NDArray[Any]
    known: BoolVector | None = None
    """Which entries have a value at all; None: all of them."""
    texts: Sequence[str] | None = None

    def __len__(self) -> int:
        return len(self.values)

    def as_list(self) -> list[Any]:
        """The values as Python has them, None for what is not known."""
        found: list[Any] = self.values.tolist()
        if self.texts is not None:
            found = list(map(self.texts.__getitem__, found))
        if self.known is None:
            return found
        return [value if known else None for value, known in zip(found, self.known.tolist(), strict=True)]


@dataclass(frozen=True)
class ListColumn:
    """One list per pair: the entries of all lists one after another, and how many each list has."""

    entries: Column
    counts: IntVector
    known: BoolVector | None = None
    """Which pairs have a list, perhaps an empty one; None: all of them."""

    def __len__(self) -> int:
        return len(self.counts)

    def as_list(self) -> list[Any]:
        """The lists as tuples, None for what is not known."""
        found, ends = self.entries.as_list(), np.cumsum(self.counts)
        bounds = zip((ends - self.counts).tolist(), ends.tolist(), strict=True)
        lists = [tuple(found[first:last]) for first, last in bounds]
        if self.known is None:
            return lists
        return [each if known else None for each, known in zip(lists, self.known.tolist(), strict=True)]


AnswerColumns = Mapping[str, Column | ListColumn]
"""The fields of ``AnswerRow`` by name; what nobody knows of any pair may be missing."""


def answer_columns(
    answers: Explanations,
    question: Question,
    positions: IntVector | None = None,
    leads: Leads | None = None,
    robustness: Robustness | None = None,
) -> AnswerColumns:
    """The answers to a question, one entry per pair; ``positions`` count from 1."""
    require(
        np.array_equal(answers.users, question.users) and np.array_equal(answers.items, question.items),
        "the answers are about other pairs than the question",
    )
    space, kinds = question.space, (question.kind,)
    same = np.zeros(len(answers), dtype=np.int64)
    moved = _Moved.of(question, answers)
    _require_consistent(answers, moved)
    columns: dict[str, Column | ListColumn] = {
        "user_id": Column(answers.users, texts=space.users.texts),
        "item_id": Column(answers.items, texts=space.items.texts),
        **({} if positions is None else {"position": Column(np.asarray(positions))}),
        "question": Column(same, texts=kinds),
        **({} if question.versus is None else {"versus": Column(question.versus, texts=space.items.texts)}),
        "goal": Column(same, texts=(answers.goal,)),
        "status": Column(answers.status, texts=_LABELS),
        "values": Column(_values(question, moved), texts=ANSWER_VALUES),
        "proof": Column(answers.proof, answers.proof != Proof.NONE, _PROOFS),
    }
    columns |= {name: _numbers(getattr(answers, name)) for name in ("score_before", "score_after", "target", "margin")}
    columns |= _changes(space, moved)
    columns |= _alternatives(space, answers)
    columns |= _verdicts(answers)
    if answers.spent is not None:
        columns |= {"calls": Column(answers.spent.calls), "scored": Column(answers.spent.rows)}
    if leads is not None:
        columns |= _leads(space, leads)
    if robustness is not None:
        nets = np.full(len(answers), robustness.nets)
        counted = {"nets": nets, "nets_agree": robustness.agree, "nets_hold": robustness.hold}
        columns |= {name: Column(values, robustness.asked) for name, values in counted.items()}
    return columns


def answer_rows(
    answers: Explanations,
    question: Question,
    positions: IntVector | None = None,
    leads: Leads | None = None,
    robustness: Robustness | None = None,
) -> list[AnswerRow]:
    """The same, one row per pair."""
    columns = answer_columns(answers, question, positions, leads, robustness)
    names = [name for name in (*ROW_COLUMNS, *AT_TIMES) if name in columns]
    unknown: dict[str, Any] = {name: None for name in ROW_COLUMNS if name not in columns}
    rows = zip(*(columns[name].as_list() for name in names), strict=True)
    return [AnswerRow(**unknown, **dict(zip(names, row, strict=True))) for row in rows]


_LABELS = tuple(status.label for status in Status)
_PROOFS = tuple(proof.label for proof in Proof)


@dataclass(frozen=True)
class _Moved:
    """The aspects that move, pair by pair, the largest change of each pair first."""

    rows: IntVector
    items: IntVector
    aspects: IntVector
    after: FloatVector
    counts: IntVector
    """How many move, per pair."""

    @classmethod
    def of(cls, question: Question, answers: Explanations) -> _Moved:
        after, space = question.after(answers.delta), question.space
        sizes = answers.delta if space.schema is None else change_sizes(space, answers.items, after)
        rows, aspects = np.nonzero(sizes)
        order = np.lexsort((-np.abs(sizes[rows, aspects]), rows))  # of equal changes, the smaller number comes first
        rows, aspects = rows[order], aspects[order]
        counts = np.bincount(rows, minlength=len(answers))
        return cls(rows, answers.items[rows], aspects, after[rows, aspects], counts)


def _require_consistent(answers: Explanations, moved: _Moved) -> None:
    """Refuse answers that no row could tell."""
    still = np.isin(answers.status, [Status[label.upper()] for label in UNCHANGED])
    lying = np.flatnonzero(still & (moved.counts > 0))
    require(not len(lying), f"an answer with status {_label(answers, lying)} changes something")
    lying = np.flatnonzero((answers.proof != Proof.NONE) & ~answers.explained)
    require(not len(lying), f"a proof where status {_label(answers, lying)} leaves nothing to prove")


def _label(answers: Explanations, rows: IntVector) -> str:
    return _LABELS[answers.status[rows[0]]] if len(rows) else ""


def _values(question: Question, moved: _Moved) -> IntVector:
    """Which of ``ANSWER_VALUES`` each pair's are."""
    if question.constraints.values == "continuous":
        return np.full(len(question), ANSWER_VALUES.index("continuous"))
    found = np.full(len(question), ANSWER_VALUES.index("reachable"))
    found[moved.rows[moved.after == question.space.scale.absent[moved.aspects]]] = ANSWER_VALUES.index(UNREVIEWED)
    return found


def _changes(space: AspectSpace, moved: _Moved) -> dict[str, ListColumn]:
    """The aspects that move, and from where to where."""
    where = moved.items, moved.aspects
    entries = {
        "aspects": Column(moved.aspects, texts=space.aspects.texts),
        "before": Column(space.item_quality[where]),
        "after": Column(moved.after),
        "balance_before": _unknown(len(moved.rows)),
        "balance_after": _unknown(len(moved.rows)),
    }
    if space.opinions is not None:
        praises, complaints = space.opinions.item_praises[where], space.opinions.item_complaints[where]
        entries["balance_before"] = Column(praises - complaints, praises + complaints > 0)
    if space.counted_values is not None:
        entries["balance_after"] = Column(*space.counted_values.balance_of(*where, moved.after))
    return {name: ListColumn(column, moved.counts) for name, column in entries.items()}


def _alternatives(space: AspectSpace, answers: Explanations) -> dict[str, Column | ListColumn]:
    found, explained = answers.alternatives, answers.explained
    if found is None:
        return {}
    rows, aspects = np.nonzero(found.singles & explained[:, None])
    named = Column(aspects, texts=space.aspects.texts)
    return {
        "alternatives": ListColumn(named, np.bincount(rows, minlength=len(answers)), explained),
        "equal_sets": Column(found.equal_sets, explained),
        "all_tried": Column(found.all_tried, explained),
    }


def _verdicts(answers: Explanations) -> dict[str, Column]:
    verdicts = answers.verdicts
    if verdicts is None:
        return {}
    names = [name for name in (*VERDICTS, "looked_at") if getattr(verdicts, name) is not None]
    return {name: Column(getattr(verdicts, name), verdicts.asked) for name in names}


def _leads(space: AspectSpace, leads: Leads) -> dict[str, Column | ListColumn]:
    carriers = [found for found in leads.carriers if found is not None]
    known = np.array([found is not None for found in leads.carriers], dtype=bool)
    counts = np.zeros(len(leads), dtype=np.int64)
    counts[known] = list(map(len, carriers))
    items = np.concatenate([np.empty(0, dtype=np.int64), *carriers])
    return {
        "lead_aspects": _numbers(leads.aspects.astype(np.float32)),  # in the precision of the table
        "lead_history": _numbers(leads.history.astype(np.float32)),
        "carried_by": ListColumn(Column(items, texts=space.items.texts), counts, known),
        "score_without_aspects": _numbers(leads.without_aspects),
    }


def _numbers(values: FloatVector) -> Column:
    """Numbers, of which NaN says that they are not known."""
    return Column(values, ~np.isnan(values))


def _unknown(entries: int) -> Column:
    return Column(np.zeros(entries, dtype=np.int64), np.zeros(entries, dtype=bool))
