"""Figures: what they show is what was measured, and the files stand by themselves."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import pytest

from counterec.report.curves import binned_f1, distributions, f_ns_by_aspects, position_curves, sweep_curves
from counterec.report.experiment_rows import ExperimentRows
from counterec.report.figures import figures
from counterec.report.measures import Measured
from counterec.report.sweep import VARIANTS, swept
from tests.report.rows import ALPHAS, LAMBDAS, World

NAMES = (
    "figure2a-lambda",
    "figure2b-lambda",
    "figure2-alpha",
    "figure2c-position",
    "figure2d-f1",
    "figure2e-verdicts",
    "aspects-f_ns",
)


@pytest.mark.parametrize("name", NAMES)
def test_files_are_whole_and_self_contained(report: tuple[Path, list[Path]], name: str) -> None:
    folder, written = report
    svg, png = (folder / "figures" / f"{name}.{ending}" for ending in ("svg", "png"))
    assert {svg, png} <= set(written)
    root = ElementTree.fromstring(svg.read_text(encoding="utf-8"))
    assert root.tag.endswith("svg")
    addresses = {value for element in root.iter() for key, value in element.attrib.items() if key.endswith("href")}
    assert not [address for address in addresses if address.startswith(("http", "//"))]
    head = png.read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", head[16:24])
    assert min(width, height) > 400


def test_every_word_of_a_figure_is_in_its_svg(report: tuple[Path, list[Path]]) -> None:
    text = (report[0] / "figures" / "figure2a-lambda.svg").read_text(encoding="utf-8")
    for words in ("F1, complexity and fidelity against λ", "F1 %", "complexity", "fidelity %", *VARIANTS.values()):
        assert words in text


def test_curves_along_lambda(inputs: ExperimentRows) -> None:
    found = sweep_curves(swept(inputs.sweep), "lam", ("fidelity", "complexity"))
    letter = found.filter(panel="fidelity %", curve=VARIANTS["as_published"])
    assert letter["x"].to_list() == list(LAMBDAS)
    at_1 = inputs.sweep.filter(pl.col("lambda") == 1.0)["explained"].to_numpy().mean()
    assert letter["value"][0] == pytest.approx(100 * at_1)
    assert ((letter["low"] <= letter["value"]) & (letter["value"] <= letter["high"])).all()


@pytest.mark.parametrize("place", [(None, None), (100.0, 0.0)], ids=["none", "one"])
def test_a_variant_with_no_lambda_or_one_is_a_level_line(
    inputs: ExperimentRows, place: tuple[float | None, float | None]
) -> None:
    points = [
        one if one.variant == "as_published" else replace(one, lam=place[0], alpha=place[1])
        for one in swept(inputs.sweep)
    ]
    found = sweep_curves(points, "lam", ("fidelity",)).filter(curve=VARIANTS["adaptive"])
    assert found["x"].to_list() == [LAMBDAS[0], LAMBDAS[-1]]
    assert found["value"].n_unique() == 1


def test_the_sweep_of_alpha_holds_lambda_still(inputs: ExperimentRows) -> None:
    found = sweep_curves(swept(inputs.sweep), "alpha", ("f_ns",)).filter(curve=VARIANTS["as_published"])
    assert found["x"].to_list() == list(ALPHAS)


def test_positions(inputs: ExperimentRows) -> None:
    found = position_curves(inputs.cell("relaxed", "multi", False)).filter(panel="aspects")
    assert found["x"].to_list() == [1, 2, 3, 4, 5]
    assert found["value"].to_list() == [4, 3, 3, 2, 2]


def test_f1_in_bins_falls_with_complexity_and_not_with_strength(inputs: ExperimentRows) -> None:
    found = binned_f1(inputs.cell("relaxed", "multi", False))
    falling = found.filter(panel="complexity")["value"].to_list()
    assert len(falling) > 2
    assert falling == sorted(falling, reverse=True)
    # Two strengths, so two bins: equal amounts are never torn apart.
    assert found.filter(panel="strength")["x"].to_list() == [1.0, 2.0]
    assert found.filter(panel="strength")["value"].n_unique() <= 2


def test_distributions_are_shares_of_each_group(inputs: ExperimentRows) -> None:
    rows = inputs.cell("relaxed", "multi", False)
    found = distributions(rows)
    sums = found.group_by("panel", "curve").agg(pl.col("share").sum())
    assert sums["share"].to_list() == pytest.approx([100.0] * 4)
    both = rows.filter("necessary", "sufficient").height
    assert f"necessary and sufficient ({both})" in found["curve"].to_list()
    strength = found.filter(pl.col("panel") == "strength", pl.col("curve").str.starts_with("necessary"))
    assert strength["share"][-1] > 50  # the strong ones are at the far end


def test_f_ns_by_aspects_in_and_out_of_sample(cells: list[Measured]) -> None:
    found = f_ns_by_aspects(cells).filter(panel="complete")
    assert found["curve"].to_list() == ["where it was measured", "elsewhere, the lowest"]
    (cell,) = [c for c in cells if (c.method, c.masked) == ("complete", False)]
    assert found["x"].to_list() == [cell["aspects"].value] * 2
    assert found["value"][0] == pytest.approx(100 * (cell["f_ns"].value or 0))
    assert found["value"][1] < found["value"][0]


def test_what_there_is_nothing_to_show_of_is_left_out() -> None:
    world = World(users=2)
    rows = world.rows().filter(pl.col("method") == "mter")
    frames = {name: getattr(world, name)().clear() for name in ("elsewhere", "stability", "sweep")}
    assert figures(world.inputs(rows=rows, **frames), [], []) == {}
