"""The data behind the figures is what was measured."""

from __future__ import annotations

import polars as pl
import pytest

from counterec.report.experiment_rows import ExperimentRows
from counterec.report.figure_data import (
    PANELS,
    binned_f1,
    distributions,
    f_ns_by_aspects,
    sweep_curves,
)
from counterec.report.measures import VARIANT_NAMES, MethodMeasures, measure_sweep
from tests.report.rows import LAMBDAS


def answers(experiment: ExperimentRows, **instead: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """The answers of every panel."""
    return dict.fromkeys(PANELS, experiment.rows_of("relaxed", "multi", False)) | instead


def test_curves_along_lambda(experiment: ExperimentRows) -> None:
    found = sweep_curves(measure_sweep(experiment.sweep), "lam", ("fidelity", "complexity"))
    curve = found.filter(panel="fidelity %", curve=VARIANT_NAMES["as_published"])
    assert curve["x"].to_list() == list(LAMBDAS)
    at_1 = experiment.sweep.filter(pl.col("lambda") == 1.0)["explained"].to_numpy().mean()
    assert curve["value"][0] == pytest.approx(100 * at_1)
    assert ((curve["low"] <= curve["value"]) & (curve["value"] <= curve["high"])).all()


def test_f1_in_bins_falls_with_complexity_and_not_with_strength(experiment: ExperimentRows) -> None:
    found = binned_f1(answers(experiment))
    falling = found.filter(panel="complexity")["value"].to_list()
    assert len(falling) > 2
    assert falling == sorted(falling, reverse=True)
    # Two strengths, so two bins: equal amounts share a bin.
    assert found.filter(panel="strength")["x"].to_list() == pytest.approx([0.1, 0.2])
    assert found.filter(panel="strength")["value"].n_unique() <= 2


def test_distributions_are_shares_of_each_group(experiment: ExperimentRows) -> None:
    rows = experiment.rows_of("relaxed", "multi", False)
    found = distributions(answers(experiment))
    sums = found.group_by("panel", "curve").agg(pl.col("share").sum())
    assert sums["share"].to_list() == pytest.approx([100.0] * 4)
    counted = found.filter(pl.col("curve") == "necessary and sufficient")["answers"].unique().to_list()
    assert counted == [rows.filter("necessary", "sufficient").height]
    strength = found.filter(pl.col("panel") == "strength", pl.col("curve").str.starts_with("necessary"))
    assert strength["share"][-1] > 50  # the strong ones are at the far end


def test_f_ns_by_aspects_in_sample_and_in_transfer(measures: list[MethodMeasures]) -> None:
    found = f_ns_by_aspects(measures).filter(panel="complete")
    transfer = ["transfer, lowest", "transfer, lowest, of all pairs"]
    assert found["curve"].to_list() == ["in sample", "in sample, of all pairs", *transfer]
    (complete,) = [one for one in measures if (one.method, one.masked) == ("complete", False)]
    assert found["x"].to_list() == [complete["aspects"].value] * 4
    assert (found["from"][0], found["to"][0]) == complete["aspects"].interval
    assert (found["from"] <= found["x"]).all()
    assert complete.lowest_transfer_of_all is not None
    assert found["value"][3] == pytest.approx(100 * (complete.lowest_transfer_of_all[1].value or 0))
    assert found["value"][0] == pytest.approx(100 * (complete["f_ns"].value or 0))
    assert found["value"][1] == pytest.approx(100 * (complete["f_ns_all"].value or 0))
    assert found["value"][2] < found["value"][0]


def test_the_sweep_has_both_denominators(experiment: ExperimentRows) -> None:
    found = sweep_curves(measure_sweep(experiment.sweep), "lam", ("f1", "f1_all", "f_ns", "f_ns_all"))
    curve = found.filter(curve=VARIANT_NAMES["as_published"], x=LAMBDAS[0])
    shown = dict(zip(curve["panel"], curve["value"], strict=True))
    pairs = experiment.sweep.filter(pl.col("lambda") == LAMBDAS[0])
    explained = pairs["explained"].to_numpy().mean()
    assert explained < 1
    assert shown["F1 %, of all"] == pytest.approx(shown["F1 %"] * explained), "without an explanation F1 is 0"
    assert shown["F_NS %, of all"] == pytest.approx(shown["F_NS %"] * explained), "and so are PN and PS"
