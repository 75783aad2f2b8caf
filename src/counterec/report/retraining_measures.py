"""Explanations under another training: what of CountER's answers is the same when the model is trained again.

Three things may be the same: the item is still in the list, the answer for it names the same aspects, and the old
answer is still true, as a change and by its verdicts. And the mark that an answer had before, in how many nets of a
mean it holds, may tell which ones these are.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from counterec.core.evaluation.measure import Measure, group_difference, mean
from counterec.report.examined_method import ExaminedMethod
from counterec.report.experiment_rows import COMBINATION, PAIR, ExperimentRows
from counterec.report.method_measures import column, units_of

MARK_DIFFERENCE = "holds_marked_in_all_less_fewer"
"""What the mark tells beforehand: how much more often an answer holds that held in all nets than one that did not."""
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
    """Every measure twice: of the answers that it applies to, and of all pairs (``_all``).

    Of all pairs, one counts as a failure that has no answer, whose item is not listed again or whose answer was not so
    before. Likeness and verdicts are of the users that are examined further, with and without answers.
    """
    alike = experiment.stability_of(*combination).filter(pl.col("other") == RETRAINED)
    again = experiment.transfer_of(*combination).filter(pl.col("ground") == RETRAINED)
    pairs = experiment.rows_of(*combination)
    users = experiment.transfer.select("seed", "user_id").unique()
    examined = pairs.join(users, on=("seed", "user_id"), how="semi")
    both = again.join(pairs.select(*PAIR, "necessary", "sufficient"), on=PAIR, suffix="_before")
    marked = rows.filter(pl.col("nets") > 1)
    in_all = pl.col("nets_hold") == pl.col("nets")
    none = pairs.clear()  # where nothing was measured, nothing failed
    judged, with_mark = examined if len(again) else none, pairs if len(marked) else none
    parts = {
        "listed": (rows, "listed", pairs),
        "alike": (alike, "jaccard", examined if len(alike) else none),
        "holds": (rows, "holds", pairs),
        "necessary_kept": (both.filter("necessary_before"), "necessary", judged),
        "sufficient_kept": (both.filter("sufficient_before"), "sufficient", judged),
        "holds_marked_in_all": (marked.filter(in_all), "holds", with_mark),
        "holds_marked_in_fewer": (marked.filter(~in_all), "holds", with_mark),
    }
    found = {}
    for name, (part, value, whole) in parts.items():
        found[name], found[f"{name}_all"] = _mean(part, value), _mean(_with_failures(part, value, whole), value)
    in_first = marked.select(in_all.alias("in_all"))["in_all"].to_numpy()
    return found | {MARK_DIFFERENCE: group_difference(column(marked, "holds"), in_first, units_of(marked))}


def _with_failures(rows: pl.DataFrame, name: str, pairs: pl.DataFrame) -> pl.DataFrame:
    """All of the pairs, with 0 where the rows have nothing of them."""
    known = rows.select(*PAIR, pl.col(name).cast(pl.Float64))
    whole = pairs.select(*PAIR, "user", "item").join(known, on=PAIR, how="left", maintain_order="left")
    return whole.with_columns(pl.col(name).fill_null(0.0))


def _mean(rows: pl.DataFrame, name: str) -> Measure:
    return mean(column(rows, name), units_of(rows))
