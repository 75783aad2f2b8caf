"""What requests and answers hold. A request is checked before anything else is done."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from counterec.core.explainers.constraints import Constraints

LONGEST_ID = 512

Id = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_ID)]
"""A user or an item, as the run has it."""
AspectName = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Question = Literal["why", "why_not", "why_rather", "why_rather_takes"]
Goal = Literal["minimal", "relaxed", "single", "complete"]
By = Literal["aspects", "history", "both"]
Number = Annotated[float, Field(allow_inf_nan=False)]
Value = Annotated[float, Field(allow_inf_nan=False)] | bool | Annotated[str, StringConstraints(max_length=200)] | None
"""The value of an aspect as people have it: a number, yes or no, a category, null for absent."""

PathId = Annotated[str, Path(min_length=1, max_length=LONGEST_ID)]
QueryId = Annotated[str, Query(min_length=1, max_length=LONGEST_ID)]
OptionalId = Annotated[str | None, Query(min_length=1, max_length=LONGEST_ID)]
Text = Annotated[str | None, Query(min_length=1, max_length=200)]
Search = Annotated[str | None, Query(max_length=200, description="Part of an id or a name, in any case.")]
Offset = Annotated[int, Query(ge=0, le=10_000_000, description="How many to pass over.")]
PageSize = Annotated[int, Query(ge=1, le=1000, description="How many at most.")]


class Strict(BaseModel):
    """A request: a name that it does not have is an error, never ignored."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Shown(BaseModel):
    """A part of an answer."""

    model_config = ConfigDict(extra="forbid")


# Requests

MOST_NAMES = 1000
"""Aspects that one request names at most."""


class AskedConstraints(Strict):
    """What a change may not do. Given as a whole: they take the place of the run's own."""

    keep: list[AspectName] = Field(default=[], max_length=MOST_NAMES, description="Aspects that must not move.")
    lowest: dict[AspectName, Number] = Field(
        default={}, max_length=MOST_NAMES, description="The least value that a change may lead to, by aspect."
    )
    highest: dict[AspectName, Number] = Field(
        default={}, max_length=MOST_NAMES, description="The greatest value that a change may lead to, by aspect."
    )
    values: Literal["reachable", "continuous"] = Field(default="reachable", description="What an aspect may become.")
    unreviewed_beyond: Annotated[int, Field(ge=0, le=10_000)] | Literal["never"] = Field(
        default=3, description="Aspects may become absent where more than this many would have to get worse."
    )
    most: Annotated[int, Field(ge=1, le=10_000)] | None = Field(
        default=None, description="At most this many aspects move."
    )
    costs: dict[AspectName, Number] = Field(
        default={}, max_length=MOST_NAMES, description="The cost of moving an aspect over its whole scale, above 0."
    )
    masked: bool = Field(default=False, description="Only aspects that the user cares about may move.")

    def constraints(self) -> Constraints:
        """As the library has them."""
        return Constraints(**{**self.model_dump(), "keep": tuple(self.keep)})

    def names(self) -> list[str]:
        """Every aspect that is named."""
        return [*self.keep, *self.lowest, *self.highest, *self.costs]


class AskedPair(Strict):
    """One user and one item; of a comparison, the other item too."""

    user_id: Id
    item_id: Id
    versus: Id | None = Field(default=None, description="why_rather: the item to compare with.")


class _Asked(Strict):
    """How questions are answered."""

    question: Question = "why"
    goal: Goal = "minimal"
    constraints: AskedConstraints | None = Field(default=None, description="null: those of the run.")


class ExplainRequest(_Asked):
    """Questions about pairs, or about all items of a user's list."""

    pairs: list[AskedPair] | None = Field(
        default=None, min_length=1, max_length=1_000_000, description="What is asked about; the server limits how many."
    )
    user_id: Id | None = Field(default=None, description="Instead of pairs: everything in this user's list; only why.")
    by: By = Field(
        default="aspects",
        description="why: name aspects of the item, past reviews of the user, or whichever of both takes fewer.",
    )
    deadline_ms: Annotated[int, Field(ge=1, le=86_400_000)] | None = Field(
        default=None,
        description="How long to search at most. Then the best verified answer so far is given, as out_of_budget.",
    )

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.pairs is None) == (self.user_id is None):
            raise ValueError("name either pairs or user_id")
        if self.user_id is not None and self.question != "why":
            raise ValueError(f"{self.question} is asked about pairs; a whole list is asked why")
        if self.by != "aspects" and self.question != "why":
            raise ValueError(f"by {self.by}, only why can be answered, not {self.question}")
        if self.by == "history" and (self.goal != "minimal" or self.constraints is not None):
            raise ValueError("by history no aspect changes: leave out goal and constraints, or ask by both")
        return self


class WhatIfRequest(Strict):
    """Other values of some items, for one user."""

    user_id: Id
    changes: dict[Id, dict[AspectName, Value]] = Field(
        min_length=1, max_length=100, description="Item → aspect → the value it would have; null for absent."
    )
    constraints: AskedConstraints | None = Field(default=None, description="null: none.")
    limit: Annotated[int, Field(ge=1, le=100_000)] | None = Field(
        default=None, description="How many places of the new ranking to show; null: the list and a few below it."
    )

    @model_validator(mode="after")
    def _something_changes(self) -> Self:
        for item, values in self.changes.items():
            if not values:
                raise ValueError(f"nothing changes about {item[:100]!r}: name an aspect and its value")
            if len(values) > MOST_NAMES:
                raise ValueError(f"{len(values)} aspects of {item[:100]!r} change; at most {MOST_NAMES} may")
        return self


