"""What all figures share: sizes, colours, titles and how they are saved.

This module imports Altair, which is optional: install ``counterec[report]``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import altair as alt

PANEL_WIDTH, PANEL_HEIGHT = 260, 190
PIXELS = 2.0
"""How many pixels of a PNG make one of the figure's own, in each direction."""
COLOURS = ["#1f5fa8", "#d1651b"]

Figure = alt.TopLevelMixin


def two_colours() -> alt.Color:
    """The colours of two curves, named below the figure."""
    legend = alt.Legend(orient="bottom", symbolOpacity=1)
    return alt.Color("curve:N", title=None, scale=alt.Scale(range=COLOURS), legend=legend)


def titled(chart: Any, title: str, subtitle: Sequence[str] = ()) -> Figure:
    """The figure with its title, in the style of all of them; lines below it say what it is of."""
    below: Any = list(subtitle) or alt.Undefined
    head = alt.Title(title, subtitle=below, anchor="start", offset=14)
    return (
        chart.properties(title=head, padding=14, background="white")
        .configure_axis(labelFontSize=12, titleFontSize=13, titleFontWeight="normal", gridColor="#e6e6e6")
        .configure_legend(labelFontSize=12, labelLimit=320)
        .configure_title(fontSize=15, subtitleFontSize=12)
        .configure_view(stroke=None)
    )


def save(figure: Figure, folder: Path, name: str) -> list[str]:
    """Write a figure as SVG and PNG, each self-contained; return the names of the two files."""
    svg, png = f"{name}.svg", f"{name}.png"
    figure.save(str(folder / svg))
    figure.save(str(folder / png), scale_factor=PIXELS)
    return [svg, png]
