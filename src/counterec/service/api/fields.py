"""Fields that requests share, and what each may be."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

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

Search = Annotated[str | None, Query(max_length=200, description="Part of an id or a name, in any case.")]
Offset = Annotated[int, Query(ge=0, le=10_000_000, description="How many to pass over.")]
PageSize = Annotated[int, Query(ge=1, le=1000, description="How many at most.")]


class Strict(BaseModel):
    """A request: a name that it does not have is an error, never ignored."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Shown(BaseModel):
    """A part of an answer."""

    model_config = ConfigDict(extra="forbid")
