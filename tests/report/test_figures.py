"""Figures: their files are complete and self-contained."""

from __future__ import annotations

import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest

from counterec.report.measures import VARIANT_NAMES

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
