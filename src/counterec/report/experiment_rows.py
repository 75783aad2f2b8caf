"""What the experiment measured: a row a method, cell and pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl

from counterec.errors import EmptyDataError, InvalidValueError
from counterec.experiment.schemas import ELSEWHERE, ROWS, STABILITY, SWEEP

PAIR = ("seed", "user_id", "item_id")
CELL = ("method", "shape", "masked")
RANDOM_RANKING = "random_ranking"

SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "rows": ROWS,
    "elsewhere": ELSEWHERE,
    "stability": STABILITY,
    "sweep": SWEEP,
}
"""The columns each frame must have; the sweep's rows are those of ``relaxed``."""


@dataclass(frozen=True)
class ExperimentRows:
    """One protocol's measurements, of one seed or several, and what is known of its methods.

    ``methods`` says of each method how good its lists are, how long an explanation takes, why it is unavailable and
    where it failed. Seeds are pooled: a user's cases of all seeds belong together, as intervals are over users.
    """

    rows: pl.DataFrame
    elsewhere: pl.DataFrame
    stability: pl.DataFrame
    sweep: pl.DataFrame
    methods: dict[str, dict[str, Any]]

    def __post_init__(self) -> None:
        for name, schema in SCHEMAS.items():
            object.__setattr__(self, name, _checked(name, getattr(self, name), schema))
        if len(self.rows) == 0:
            raise EmptyDataError("the experiment has no row; run it before its report")
        protocols = self.rows["protocol"].unique().sort().to_list()
        if len(protocols) > 1:
            raise InvalidValueError(f"rows of the protocols {', '.join(protocols)} together; report each by itself")

    @property
    def protocol(self) -> str:
        """What competes for the lists; numbers of two protocols are never mixed."""
        return str(self.rows["protocol"][0])

    @cached_property
    def seeds(self) -> list[int]:
        """The seeds that are pooled."""
        return self.rows["seed"].unique().sort().to_list()

    @cached_property
    def cells(self) -> list[tuple[str, str, bool]]:
        """Every (method, shape, masked) that was measured, in the order of the rows."""
        return self.rows.select(CELL).unique(maintain_order=True).rows()

    def cell(self, method: str, shape: str, masked: bool) -> pl.DataFrame:
        """The rows of one method in one cell."""
        return self.rows.filter(_of_cell(method, shape, masked))

    def elsewhere_of(self, method: str, shape: str, masked: bool) -> pl.DataFrame:
        """Its verdicts on other ground."""
        return self.elsewhere.filter(_of_cell(method, shape, masked))

    def stability_of(self, method: str, shape: str, masked: bool) -> pl.DataFrame:
        """How like its answers are to those of another net or list."""
        return self.stability.filter(_of_cell(method, shape, masked))

    @property
    def gaps(self) -> list[str]:
        """What is missing from the tables, and why."""
        return [gap for method, notes in self.methods.items() for gap in _gaps(method, notes)]


def _gaps(method: str, notes: dict[str, Any]) -> list[str]:
    if method == RANDOM_RANKING:
        return []
    missing = [f"{method} is missing: {notes['unavailable']}"] if notes.get("unavailable") else []
    failures = notes.get("failures") or []
    shown = "; ".join(str(failure) for failure in failures[:3]) + ("; …" if len(failures) > 3 else "")
    return [*missing, *([f"{method} failed {len(failures)} times: {shown}"] if failures else [])]


def _of_cell(method: str, shape: str, masked: bool) -> pl.Expr:
    return (pl.col("method") == method) & (pl.col("shape") == shape) & (pl.col("masked") == masked)


def _checked(name: str, frame: pl.DataFrame, schema: Mapping[str, Any]) -> pl.DataFrame:
    """The frame with the columns of its schema, in order, each user numbered."""
    missing = [column for column in schema if column not in frame.columns]
    if missing:
        raise InvalidValueError(f"{name} has no column {missing[0]}; run the experiment again")
    columns = [pl.col(column).cast(dtype) for column, dtype in schema.items()]
    return frame.select(*columns, user=pl.col("user_id").rank("dense").cast(pl.Int64))
