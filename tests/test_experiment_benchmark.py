"""What the page on the experiments condenses: rows, claims and hours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.experiment import RESULTS, condense, hours, page

ROOT = Path(__file__).parents[1]


def test_hours_are_those_of_the_experiment_without_quick_ones(tmp_path: Path) -> None:
    files = {"experiment/net/rows": 3600.0, "model": 7200.0, "experiment/quick/net/rows": 7200.0}
    stages = {file: {"outputs": {file: ""}, "seconds": took} for file, took in files.items()}
    (tmp_path / "manifest.json").write_text(json.dumps({"stages": stages}))
    assert hours(tmp_path) == 1.0


def test_a_report_is_condensed_to_what_several_aspects_reach() -> None:
    found = condense("net", _report())
    assert found["claims"] == {"It holds.": "holds"}
    assert found["methods"]["complete"] == {
        "ndcg": {"value": 0.5, "interval": None, "cases": 9},
        "f1_masked": {"value": 0.33333, "interval": [0.1, 0.5], "cases": 9},
        "f_ns": {"value": 0.9, "interval": None, "cases": 9},
        "f_ns_transfer": {"value": 0.6, "interval": None, "cases": 9},
    }
    assert "aspects" not in found["methods"]["complete"]


def test_the_page_is_made_from_the_data_file() -> None:
    recorded = ROOT / RESULTS
    assert recorded.with_suffix(".md").read_text(encoding="utf-8") == page(json.loads(recorded.read_text()))


def _measure(value: float | None, interval: list[float] | None = None) -> dict[str, Any]:
    return {"value": value, "interval": interval, "cases": 9}


def _report() -> dict[str, Any]:
    def cell(shape: str, masked: bool, **measures: Any) -> dict[str, Any]:
        return {"method": "complete", "shape": shape, "masked": masked, **measures}

    elsewhere = {name: {"f_ns_all": _measure(value)} for name, value in (("k=4", 0.6), ("k=6", 0.7), ("fresh", None))}
    free = {"f_ns_all": _measure(0.9), "aspects": _measure(None), "elsewhere": elsewhere}
    return {
        "protocol": "full",
        "seeds": [0, 1],
        "settings": {"users": 100},
        "methods": {"complete": {"ranking": {"ndcg": _measure(0.5)}, "unavailable": None}},
        "cells": [
            cell("single", False, f_ns_all=_measure(0.1)),
            cell("multi", False, **free),
            cell("multi", True, f1_all=_measure(1 / 3, [0.1, 0.5])),
        ],
        "claims": [{"text": "It holds.", "verdict": "holds"}],
    }
