"""Ground that was looked at while methods were chosen, and ground that was not.

A method that selects its answers by what it is measured by (*complete*) has preferences that somebody chose while
looking at measurements of some seeds. Over the other seeds alone its numbers are flattered less by that choice: these
have other trainings, candidates and drawn users, but the same data, split and held-out reviews.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from counterec.core.explainers.goal_names import GOALS
from counterec.pipeline.stages.transfer import selects
from counterec.report.examined_method import ExaminedMethod
from counterec.report.experiment_rows import ExperimentRows
from counterec.report.method_comparisons import Comparison, compare_methods
from counterec.report.method_measures import MethodMeasures, measure_methods
from counterec.report.order_measures import measure_orders
from counterec.report.retraining_measures import measure_retraining

FRESH = ", fresh seeds"
"""After a method: over the seeds alone that were not looked at while it was chosen."""


@dataclass(frozen=True)
class FreshSeeds:
    """The methods that select their answers, over the seeds alone that nobody looked at while choosing them.

    Without seeds of both kinds nothing is measured twice.
    """

    looked_at: tuple[int, ...]
    fresh: tuple[int, ...]
    measures: tuple[MethodMeasures, ...] = ()
    compared: tuple[Comparison, ...] = ()
    orders: tuple[ExaminedMethod, ...] = ()
    retraining: tuple[ExaminedMethod, ...] = ()

    @property
    def note(self) -> str:
        """One line that says which ground is which."""
        if not self.looked_at:
            return "No seed here was looked at while complete's preferences were chosen."
        line = f"complete's preferences were chosen while looking at seed {_listed(self.looked_at)}"
        if not self.fresh:
            return f"{line}; no other is here, so its numbers are of ground that was looked at."
        return (
            f"{line}; its rows with{FRESH[1:]} are over seed {_listed(self.fresh)} alone, which nobody looked at then. "
            "New in them are trainings, drawn candidates and, where their number is bounded, drawn users; data, split "
            "and held-out reviews are those that were looked at."
        )

    def as_dict(self) -> dict[str, Any]:
        """Everything as it is written to disk."""
        return {
            "looked_at": list(self.looked_at),
            "fresh": list(self.fresh),
            "cells": [one.as_dict() for one in self.measures],
            "differences": [one.as_dict() for one in self.compared],
            "orders": [one.as_dict() for one in self.orders],
            "retraining": [one.as_dict() for one in self.retraining],
        }


def measure_fresh(experiment: ExperimentRows, looked_at: Collection[int], aspects: int) -> FreshSeeds:
    """Measure what selects by a measure over the seeds that are not among ``looked_at``.

    ``aspects`` is the size of the vocabulary. Comparisons are corrected among themselves.
    """
    seen = tuple(seed for seed in experiment.seeds if seed in looked_at)
    fresh = tuple(seed for seed in experiment.seeds if seed not in looked_at)
    if not seen or not fresh:
        return FreshSeeds(seen, fresh)
    there = experiment.of_seeds(fresh)
    selecting = [method for method in GOALS if selects(method)]
    rows = there.rows.filter(pl.col("method").is_in(selecting))
    if not len(rows):
        return FreshSeeds(seen, fresh)
    examined = [one for one in measure_orders(there.curves) if one.method in selecting]
    retrained = [one for one in measure_retraining(there) if one.method in selecting]
    return FreshSeeds(
        looked_at=seen,
        fresh=fresh,
        measures=tuple(
            replace(one, method=one.method + FRESH) for one in measure_methods(replace(there, rows=rows), aspects)
        ),
        compared=tuple(replace(one, ours=one.ours + FRESH) for one in compare_methods(there, selecting)),
        orders=tuple(replace(one, method=one.method + FRESH) for one in examined),
        retraining=tuple(replace(one, method=one.method + FRESH) for one in retrained),
    )


def _listed(seeds: tuple[int, ...]) -> str:
    return ", ".join(map(str, seeds))
