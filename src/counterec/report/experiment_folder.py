"""An experiment's folder, read: the seeds of one protocol as one value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from counterec.errors import EmptyDataError
from counterec.pipeline.files import read_json
from counterec.pipeline.serialization import read_table
from counterec.report.experiment_rows import RANDOM_RANKING, SCHEMAS, ExperimentRows


def read_experiment(folder: Path, only: Sequence[int] | None = None) -> ExperimentRows:
    """Read the seeds under a protocol's folder, ``experiment/PROTOCOL``: all of them, or only these."""
    found = {int(path.parent.name): path.parent for path in folder.glob("*/rows.parquet")}
    seeds = [found[seed] for seed in sorted(found) if only is None or seed in only]
    if not seeds:
        raise EmptyDataError(f"{folder}: holds no finished experiment; run it before its report")
    frames = {name: pl.concat([read_table(seed / f"{name}.parquet") for seed in seeds]) for name in SCHEMAS}
    return ExperimentRows(**frames, methods=pooled(read_json(seed / "methods.json") for seed in seeds))


def pooled(of_seeds: Iterable[dict[str, dict[str, Any]]]) -> dict[str, dict[str, Any]]:
    """The notes on the methods of several seeds as one: times and list quality averaged, failures joined."""
    by_seed = list(of_seeds)
    names = dict.fromkeys(method for notes in by_seed for method in notes)
    kept = {name: [notes[name] for notes in by_seed if name in notes] for name in names}
    return {name: (_pooled_ranking if name == RANDOM_RANKING else _pooled_notes)(notes) for name, notes in kept.items()}


def _pooled_notes(notes: list[dict[str, Any]]) -> dict[str, Any]:
    times = [note["milliseconds"] for note in notes if note.get("milliseconds") is not None]
    return {
        "ranking": _pooled_ranking([note["ranking"] for note in notes if note.get("ranking")]),
        "milliseconds": sum(times) / len(times) if times else None,
        "unavailable": next((note["unavailable"] for note in notes if note.get("unavailable")), None),
        "failures": [failure for note in notes for failure in note.get("failures") or []],
    }


def _pooled_ranking(rankings: list[dict[str, Any]]) -> dict[str, Any]:
    """The mean over seeds, and the interval that holds the intervals of all of them; empty where none is known."""
    names = rankings[0] if rankings else ()
    return {name: _pooled_measure([ranking[name] for ranking in rankings]) for name in names}


def _pooled_measure(measures: list[dict[str, Any]]) -> dict[str, Any]:
    known = [measure for measure in measures if measure["value"] is not None]
    if not known:
        return measures[0]
    intervals = [measure["interval"] for measure in known if measure["interval"]]
    return {
        "value": sum(measure["value"] for measure in known) / len(known),
        "cases": sum(measure["cases"] for measure in known),
        "interval": [min(low for low, _ in intervals), max(high for _, high in intervals)] if intervals else None,
    }
