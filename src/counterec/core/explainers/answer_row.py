"""One answer as one row: exactly the columns of an explanations table, with ids for numbers.

The table on disk is a frame of these rows, and every sentence is made from one. The solvers' arrays become rows here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import isnan
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from counterec.core.arrays import FloatVector, IntVector, require
from counterec.core.evaluation.necessity_verdicts import VERDICTS, Verdicts
from counterec.core.explainers.answer import Explanations, Proof, Status
from counterec.core.explainers.budget import Spent
from counterec.core.explainers.lead import Leads
from counterec.core.explainers.question import KINDS, Kind, Question
from counterec.core.opinions import Ladder
from counterec.core.space import AspectSpace

if TYPE_CHECKING:  # rows are read without PyTorch
    from counterec.core.evaluation.robustness import Robustness

STATUSES = tuple(status.label for status in Status)
EXPLAINED = Status.EXPLAINED.label
NO_TARGET = Status.NO_TARGET.label
ALREADY_TRUE = Status.ALREADY_TRUE.label
OUT_OF_BUDGET = Status.OUT_OF_BUDGET.label
UNCHANGED = (Status.NOTHING_TO_CHANGE.label, NO_TARGET, ALREADY_TRUE, Status.FAILED.label)
"""The statuses of answers that change nothing."""

AnswerValues = Literal["reachable", "unreviewed", "continuous"]
ANSWER_VALUES: tuple[AnswerValues, ...] = get_args(AnswerValues)
UNREVIEWED: AnswerValues = "unreviewed"

PROOFS = tuple(proof.label for proof in Proof if proof is not Proof.NONE)


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """The answer about one user and one item. What is not known is None."""

    user_id: str
    item_id: str
    position: int | None
    """Where the item stands in the user's ranking, counted from 1."""
    question: Kind
    versus: str | None
    """The other item, where two are compared."""
    goal: str
    status: str
    aspects: tuple[str, ...]
    """The aspects that change, the largest change first: of an explanation or, without one, of the nearest miss."""
    before: tuple[float, ...]
    after: tuple[float, ...]
    score_before: float | None
    score_after: float | None
    target: float | None
    margin: float | None
    """By how much a flip clears the target."""
    values: AnswerValues
    """``reachable`` if all values after the change are such as an item can have; ``unreviewed`` if some aspects are
    made absent; ``continuous`` if any value was allowed."""
    balance_before: tuple[int | None, ...]
    """Praises − complaints of each aspect before the change; None where nobody speaks of it, or nobody counts."""
    balance_after: tuple[int | None, ...]
    """Praises − complaints that lead to the value after the change."""
    proof: str | None
    alternatives: tuple[str, ...] | None = None
    """Other single aspects that would do; None where they were not searched for."""
    equal_sets: int | None = None
    """How many other sets of as many aspects would do, of those that were tried."""
    all_tried: bool | None = None
    """Whether every set of as many aspects was tried."""
    necessary: bool | None = None
    necessary_kind: bool | None = None
    necessary_strict: bool | None = None
    sufficient: bool | None = None
    sufficient_kind: bool | None = None
    sufficient_strict: bool | None = None
    lead_aspects: float | None = None
    """How much of score before − target comes from aspects."""
    lead_history: float | None = None
    """How much of it comes from the user's history; None where the scorer has no part of that kind."""
    carried_by: tuple[str, ...] | None = None
    """The past items of the user that carry the history part, the strongest first."""
    score_without_aspects: float | None = None
    """The score of the item with all its aspects absent; None where it is not to get worse."""
    nets: int | None = None
    """How many nets the scorer is the mean of; None where it is of none, or there is no explanation."""
    nets_agree: int | None = None
    """How many of them, each by itself, have the item where the question says that it is."""
    nets_hold: int | None = None
    """In how many of those the same change takes it across."""
    looked_at: int | None = None
    """How many candidates the verdicts look at, where rules decide the list; None: all of them."""
    calls: int | None = None
    """How many calls of the scorer held a row of the pair; None where nobody counted."""
    scored: int | None = None
    """How many rows of the pair were scored."""

    def __post_init__(self) -> None:
        for name in ("aspects", "before", "after", "balance_before", "balance_after"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        for name in ("alternatives", "carried_by"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, tuple(getattr(self, name)))
        _require_known("values", self.values, ANSWER_VALUES)
        _require_known("question", self.question, KINDS)
        _require_known("status", self.status, STATUSES)
        listed = ("before", "after", "balance_before", "balance_after")
        for name in listed:
            length = len(getattr(self, name))
            require(length == len(self.aspects), f"{name} has {length} entries for {len(self.aspects)} aspects")
        require(self.position is None or self.position >= 1, f"position is {self.position}; positions begin at 1")
        require(bool(self.versus) == self.compares, f"{self.question} has versus {self.versus!r}")
        claim = f"{self.question} with status {self.status}"
        require(not self.aspects or self.status not in UNCHANGED, f"{claim} changes something")
        if self.proof is not None:
            _require_known("proof", self.proof, PROOFS)
            require(self.explained, f"proof is {self.proof}, but status {self.status} leaves nothing to prove")
        judged = any(getattr(self, name) is not None for name in VERDICTS)
        require(
            not judged or (self.explained and self.lowers), f"{claim} is neither necessary nor sufficient for anything"
        )
        self._require_lead()
        self._require_nets(claim)

    def _require_lead(self) -> None:
        parts = f"lead_aspects is {self.lead_aspects} and lead_history {self.lead_history}"
        require(self.lead_history is None or self.lead_aspects is not None, f"{parts}: the one part implies the other")
        carried = f"{parts}, carried_by {self.carried_by}"
        require(self.carried_by is None or self.lead_history is not None, f"{carried}: no part is carried")
        require(not self.carried_by or self.lead_history != 0, f"{carried}: nothing is carried")

    def _require_nets(self, claim: str) -> None:
        nets, agree, hold = self.nets, self.nets_agree, self.nets_hold
        said = f"an answer that holds in {hold} of {agree} nets, of {nets}"
        if nets is None or agree is None or hold is None:
            require(nets is agree is hold, f"{said}: all three are known, or none is")
            return
        require(self.explained, f"{claim} holds in no net")
        require(0 <= hold <= agree <= nets and nets > 0, f"{said}: the first is part of the second, that of the third")

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> AnswerRow:
        """The row of a table, given by its column names; further names are ignored."""
        return cls(**{column: row[column] for column in (*ROW_COLUMNS, *(name for name in AT_TIMES if name in row))})

    @property
    def explained(self) -> bool:
        """Whether there is an explanation."""
        return self.status == EXPLAINED

    @property
    def lowers(self) -> bool:
        """Whether the item gets worse."""
        return self.question != "why_not"

    @property
    def compares(self) -> bool:
        """Whether two items are compared, rather than an item and a list."""
        return self.question in ("why_rather", "why_rather_takes")


AT_TIMES = ("looked_at", "calls", "scored")
"""The columns that an explanations table has only where any row knows them, after all others."""

ROW_COLUMNS = tuple(column.name for column in fields(AnswerRow) if column.name not in AT_TIMES)
"""The other columns, in their order on disk."""


def answer_rows(
    answers: Explanations,
    question: Question,
    positions: IntVector | None = None,
    leads: Leads | None = None,
    robustness: Robustness | None = None,
) -> list[AnswerRow]:
    """The answers to a question, one row per pair; ``positions`` count from 1."""
    require(
        np.array_equal(answers.users, question.users) and np.array_equal(answers.items, question.items),
        "the answers are about other pairs than the question",
    )
    space, rows, after = question.space, [], question.after(answers.delta)
    for row, (user, item) in enumerate(zip(answers.users.tolist(), answers.items.tolist(), strict=True)):
        quality, delta = space.item_quality[item], answers.delta[row]
        moved = strongest_first(delta if space.schema is None else change_sizes(space, item, after[row]))
        rows.append(
            AnswerRow(
                user_id=space.users.texts[user],
                item_id=space.items.texts[item],
                position=None if positions is None else int(positions[row]),
                question=question.kind,
                versus=None if question.versus is None else space.items.texts[question.versus[row]],
                goal=answers.goal,
                status=Status(answers.status[row]).label,
                aspects=tuple(space.aspects.texts[aspect] for aspect in moved),
                before=tuple(quality[moved].tolist()),
                after=tuple(after[row, moved].tolist()),
                score_before=_known(answers.score_before[row]),
                score_after=_known(answers.score_after[row]),
                target=_known(answers.target[row]),
                margin=_known(answers.margin[row]),
                values=_values(question, after[row, moved], moved),
                balance_before=_balances_before(space, item, moved),
                balance_after=_balances_after(space, item, after[row, moved], moved),
                proof=Proof(answers.proof[row]).label if answers.proof[row] else None,
                **_alternatives(space, answers, row),
                **_verdicts(answers.verdicts, row),
                **({} if answers.spent is None else _spent(answers.spent, row)),
                **({} if leads is None else _lead(space, leads, row)),
                **({} if robustness is None else _nets(robustness, row)),
            )
        )
    return rows


def _values(question: Question, after: FloatVector, aspects: IntVector) -> AnswerValues:
    if question.constraints.values == "continuous":
        return "continuous"
    return UNREVIEWED if (after == question.space.scale.absent[aspects]).any() else "reachable"


def _balances_before(space: AspectSpace, item: int, aspects: IntVector) -> tuple[int | None, ...]:
    if space.opinions is None:
        return (None,) * len(aspects)
    praises, complaints = (
        counts[item, aspects] for counts in (space.opinions.item_praises, space.opinions.item_complaints)
    )
    known = zip((praises - complaints).tolist(), (praises + complaints).tolist(), strict=True)
    return tuple(balance if count else None for balance, count in known)


def _balances_after(space: AspectSpace, item: int, after: FloatVector, aspects: IntVector) -> tuple[int | None, ...]:
    """The balances that lead to these values; None for what is absent, or no value that opinions can give."""
    found = zip(aspects.tolist(), after.tolist(), strict=True)
    return tuple(_balance_after(space.ladder_of(item, aspect), value) for aspect, value in found)


def _balance_after(ladder: Ladder | None, value: float) -> int | None:
    if ladder is None:
        return None
    balance = int(ladder.balance_of([value])[0])
    return balance if ladder.value(balance) == np.float32(value) else None


def _alternatives(space: AspectSpace, answers: Explanations, row: int) -> dict[str, Any]:
    found = answers.alternatives
    if found is None or answers.status[row] != Status.EXPLAINED:
        return {}
    return {
        "alternatives": tuple(space.aspects.texts[aspect] for aspect in np.flatnonzero(found.singles[row])),
        "equal_sets": int(found.equal_sets[row]),
        "all_tried": bool(found.all_tried[row]),
    }


def change_sizes(space: AspectSpace, item: int, after: FloatVector) -> FloatVector:
    """How far each aspect moves: by how much or, of attributes, by how many spans; one to or from absent."""
    before, scale = space.item_quality[item], space.scale
    if space.schema is None:
        return after - before
    jumps = (before != after) & (scale.is_category | (before == scale.absent) | (after == scale.absent))
    return np.where(jumps, 1, (after - before) / scale.span)


def strongest_first(delta: FloatVector) -> IntVector:
    """The aspects that move, the largest change first."""
    moved = np.flatnonzero(delta)
    return moved[np.argsort(-np.abs(delta[moved]), kind="stable")]


def _verdicts(verdicts: Verdicts | None, row: int) -> dict[str, Any]:
    if verdicts is None or not verdicts.asked[row]:
        return {}
    looked_at = {} if verdicts.looked_at is None else {"looked_at": int(verdicts.looked_at[row])}
    return {name: bool(getattr(verdicts, name)[row]) for name in verdicts.known} | looked_at


def _spent(spent: Spent, row: int) -> dict[str, Any]:
    return {"calls": int(spent.calls[row]), "scored": int(spent.rows[row])}


def _lead(space: AspectSpace, leads: Leads, row: int) -> dict[str, Any]:
    carriers = leads.carriers[row]
    return {
        "lead_aspects": _single(leads.aspects[row]),
        "lead_history": _single(leads.history[row]),
        "carried_by": None if carriers is None else tuple(space.items.texts[item] for item in carriers.tolist()),
        "score_without_aspects": _known(leads.without_aspects[row]),
    }


def _nets(robustness: Robustness, row: int) -> dict[str, Any]:
    if not robustness.asked[row]:
        return {}
    agree, hold = int(robustness.agree[row]), int(robustness.hold[row])
    return {"nets": robustness.nets, "nets_agree": agree, "nets_hold": hold}


def _known(value: float) -> float | None:
    return None if isnan(value) else float(value)


def _single(value: float) -> float | None:
    """A number in the precision of the table."""
    return _known(float(np.float32(value)))


def _require_known(name: str, value: str, known: tuple[str, ...]) -> None:
    require(value in known, f"unknown {name} {value!r}; one of {', '.join(known)}")
