"""POS@K, DEL and INS of every method that orders aspects: the curves, and the area under each."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from counterec.core.evaluation.measure import mean
from counterec.core.evaluation.perturbation import SHARES
from counterec.report.examined_method import ExaminedMethod
from counterec.report.experiment_rows import COMBINATION
from counterec.report.figure_data import Point, curve_frame, point
from counterec.report.method_measures import units_of

CURVES = {"in_list": "POS@K %", "deleted": "DEL %", "inserted": "INS %"}
"""The column of each curve, and what it is called."""


def measure_orders(curves: pl.DataFrame) -> list[ExaminedMethod]:
    """The areas of every method."""
    parts: list[tuple[Any, pl.DataFrame]] = list(curves.group_by(COMBINATION, maintain_order=True))
    return [
        ExaminedMethod(
            method, shape, masked, {name: mean(_matrix(rows, name).mean(axis=1), units_of(rows)) for name in CURVES}
        )
        for (method, shape, masked), rows in parts
    ]


def order_curves(curves: pl.DataFrame) -> pl.DataFrame:
    """The mean of each curve at every share, one curve per method."""
    points: list[Point] = []
    parts: list[tuple[Any, pl.DataFrame]] = list(curves.group_by("method", maintain_order=True))
    for (method,), rows in parts:
        for name, panel in CURVES.items():
            values = _matrix(rows, name)
            for column, share in enumerate(SHARES):
                points += point(100 * share, panel, method, mean(values[:, column], units_of(rows)), 100.0)
    return curve_frame(points)


def _matrix(rows: pl.DataFrame, name: str) -> np.ndarray:
    return np.array(rows[name].to_list(), dtype=np.float64).reshape(len(rows), len(SHARES))
