"""The measurements of an experiment: one row per pair for each method, shape and mask; loaded, with seeds pooled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from counterec.errors import EmptyDataError, InvalidValueError
from counterec.experiment.rows import ELSEWHERE, ROWS, SWEEP
from counterec.pipeline.files import read_json, read_table

PAIR = ("seed", "user_id", "item_id")
COMBINATION = ("method", "shape", "masked")
RANDOM_RANKING = "random_ranking"
"""The entry among the methods' notes that tells how good lists drawn by chance are."""

SCHEMAS: Mapping[str, Mapping[str, Any]] = {"rows": ROWS, "transfer": ELSEWHERE, "sweep": SWEEP}
"""The columns of each frame of an experiment."""


@dataclass(frozen=True)
class ExperimentRows:
    """The measurements of one protocol, of one seed or several, and what is known of its methods.

    ``rows`` has one row per method, shape, mask and pair; ``transfer`` necessity and sufficiency of the same answers
    under other conditions; ``sweep`` the relaxed answers over λ and α. ``methods`` has, per method, how good its lists
    are, how long an explanation takes, why it is unavailable and where it failed.

    Seeds are pooled. Intervals come from drawing users, items and seeds again.
    """

    rows: pl.DataFrame
    transfer: pl.DataFrame
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
        """Which items compete for the lists; numbers of two protocols are never mixed."""
        return str(self.rows["protocol"][0])

    @cached_property
    def seeds(self) -> list[int]:
        """The seeds that are pooled."""
        return self.rows["seed"].unique().sort().to_list()

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


FILES = {name: f"{name}.parquet" for name in SCHEMAS} | {"transfer": "elsewhere.parquet"}
"""The file of each frame that every experiment has."""
METHODS = "methods.json"
"""The file of the notes on the methods."""


def pool_seeds(seeds: Sequence[Callable[[str], Path]]) -> ExperimentRows:
    """Pool the measurements of several seeds; each seed maps a file name to its path."""
    frames: dict[str, Any] = {name: _pooled(seeds, file) for name, file in FILES.items()}
    return ExperimentRows(**frames, methods=pool_notes(read_json(path(METHODS)) for path in seeds))


def _pooled(seeds: Sequence[Callable[[str], Path]], file: str) -> pl.DataFrame:
    return pl.concat([read_table(path(file)) for path in seeds])


def pool_notes(of_seeds: Iterable[dict[str, dict[str, Any]]]) -> dict[str, dict[str, Any]]:
    """The notes on the methods of several seeds as one: times and list quality averaged, failures joined."""
    by_seed = list(of_seeds)
    names = dict.fromkeys(method for notes in by_seed for method in notes)
    kept = {name: [notes[name] for notes in by_seed if name in notes] for name in names}
    return {name: (_pool_rankings if name == RANDOM_RANKING else _pool_method)(notes) for name, notes in kept.items()}


def _pool_method(notes: list[dict[str, Any]]) -> dict[str, Any]:
    times = [note["milliseconds"] for note in notes if note.get("milliseconds") is not None]
    return {
        "ranking": _pool_rankings([note["ranking"] for note in notes if note.get("ranking")]),
        "milliseconds": sum(times) / len(times) if times else None,
        "unavailable": next((note["unavailable"] for note in notes if note.get("unavailable")), None),
        "failures": [failure for note in notes for failure in note.get("failures") or []],
        **_pooled_share("best_aligned_is_not_scored", notes),
    }


def _pooled_share(name: str, notes: list[dict[str, Any]]) -> dict[str, float]:
    known = [note[name] for note in notes if note.get(name) is not None]
    return {name: sum(known) / len(known)} if known else {}


def _pool_rankings(rankings: list[dict[str, Any]]) -> dict[str, Any]:
    """Each measure of the lists over all seeds; empty where no seed has any."""
    names = rankings[0] if rankings else ()
    return {name: _pool_measure([ranking[name] for ranking in rankings]) for name in names}


def _pool_measure(measures: list[dict[str, Any]]) -> dict[str, Any]:
    """The mean over seeds, with the smallest interval that holds the intervals of all seeds."""
    known = [measure for measure in measures if measure["value"] is not None]
    if not known:
        return measures[0]
    intervals = [measure["interval"] for measure in known if measure["interval"]]
    return {
        "value": sum(measure["value"] for measure in known) / len(known),
        "cases": sum(measure["cases"] for measure in known),
        "interval": [min(low for low, _ in intervals), max(high for _, high in intervals)] if intervals else None,
    }
