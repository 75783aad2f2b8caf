"""Load the measurements of one protocol from a run folder, its seeds pooled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from counterec.errors import EmptyDataError
from counterec.pipeline.files import read_json
from counterec.pipeline.serialization import read_table
from counterec.report.experiment_rows import RANDOM_RANKING, SCHEMAS, ExperimentRows

FILES = {name: f"{name}.parquet" for name in SCHEMAS} | {"transfer": "elsewhere.parquet"}
"""The file of each frame that every experiment has."""
METHODS = "methods.json"
"""The file of the notes on the methods."""


def load_experiment(folder: Path, only: Sequence[int] | None = None) -> ExperimentRows:
    """Read the seeds under a protocol's folder, ``experiment/MODEL/PROTOCOL``: all of them, or only these."""
    found = {int(path.parent.name): path.parent for path in folder.glob("*/rows.parquet")}
    seeds = [found[seed] for seed in sorted(found) if only is None or seed in only]
    if not seeds:
        raise EmptyDataError(f"{folder}: holds no finished experiment; run it before its report")
    return pool_seeds([seed.joinpath for seed in seeds])


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
