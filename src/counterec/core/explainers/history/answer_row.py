"""One answer by history as one row, with ids for numbers: what a table holds, and every sentence is made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from math import isnan
from typing import Any, Literal

from counterec.core.arrays import BoolVector, require
from counterec.core.explainers.answer import Explanations, Proof, Status
from counterec.core.explainers.answer_row import EXPLAINED, OUT_OF_BUDGET, PROOFS, STATUSES, UNCHANGED, AnswerRow
from counterec.core.explainers.history.answer import HistoryAnswers
from counterec.core.lists import ABSENT_ITEM
from counterec.core.space import AspectSpace

By = Literal["aspects", "history", "both"]
"""What an answer may name: aspects of the item, past reviews of the user, or whichever of the two takes fewer."""
HISTORY = "history"


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """The answer about one user and one item of their list. What is not known is None."""

    user_id: str
    item_id: str
    position: int | None
    """Where the item stands in the user's ranking, counted from 1."""
    by: str
    status: str
    reviews: tuple[str, ...]
    """The items whose reviews are left out, the strongest first: of an explanation or, without one, of the nearest
    miss."""
    leaves: bool
    """Whether the item leaves the list without them."""
    position_after: int | None
    instead: str | None
    """The best item that enters the list."""
    score_before: float | None
    score_after: float | None
    target_before: float | None
    """The score of the Kth best of the other candidates."""
    target_after: float | None
    margin: float | None
    """By how much the item has to fall behind the target."""
    proof: str | None
    past_reviews: int
    """How many past reviews of the user the model knows."""
    sets: int
    """How many sets of reviews were scored."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "reviews", tuple(self.reviews))
        require(self.by == HISTORY, f"by is {self.by!r}; this row is one by {HISTORY}")
        require(self.status in STATUSES, f"unknown status {self.status!r}; one of {', '.join(STATUSES)}")
        require(self.proof is None or self.proof in PROOFS, f"unknown proof {self.proof!r}; one of {', '.join(PROOFS)}")
        claim = f"status {self.status} without the reviews of {len(self.reviews)} items"
        require(not self.reviews or self.status not in UNCHANGED, f"{claim}: nothing is left out with this status")
        require(bool(self.reviews) or not self.leaves, f"{claim}: an item does not leave its list by itself")
        require(self.leaves or not self.explained, f"{claim}: the item does not leave the list")
        require(
            not self.leaves or self.status in (EXPLAINED, OUT_OF_BUDGET), f"{claim}, but the item does leave the list"
        )
        require(self.proof is None or self.explained, f"proof is {self.proof}, but {claim} leaves nothing to prove")
        require(len(set(self.reviews)) == len(self.reviews), f"a review is left out twice: {', '.join(self.reviews)}")
        require(len(self.reviews) <= self.past_reviews, f"{claim}, but only {self.past_reviews} are known")

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> HistoryRow:
        """The row of a table, given by its column names; further names are ignored."""
        return cls(**{column: row[column] for column in HISTORY_COLUMNS})

    @property
    def explained(self) -> bool:
        """Whether there is an explanation."""
        return self.status == EXPLAINED

    @property
    def ended_early(self) -> bool:
        """Whether there are reviews without which the item leaves, but the search for fewer ended early."""
        return self.status == OUT_OF_BUDGET and self.leaves


HISTORY_COLUMNS = tuple(column.name for column in fields(HistoryRow))
"""The columns of a table of answers by history, in their order."""


def history_rows(answers: HistoryAnswers, space: AspectSpace) -> list[HistoryRow]:
    """The answers, one row per pair."""
    return [_row(answers, space, row) for row in range(len(answers))]


def _row(answers: HistoryAnswers, space: AspectSpace, row: int) -> HistoryRow:
    items, entered = space.items.texts, int(answers.entered[row])
    leaves = bool(answers.left[row])
    return HistoryRow(
        user_id=space.users.texts[answers.users[row]],
        item_id=items[answers.items[row]],
        position=int(answers.position_before[row]),
        by=HISTORY,
        status=Status(answers.status[row]).label,
        reviews=tuple(items[item] for item in answers.removed[row].tolist()),
        leaves=leaves,
        position_after=int(answers.position_after[row]),
        instead=items[entered] if leaves and entered != ABSENT_ITEM else None,
        score_before=_known(answers.score_before[row]),
        score_after=_known(answers.score_after[row]),
        target_before=_known(answers.target_before[row]),
        target_after=_known(answers.target_after[row]),
        margin=_known(answers.margin[row]),
        proof=Proof(answers.proof[row]).label if answers.proof[row] else None,
        past_reviews=int(answers.past[row]),
        sets=int(answers.sets[row]),
    )


def _known(value: float) -> float | None:
    return None if isnan(value) else float(value)


def takes_fewer(history: HistoryAnswers, aspects: Explanations) -> BoolVector:
    """Which pairs are explained by fewer reviews than aspects, or by reviews alone; the same pairs in both."""
    require(len(history) == len(aspects), f"{len(history)} answers by history and {len(aspects)} by aspects")
    fewer = history.sizes < (aspects.delta != 0).sum(axis=1)
    return history.explained & (fewer | ~aspects.explained)


def smaller_rows(aspects: Sequence[AnswerRow], history: Sequence[HistoryRow]) -> list[AnswerRow | HistoryRow]:
    """Of each pair the answer that names fewer, aspects or reviews; aspects where both name as many, or none."""
    return [
        past if past.explained and (not own.explained or len(past.reviews) < len(own.aspects)) else own
        for own, past in zip(aspects, history, strict=True)
    ]
