"""What requests hold, checked before anything else is done."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from counterec.core.explainers.constraints import Constraints
from counterec.service.api.fields import AspectName, By, Goal, Id, Number, Question, Strict, Value

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


class RecordsRequest(Strict):
    """Rows of answers to be put into words."""

    rows: list[dict[str, Any]] = Field(min_length=1, max_length=1000, description="Rows as explain returns them.")
    constraints: AskedConstraints | None = None


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


class JobRequest(_Asked):
    """A batch: pairs, or every list of the run."""

    pairs: list[AskedPair] | None = Field(
        default=None, min_length=1, max_length=1_000_000, description="null: every item of every list; only why."
    )

    @model_validator(mode="after")
    def _lists_are_asked_why(self) -> Self:
        if self.pairs is None and self.question != "why":
            raise ValueError(f"{self.question} is asked about pairs; whole lists are asked why")
        return self


Cell = Annotated[float, Field(allow_inf_nan=False)] | bool | Annotated[str, StringConstraints(max_length=1000)] | None
Row = dict[Annotated[str, StringConstraints(min_length=1, max_length=200)], Cell]


class AskedAttribute(Strict):
    """What a column is, where that is not plain. There is no format here: it would be executed."""

    kind: Literal["number", "yes_no", "category", "quality"] | None = None
    low: Number | None = None
    high: Number | None = None
    worse: Literal["low", "high"] | None = Field(default=None, description="Which end is the worse one.")
    step: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    unit: Annotated[str, StringConstraints(max_length=20)] | None = None
    values: list[AspectName] | None = Field(default=None, max_length=100)
    can_be_absent: bool | None = None
    kept: bool | None = None

    def told(self) -> dict[str, Any]:
        """What is said, by name."""
        return self.model_dump(exclude_none=True)


class StatelessRequest(Strict):
    """A question about a user and candidates that are in the request itself."""

    model: Annotated[str, StringConstraints(min_length=1, max_length=200)] = Field(
        description="The name of a model in the operator's config."
    )
    user: Row = Field(min_length=1, max_length=MOST_NAMES, description="The user's row, with user_id.")
    items: list[Row] = Field(min_length=1, max_length=100_000, description="The candidates' rows, each with item_id.")
    k: Annotated[int, Field(ge=1, le=10_000)] = Field(default=5, description="The length of the list.")
    question: Literal["why", "why_not"] = "why"
    item_ids: list[Id] | None = Field(
        default=None, min_length=1, max_length=1000, description="What is asked about; null: the whole list."
    )
    attributes: dict[AspectName, AskedAttribute] = Field(
        default={}, max_length=MOST_NAMES, description="What the columns do not show by themselves, by attribute."
    )
    keep: list[AspectName] = Field(default=[], max_length=MOST_NAMES)
    item_name: AspectName | None = Field(default=None, description="The column of names, for sentences.")
    goal: Goal = "minimal"
    constraints: AskedConstraints | None = None

    @model_validator(mode="after")
    def _why_not_names_items(self) -> Self:
        if self.question == "why_not" and self.item_ids is None:
            raise ValueError("why_not needs item_ids: which items?")
        return self
