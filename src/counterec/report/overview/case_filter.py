"""Some of the cases: those behind a bar, or of a cohort."""

from __future__ import annotations

from dataclasses import dataclass, fields

import polars as pl

from counterec.core.arrays import require
from counterec.core.explainers.answer_row import STATUSES


@dataclass(frozen=True)
class CaseFilter:
    """Which cases are meant; a field that is None leaves all of them."""

    aspect: str | None = None
    """An aspect that the answer names."""
    position: int | None = None
    activity: str | None = None
    taste: str | None = None
    status: str | None = None
    user_id: str | None = None
    item_id: str | None = None
    below_id: str | None = None

    def __post_init__(self) -> None:
        require(self.position is None or self.position >= 1, f"position is {self.position}; positions begin at 1")
        known = self.status is None or self.status in STATUSES
        require(known, f"unknown status {self.status!r}; one of {', '.join(STATUSES)}")

    def applied(self, cases: pl.DataFrame) -> pl.DataFrame:
        """The cases that are meant, in their order."""
        chosen = [_matches(field.name, getattr(self, field.name)) for field in fields(self)]
        wanted = [condition for condition in chosen if condition is not None]
        return cases.filter(*wanted) if wanted else cases


def _matches(column: str, value: str | int | None) -> pl.Expr | None:
    if value is None:
        return None
    if column == "aspect":
        return pl.col("aspects").list.contains(pl.lit(value))
    # A group of activity is compared as text: one that the run does not have matches nobody, and is no error.
    return (pl.col(column).cast(pl.String) if isinstance(value, str) else pl.col(column)) == value
