"""Metrics of other packages → a number for every pair that a method explains, whatever the method.

A metric is a function from ``MeasuredPairs`` to one number per pair, NaN where it does not apply. The tables show its
mean over pairs, with an interval over users.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import polars as pl

from counterec.baselines.protocol import Fitted
from counterec.core.arrays import FloatVector, require, require_shape
from counterec.core.evaluation.user_side import GroundTruth
from counterec.core.explainers.answer import NamedAspects
from counterec.core.lists import Recommendations
from counterec.core.scorers.protocols import Scorer
from counterec.core.scorers.ranking import rank
from counterec.core.space import AspectSpace
from counterec.errors import PluginError
from counterec.experiment.cell_inputs import MEASURING_SETTINGS, CellInputs, measuring_code, measuring_inputs
from counterec.experiment.fitted_baselines import fitted_baseline, fitted_file, fitting_notes_file
from counterec.experiment.join import ROWS_FILE
from counterec.experiment.schemas import METRICS
from counterec.experiment.transfer import named_from
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import write_json
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import Stage, StageContext
from counterec.plugins import Plugin, plugin_named

METRICS_FILE = "metrics.parquet"
METRIC_NOTES_FILE = "metrics.json"
"""The package of each metric and, where it failed, how."""
COMBINATION = ["method", "shape", "masked"]


@dataclass(frozen=True)
class MeasuredPairs:
    """What a metric is asked about: what one method named for some recommended pairs, and what it was named about."""

    named: NamedAspects
    """Per pair, the aspects that the method named, at least one of them."""
    scorer: Scorer
    """The recommender whose lists are explained."""
    space: AspectSpace
    """What that recommender knows of users and items."""
    lists: Recommendations
    """Its lists, one item longer than shown, and who competed for them."""
    truth: GroundTruth
    """The aspects that users went on to praise, for held-out pairs."""


Metric = Callable[[MeasuredPairs], FloatVector]


def metric_plugins(config: RunConfig) -> list[Plugin]:
    """The metrics of other packages that an experiment asks for; that one cannot be loaded is told at once."""
    found = [plugin_named("metric", name) for name in config.experiment.metrics]
    for plugin in found:
        plugin.load()
    return found


def metrics_stage(config: RunConfig) -> Stage:
    """The rows of every method → what the metrics of other packages say of them."""
    plugins, baselines = metric_plugins(config), config.experiment.baselines
    fitted = [file for name in baselines for file in (fitted_file(name), fitting_notes_file(name))]
    return Stage(
        name="metrics",
        config=config,
        settings=(*MEASURING_SETTINGS, "experiment.baselines", "experiment.metrics"),
        inputs=measuring_inputs(config, *fitted, ROWS_FILE),
        outputs=(METRICS_FILE, METRIC_NOTES_FILE),
        code=(*measuring_code(config), "counterec.baselines", *(plugin.code for plugin in plugins)),
        work=lambda context: _measure(context, plugins),
    )


def _measure(context: StageContext, plugins: list[Plugin]) -> None:
    cell, rows = CellInputs(context), context.folder.table(ROWS_FILE)
    frames, notes = [pl.DataFrame(schema=dict(METRICS))], dict[str, dict[str, Any]]()
    parts = rows.filter("joint", "explained").partition_by(COMBINATION, maintain_order=True)
    explained = _Explained(cell)
    asked = [(part, explained.pairs(part)) for part in parts]
    context.reporter.total(len(plugins) * len(asked), "steps")
    for plugin in plugins:
        notes[plugin.name] = {"package": f"{plugin.package} {plugin.version}"}
        try:
            frames += _measured(context, plugin, asked)
        except PluginError as error:  # whatever a metric does, the others are shown
            notes[plugin.name]["unavailable"] = str(error)
            context.warn(f"the metric {plugin.name} is left out: {error}")
    write_table(pl.concat(frames), context.new(METRICS_FILE))
    write_json(context.new(METRIC_NOTES_FILE), notes)


def _measured(
    context: StageContext, plugin: Plugin, asked: list[tuple[pl.DataFrame, MeasuredPairs]]
) -> list[pl.DataFrame]:
    metric: Metric = plugin.load()
    frames = []
    for part, pairs in asked:
        try:
            values = _checked(metric(pairs), len(part))
        except Exception as error:  # it is anybody's code
            raise plugin.fault(error) from None
        columns = [pl.lit(plugin.name).alias("metric"), pl.Series("value", values).fill_nan(None)]
        frames.append(part.with_columns(columns).select(list(METRICS)).cast(pl.Schema(METRICS)))
        context.reporter.advance(1)
    return frames


def _checked(found: Any, pairs: int) -> FloatVector:
    """One number per pair, finite or NaN."""
    values = np.asarray(found, dtype=np.float64)
    require_shape("what the metric returned", values, (pairs,))
    for value in values[np.isinf(values)][:1]:
        require(False, f"the metric returned {value}; return NaN where it does not apply")
    return values


class _Explained:
    """The recommenders whose lists methods explain: the run's own, and those baselines that have lists of their own."""

    def __init__(self, cell: CellInputs) -> None:
        self._cell = cell
        self._fitted = cache(self._fit)

    def pairs(self, part: pl.DataFrame) -> MeasuredPairs:
        """What one method named, beside the recommender whose lists it explains."""
        cell, method = self._cell, part["method"][0]
        if method not in cell.config.experiment.baselines:
            space = cell.folder.space
            return MeasuredPairs(named_from(part, space), cell.scorer, space, cell.lists, cell.truth)
        fitted, lists = self._fitted(method)
        return MeasuredPairs(named_from(part, fitted.space), fitted.scorer, fitted.space, lists, cell.truth)

    def _fit(self, method: str) -> tuple[Fitted, Recommendations]:
        """A baseline, as it was fitted when it was measured."""
        folder, config = self._cell.folder, self._cell.config
        fitted = fitted_baseline(folder, method)
        return fitted, rank(fitted.scorer, fitted.space, folder.candidates, config.lists.k, self._cell.lists.users)
