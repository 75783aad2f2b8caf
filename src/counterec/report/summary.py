"""Everything that was measured, as one value: each number with its cases and interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from counterec.report.comparisons import Comparison
from counterec.report.experiment_rows import ExperimentRows
from counterec.report.measures import Measured
from counterec.report.sweep import SweptPoint
from counterec.report.verdict import Claim


def summary(
    inputs: ExperimentRows,
    cells: Sequence[Measured],
    compared: Sequence[Comparison],
    points: Sequence[SweptPoint],
    judged: Sequence[Claim],
) -> dict[str, Any]:
    """What ``evaluation.json`` of an experiment holds."""
    return {
        "protocol": inputs.protocol,
        "seeds": inputs.seeds,
        "gaps": inputs.gaps,
        "methods": inputs.methods,
        "cells": [cell.as_dict() for cell in cells],
        "differences": [comparison.as_dict() for comparison in compared],
        "sweep": [point.as_dict() for point in points],
        "claims": [claim.as_dict() for claim in judged],
    }
