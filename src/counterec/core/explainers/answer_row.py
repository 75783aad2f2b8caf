"""One answer as one row: exactly the columns of an explanations table, with ids for numbers.

The table on disk is a frame of these rows, and every sentence is made from one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

import numpy as np

from counterec.core.arrays import FloatVector, IntVector, require
from counterec.core.evaluation.verdicts import VERDICTS
from counterec.core.explainers.answer import Proof, Status
from counterec.core.explainers.question import KINDS, Kind
from counterec.core.space import AspectSpace

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


def change_sizes(space: AspectSpace, items: int | IntVector, after: FloatVector) -> FloatVector:
    """How far each aspect of one item or of several moves: by how much or, of attributes, by how many spans.

    To or from absent it is one.
    """
    before, scale = space.item_quality[items], space.scale
    if space.schema is None:
        return after - before
    jumps = (before != after) & (scale.is_category | (before == scale.absent) | (after == scale.absent))
    return np.where(jumps, 1, (after - before) / scale.span)


def strongest_first(delta: FloatVector) -> IntVector:
    """The aspects that move, the largest change first."""
    moved = np.flatnonzero(delta)
    return moved[np.argsort(-np.abs(delta[moved]), kind="stable")]


def _require_known(name: str, value: str, known: tuple[str, ...]) -> None:
    require(value in known, f"unknown {name} {value!r}; one of {', '.join(known)}")
