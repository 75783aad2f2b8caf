"""The content of ``evaluation.json``: every number of the report, with its cases and interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from counterec.report.claims.claim import Claim
from counterec.report.experiment_rows import ExperimentRows
from counterec.report.method_comparisons import Comparison
from counterec.report.method_measures import MethodMeasures
from counterec.report.sweep_measures import SweepPoint


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
        "claims": [claim.as_dict() for claim in claims],
    }