class AudienceRequest(Strict):
    """One item for many users: what would bring it into at least so many of their lists?"""

    item_id: Id
    user_ids: list[Id] = Field(min_length=1, max_length=10_000)
    wanted: int = Field(ge=1, le=10_000, description="How many lists it is to enter, at least.")
    constraints: AskedConstraints | None = None


# Answers

Status = Literal[
    "explained",
    "nothing_to_change",
    "cannot_flip",
    "not_found",
    "no_target",
    "already_true",
    "failed",
    "out_of_budget",
]


class ProblemDocument(BaseModel):
    """An error, as RFC 9457 has it."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str = Field(description="What happened, with the offending value, and what to do.")


class RunInfo(Shown):
    """The run that is served."""

    name: str
    model: str
    k: int
    users: int
    items: int
    aspects: list[str]
    methods: list[str] = Field(description="The methods whose answers are stored.")
    pseudonyms: bool = Field(description="Whether users are shown by pseudonyms, and no review text at all.")


class UserPage(Shown):
    """Some of the users."""

    total: int
    offset: int
    users: list[str]


class NamedItem(Shown):
    """An item and its name."""

    item_id: str
    name: str | None


class ItemPage(Shown):
    """Some of the items."""

    total: int
    offset: int
    items: list[NamedItem]


class UserInfo(Shown):
    """A user: what they care about."""

    user_id: str
    attention: dict[str, float]


class ItemInfo(Shown):
    """An item: its values, as people have them; absent ones are left out."""

    item_id: str
    name: str | None
    values: dict[str, float | bool | str | None]


class Listed(Shown):
    """One place of a list."""

    position: int
    item_id: str
    name: str | None
    score: float


class UserList(Shown):
    """A user's list, and the first item below it."""

    user_id: str
    k: int
    items: list[Listed]


class AnswerRowFields(Shown):
    """The row of an answer, as it lies on disk."""

    user_id: str
    item_id: str
    position: int | None
    question: Question
    versus: str | None
    goal: Goal
    status: Status
    aspects: list[str]
    before: list[float]
    after: list[float]
    score_before: float | None
    score_after: float | None
    target: float | None
    margin: float | None
    values: Literal["reachable", "unreviewed", "continuous"]
    balance_before: list[int | None]
    balance_after: list[int | None]
    proof: Literal["found", "irreducible", "smallest", "exact"] | None
    alternatives: list[str] | None
    equal_sets: int | None
    all_tried: bool | None
    necessary: bool | None
    necessary_kind: bool | None
    necessary_strict: bool | None
    sufficient: bool | None
    sufficient_kind: bool | None
    sufficient_strict: bool | None
    lead_aspects: float | None
    lead_history: float | None
    carried_by: list[str] | None
    score_without_aspects: float | None
    nets: int | None
    nets_agree: int | None
    nets_hold: int | None
    looked_at: int | None
    calls: int | None
    scored: int | None


class Answer(AnswerRowFields):
    """An answer in words."""

    position_after: int | None
    name: str | None
    reason: str
    sentence: str
    background: str


class HistoryAnswer(Shown):
    """An answer by past reviews, in words."""

    user_id: str
    item_id: str
    position: int | None
    by: Literal["history"]
    status: Status
    reviews: list[str] = Field(description="The items whose reviews are left out; of a miss, what comes nearest.")
    leaves: bool = Field(description="Whether the item then leaves the list.")
    position_after: int | None
    instead: str | None = Field(description="The best item that enters the list.")
    score_before: float | None
    score_after: float | None
    target_before: float | None = Field(description="The score of the Kth best of the other candidates.")
    target_after: float | None
    margin: float | None
    proof: Literal["found", "irreducible", "smallest", "exact"] | None
    past_reviews: int = Field(description="How many past reviews of the user the model knows.")
    sets: int = Field(description="How many sets of reviews were scored.")
    name: str | None
    reason: str
    sentence: str


class Answers(Shown):
    """Answers in the order of the question; by history where that was asked for, and takes fewer."""

    k: int
    answers: list[Answer | HistoryAnswer]


class StoredRows(Shown):
    """Some of the stored answers of a method."""

    total: int
    offset: int
    rows: list[dict[str, Any]]


class Reranked(Shown):
    """One place of a new ranking."""

    position: int
    position_before: int
    item_id: str
    name: str | None
    score: float
    score_before: float
    changed: bool


class WhatIfAnswer(Shown):
    """The new list, a few places below it, and every item that changed or left it."""

    user_id: str
    k: int
    candidates: int = Field(description="How many items compete.")
    items: list[Reranked]
    sentences: list[str]


class AudienceReply(Shown):
    """What an improvement of one item does for many users."""

    item_id: str
    status: Status
    proof: str | None
    changes: list[dict[str, Any]]
    asked: int
    wanted: int
    entered: list[str]
    had_it: int
    kept_it: int
    sentence: str


class Mention(Shown):
    """One place where somebody speaks of an aspect; no words where text is kept back."""

    user_id: str
    item_id: str
    time: str | None
    part: str | None
    aspect: str
    opinion: str | None
    sentiment: int
    start: int | None
    end: int | None
    words: str | None


class EvidenceAnswer(Shown):
    """One number, and what is behind it."""

    user_id: str | None
    item_id: str | None
    aspect: str
    value: float | None
    total: int
    mentions: list[Mention]


class Overview(Shown):
    """What drives the model overall, by the stored answers of one method."""

    method: str
    outcomes: dict[str, float | int | None]
    statuses: list[dict[str, Any]]
    aspects: list[dict[str, Any]]
    wins: list[dict[str, Any]]
    loses: list[dict[str, Any]]
    cohorts: dict[str, list[str]]
