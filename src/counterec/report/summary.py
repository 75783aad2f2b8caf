"""Everything that was measured, as one value: each number with its cases and interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from counterec.report.comparisons import Comparison
from counterec.report.inputs import ExperimentRows
from counterec.report.measures import Measured, pair_measures
from counterec.report.verdict import Claim

SWEPT = ("variant", "lambda", "alpha", "masked")


def summary(
    inputs: ExperimentRows, cells: Sequence[Measured], compared: Sequence[Comparison], judged: Sequence[Claim]
) -> dict[str, Any]:
    """What ``evaluation.json`` of an experiment holds."""
    return {
        "protocol": inputs.protocol,
        "seeds": inputs.seeds,
        "gaps": inputs.gaps,
        "methods": inputs.methods,
        "cells": [cell.as_dict() for cell in cells],
        "differences": [comparison.as_dict() for comparison in compared],
        "sweep": swept(inputs),
        "claims": [claim.as_dict() for claim in judged],
    }


def swept(inputs: ExperimentRows) -> list[dict[str, Any]]:
    """The measures of the relaxed answers at every λ and α."""
    return [
        {**dict(zip(SWEPT, key, strict=True)), **{name: found.as_dict() for name, found in pair_measures(rows).items()}}
        for key, rows in inputs.sweep.group_by(SWEPT, maintain_order=True)
    ]
