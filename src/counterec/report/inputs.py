"""What the experiment measured: a row a method, cell and pair."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl

from counterec.errors import EmptyDataError, InvalidValueError

PAIR = ("seed", "user_id", "item_id")
CELL = ("method", "shape", "masked")
RANDOM_RANKING = "random_ranking"

_ROWS = {
    "protocol": pl.String,
    "seed": pl.Int64,
    "method": pl.String,
    "shape": pl.String,
    "masked": pl.Boolean,
    "user_id": pl.String,
    "item_id": pl.String,
    "position": pl.Int64,
    "joint": pl.Boolean,
    "explained": pl.Boolean,
    "aspects": pl.List(pl.String),
    "in_test": pl.Boolean,
    "praised": pl.Int64,
    **dict.fromkeys(("precision", "recall", "f1"), pl.Float64),
    **{f"{name}{tie}": pl.Boolean for name in ("necessary", "sufficient") for tie in ("", "_kind", "_strict")},
    "valid": pl.Boolean,
    **dict.fromkeys(("redundant", "l2", "l1", "complexity", "strength"), pl.Float64),
    "proof": pl.String,
}
_KEYS = {name: _ROWS[name] for name in ("protocol", "seed", *CELL, "user_id", "item_id")}
_AFTER_KEYS = {name: dtype for name, dtype in _ROWS.items() if name not in ("protocol", *CELL)}
SCHEMAS: dict[str, dict[str, Any]] = {
    "rows": _ROWS,
    "elsewhere": {**_KEYS, "ground": pl.String, "necessary": pl.Boolean, "sufficient": pl.Boolean},
    "stability": {**_KEYS, "other": pl.String, "jaccard": pl.Float64},
    "sweep": {
        "variant": pl.String,
        "lambda": pl.Float64,
        "alpha": pl.Float64,
        "masked": pl.Boolean,
        **_AFTER_KEYS,
    },
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


def _checked(name: str, frame: pl.DataFrame, schema: dict[str, Any]) -> pl.DataFrame:
    """The frame with the columns of its schema, in order, each user numbered."""
    if "seed" in schema and "seed" not in frame.columns:
        frame = frame.with_columns(seed=pl.lit(0, pl.Int64))
    missing = [column for column in schema if column not in frame.columns]
    if missing:
        raise InvalidValueError(f"{name} has no column {missing[0]}; run the experiment again")
    columns = [pl.col(column).cast(dtype) for column, dtype in schema.items()]
    return frame.select(*columns, user=pl.col("user_id").rank("dense").cast(pl.Int64))
