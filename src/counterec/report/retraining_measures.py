"""Explanations under another training: what of CountER's answers is the same when the model is trained again.

Three things may be the same: the item is still in the list, the answer for it names the same aspects, and the old
answer is still true, as a change and by its verdicts. And the mark that an answer had before, in how many nets of a
mean it holds, may tell which ones these are.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from counterec.core.evaluation.measure import Measure, mean
from counterec.report.examined_method import ExaminedMethod
from counterec.report.experiment_rows import COMBINATION, PAIR, ExperimentRows
from counterec.report.method_measures import column, units_of

RETRAINED = "trained again"
"""What the condition is called on disk."""


def measure_retraining(experiment: ExperimentRows) -> list[ExaminedMethod]:
    """The measures of every goal whose answers were tried under another training."""
    parts: list[tuple[Any, pl.DataFrame]] = list(experiment.retraining.group_by(COMBINATION, maintain_order=True))
    return [
        ExaminedMethod(method, shape, masked, _measured(experiment, (method, shape, masked), rows))
        for (method, shape, masked), rows in parts
    ]


def _measured(experiment: ExperimentRows, combination: tuple[str, str, bool], rows: pl.DataFrame) -> dict[str, Measure]:
    alike = experiment.stability_of(*combination).filter(pl.col("other") == RETRAINED)
    again = experiment.transfer_of(*combination).filter(pl.col("ground") == RETRAINED)
    before = experiment.rows_of(*combination).select(*PAIR, "necessary", "sufficient")
    both = again.join(before, on=PAIR, suffix="_before")
    marked = rows.filter(pl.col("nets") > 1)
    in_all = pl.col("nets_hold") == pl.col("nets")
    return {
        "listed": _mean(rows, "listed"),
        "alike": _mean(alike, "jaccard"),
        "holds": _mean(rows, "holds"),
        "necessary_kept": _mean(both.filter("necessary_before"), "necessary"),
        "sufficient_kept": _mean(both.filter("sufficient_before"), "sufficient"),
        "holds_marked_in_all": _mean(marked.filter(in_all), "holds"),
        "holds_marked_in_fewer": _mean(marked.filter(~in_all), "holds"),
    }


def _mean(rows: pl.DataFrame, name: str) -> Measure:
    return mean(column(rows, name), units_of(rows))
