"""Figures: their files are complete and self-contained."""

from __future__ import annotations

import struct
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest

from counterec.core.attribution import ATTRIBUTIONS
from counterec.core.explainers.goal_names import GOALS
from counterec.experiment.methods import RULES
from counterec.report.figures import METHOD_COLOURS, figures
from counterec.report.measures import VARIANT_NAMES
from tests.report.rows import World

pytestmark = pytest.mark.slow

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
def test_files_are_complete_and_self_contained(report: tuple[Path, list[str]], name: str) -> None:
    folder, written = report
    svg, png = (folder / "figures" / f"{name}.{ending}" for ending in ("svg", "png"))
    assert {f"figures/{name}.svg", f"figures/{name}.png"} <= set(written)
    root = ElementTree.fromstring(svg.read_text(encoding="utf-8"))
    assert root.tag.endswith("svg")
    addresses = {value for element in root.iter() for key, value in element.attrib.items() if key.endswith("href")}
    assert not [address for address in addresses if address.startswith(("http", "//"))]
    head = png.read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", head[16:24])
    assert min(width, height) > 400


def test_every_word_of_a_figure_is_in_its_svg(report: tuple[Path, list[str]]) -> None:
    text = (report[0] / "figures" / "figure2a-lambda.svg").read_text(encoding="utf-8")
    panels = ("F1 %", "F1 %, of all", "complexity", "fidelity %")
    said = ("F1, complexity and fidelity against λ", "only an explanation has them")
    for words in (*said, *panels, *VARIANT_NAMES.values()):
        assert words in text


def test_every_method_with_lists_to_judge_has_a_colour_of_its_own() -> None:
    assert len(METHOD_COLOURS) >= len((*GOALS, *ATTRIBUTIONS, *RULES, "efm", "a2cf"))
    assert min(distance(*two) for two in combinations(METHOD_COLOURS, 2)) > 25


def distance(one: str, other: str) -> float:
    """How far apart two colours look: ΔE of CIE 1976; neighbours in the rainbow of a common palette are about 30."""
    return float(np.linalg.norm(lab(one) - lab(other)))


def lab(colour: str) -> np.ndarray:
    """L*, a* and b* of an sRGB colour, white being that of daylight (D65)."""
    values = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(to_xyz @ linear / [0.9505, 1.0, 1.089])  # all here are light enough for the cube root
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_a_figure_with_nothing_to_show_is_left_out() -> None:
    world = World(users=2)
    rows = world.rows().filter(pl.col("method") == "mter")
    frames = {name: getattr(world, name)().clear() for name in ("transfer", "sweep")}
    assert figures(world.experiment(rows=rows, **frames), [], []) == {}
