"""The content of ``evaluation.json``: every number of the report, with its cases and interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from counterec.core.evaluation.measure import mean
from counterec.report.claims.claim import Claim
from counterec.report.experiment_rows import ExperimentRows
from counterec.report.history_measures import measure_history, unexplained
from counterec.report.method_comparisons import Comparison
from counterec.report.method_measures import MethodMeasures, column, units_of
from counterec.report.order_measures import measure_orders
from counterec.report.retraining_measures import measure_retraining
from counterec.report.sweep_measures import SweepPoint

MASK_NAMES = {False: "without the mask", True: "with the mask"}


def evaluation(
    experiment: ExperimentRows,
    settings: Mapping[str, Any],
    gaps: Sequence[str],
    measures: Sequence[MethodMeasures],
    compared: Sequence[Comparison],
    sweep: Sequence[SweepPoint],
    claims: Sequence[Claim],
) -> dict[str, Any]:
    """The report as one JSON object; ``gaps`` say what is missing from it, and why."""
    return {
        "protocol": experiment.protocol,
        "seeds": experiment.seeds,
        "settings": dict(settings),
        "gaps": list(gaps),
        "methods": experiment.methods,
        "cells": [one.as_dict() for one in measures],
        "differences": [comparison.as_dict() for comparison in compared],
        "sweep": [point.as_dict() for point in sweep],
        "orders": [one.as_dict() for one in measure_orders(experiment.curves)],
        "retraining": [one.as_dict() for one in measure_retraining(experiment)],
        "hindsight": {MASK_NAMES[masked]: _hindsight(experiment, masked) for masked in MASK_NAMES},
        "history": {
            "explained": [one.as_dict() for one in measure_history(experiment.history)],
            "unexplained": unexplained(experiment.history),
        },
        "claims": [claim.as_dict() for claim in claims],
    }


def _hindsight(experiment: ExperimentRows, masked: bool) -> dict[str, Any]:
    part = experiment.hindsight.filter(pl.col("masked") == masked)
    names = ("best", "bound", "unconstrained")
    return {name: mean(column(part, name), units_of(part)).as_dict() for name in names}
