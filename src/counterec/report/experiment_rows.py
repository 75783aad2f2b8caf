"""The measurements of an experiment: mostly one row per pair for each method, shape and mask."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import polars as pl

from counterec.errors import EmptyDataError, InvalidValueError
from counterec.experiment.schemas import (
    CURVES,
    ELSEWHERE,
    HINDSIGHT,
    HISTORY,
    METRICS,
    RETRAINING,
    ROWS,
    STABILITY,
    SWEEP,
)

PAIR = ("seed", "user_id", "item_id")
COMBINATION = ("method", "shape", "masked")
RANDOM_RANKING = "random_ranking"
"""The entry among the methods' notes that tells how good lists drawn by chance are."""

SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "rows": ROWS,
    "transfer": ELSEWHERE,
    "stability": STABILITY,
    "sweep": SWEEP,
    "curves": CURVES,
    "hindsight": HINDSIGHT,
    "retraining": RETRAINING,
    "history": HISTORY,
}
"""The columns of each frame that every experiment has."""


@dataclass(frozen=True)
class ExperimentRows:
    """The measurements of one protocol, of one seed or several, and what is known of its methods.

    ``rows`` has one row per method, shape, mask and pair; ``transfer`` necessity and sufficiency of the same answers
    under other conditions; ``stability`` how similar the answers to the same pair are under other conditions;
    ``sweep`` the relaxed answers over λ and α; ``curves`` what becomes of an item as its aspects go and come;
    ``hindsight`` the best F1 in hindsight; ``retraining`` which changes hold under another training; ``history`` what
    past reviews explain, and what aspects do. ``methods`` has, per method, how good its lists are, how long an
    explanation takes, why it is unavailable and where it failed. ``metrics`` has what metrics of other packages say,
    and ``metric_notes`` where these come from.

    Seeds are pooled. Intervals come from drawing users, items and seeds again.
    """

    rows: pl.DataFrame
    transfer: pl.DataFrame
    stability: pl.DataFrame
    sweep: pl.DataFrame
    curves: pl.DataFrame
    hindsight: pl.DataFrame
    retraining: pl.DataFrame
    history: pl.DataFrame
    methods: dict[str, dict[str, Any]]
    metrics: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=dict(METRICS)))
    metric_notes: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, schema in {**SCHEMAS, "metrics": METRICS}.items():
            object.__setattr__(self, name, _checked(name, getattr(self, name), schema))
        if len(self.rows) == 0:
            raise EmptyDataError("the experiment has no row; run it before its report")
        protocols = self.rows["protocol"].unique().sort().to_list()
        if len(protocols) > 1:
            raise InvalidValueError(f"rows of the protocols {', '.join(protocols)} together; report each by itself")

    @property
    def protocol(self) -> str:
        """Which items compete for the lists; numbers of two protocols are never mixed."""
        return str(self.rows["protocol"][0])

    @cached_property
    def seeds(self) -> list[int]:
        """The seeds that are pooled."""
        return self.rows["seed"].unique().sort().to_list()

    def of_seeds(self, seeds: Collection[int]) -> ExperimentRows:
        """The measurements of some of the seeds; the notes on methods stay those of all."""
        names = (*SCHEMAS, "metrics")
        kept = {name: getattr(self, name).filter(pl.col("seed").is_in(list(seeds))) for name in names}
        return replace(self, **kept)

    @cached_property
    def combinations(self) -> list[tuple[str, str, bool]]:
        """Every (method, shape, masked) that was measured, in the order of the rows."""
        return self.rows.select(COMBINATION).unique(maintain_order=True).rows()

    def rows_of(self, method: str, shape: str, masked: bool) -> pl.DataFrame:
        """The rows of one combination."""
        return self.rows.filter(_is(method, shape, masked))

    def transfer_of(self, method: str, shape: str, masked: bool) -> pl.DataFrame:
        """Its necessity and sufficiency under other conditions."""
        return self.transfer.filter(_is(method, shape, masked))

    def stability_of(self, method: str, shape: str, masked: bool) -> pl.DataFrame:
        """How similar its answers are to those under other conditions."""
        return self.stability.filter(_is(method, shape, masked))

    def metrics_of(self, method: str, shape: str, masked: bool) -> pl.DataFrame:
        """What metrics of other packages say of its answers."""
        return self.metrics.filter(_is(method, shape, masked))

    @property
    def gaps(self) -> list[str]:
        """What is missing from the tables, and why."""
        found = [gap for method, notes in self.methods.items() for gap in _gaps(method, notes)]
        return found + [gap for metric, notes in self.metric_notes.items() for gap in _gaps(f"metric {metric}", notes)]


def _gaps(method: str, notes: dict[str, Any]) -> list[str]:
    if method == RANDOM_RANKING:
        return []
    missing = [f"{method} is missing: {notes['unavailable']}"] if notes.get("unavailable") else []
    failures = notes.get("failures") or []
    shown = "; ".join(str(failure) for failure in failures[:3]) + ("; …" if len(failures) > 3 else "")
    return [*missing, *([f"{method} failed {len(failures)} times: {shown}"] if failures else [])]


def _is(method: str, shape: str, masked: bool) -> pl.Expr:
    return (pl.col("method") == method) & (pl.col("shape") == shape) & (pl.col("masked") == masked)


def _checked(name: str, frame: pl.DataFrame, schema: Mapping[str, Any]) -> pl.DataFrame:
    """The frame with the columns of its schema, in order, and a number for each user and item."""
    missing = [column for column in schema if column not in frame.columns]
    if missing:
        raise InvalidValueError(f"{name} has no column {missing[0]}; run the experiment again")
    columns = [pl.col(column).cast(dtype) for column, dtype in schema.items()]
    numbers = {name: pl.col(f"{name}_id").rank("dense").cast(pl.Int64) for name in ("user", "item")}
    return frame.select(*columns, **numbers)
