"""What responses hold."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from counterec.service.api.fields import Goal, Question, Shown

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
    updated: bool = Field(description="Whether users and items came in after the training.")
    pseudonyms: bool = Field(description="Whether users are shown by pseudonyms, and no review text at all.")
    models: list[str] = Field(description="The models that stateless questions may name.")


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

    without_history: Literal["user", "item", "both"] | None = Field(description="Of whom nothing is known yet.")
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
    without_history: Literal["user", "item", "both"] | None = Field(description="Of whom nothing is known yet.")
    name: str | None
    reason: str
    sentence: str


class Answers(Shown):
    """Answers in the order of the question; by history where that was asked for, and takes fewer."""

    k: int
    answers: list[Answer | HistoryAnswer]


class Records(Shown):
    """The records behind answers: all it takes to put them into words."""

    records: list[dict[str, Any]]


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


class StatelessAnswer(Shown):
    """One answer about rows of the request."""

    user_id: str
    item_id: str
    position: int | None
    status: Status
    sentence: str
    attributes: list[str]
    before: list[str | None]
    after: list[str | None]
    proof: Literal["found", "irreducible", "smallest", "exact"] | None
    score_before: float | None
    score_after: float | None
    target: float | None


class StatelessAnswers(Shown):
    """The list that the model makes of the rows, and answers about it."""

    k: int
    items: list[Listed]
    answers: list[StatelessAnswer]


JobState = Literal["waiting", "running", "done", "cancelled", "failed"]


class JobInfo(Shown):
    """A batch job and how far it is."""

    job_id: str
    state: JobState
    question: Question
    goal: Goal
    pairs: int
    answered: int
    created: str
    detail: str | None = Field(description="Of a job that failed: why.")


class JobList(Shown):
    """The newest jobs first."""

    jobs: list[JobInfo]
