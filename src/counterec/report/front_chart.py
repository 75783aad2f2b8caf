"""The front of weights as a chart. This module imports Altair, which is optional: install ``counterec[report]``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import polars as pl

from counterec.report.chart_style import COLOURS, PANEL_HEIGHT, PANEL_WIDTH, Figure, titled, two_colours

FRONT_CURVES = (
    ("ndcg", "validation NDCG", "NDCG"),
    ("leaving", "share of recommended items", "leave when all their aspects are absent"),
    ("short_answers", "share of recommended items", "at most three aspects take them off"),
)
"""Of a point of the front: what is drawn, in which panel, and what the curve is called."""


def front_of_weights(front: Mapping[str, Any]) -> Figure:
    """Validation NDCG, and the shares of items that aspects explain, against the weight of the collaborative part.

    Weights are drawn at equal distances, since they grow by factors; a rule marks the one that was chosen.
    """
    points = [
        {"weight": f"{point['weight']:g}", "panel": panel, "curve": curve, "value": point[name]}
        for point in front["points"]
        for name, panel, curve in FRONT_CURVES
        if point[name] is not None
    ]
    frame, order = pl.DataFrame(points), [f"{point['weight']:g}" for point in front["points"]]
    x = alt.X("weight:O", title="weight of the collaborative part", sort=order, axis=alt.Axis(labelAngle=0))
    panels = []
    for panel in dict.fromkeys(panel for _, panel, _ in FRONT_CURVES):
        own = frame.filter(pl.col("panel") == panel)
        title = f"{panel}@{front['validation_cutoff']}" if panel.endswith("NDCG") else panel
        y = alt.Y("value:Q", title=title, scale=alt.Scale(zero=True))
        colour: Any = two_colours() if own["curve"].n_unique() > 1 else alt.value(COLOURS[0])
        dots = alt.OverlayMarkDef(size=36)
        line = alt.Chart(own).mark_line(point=dots, strokeWidth=2).encode(x=x, y=y, color=colour)
        chosen = pl.DataFrame({"weight": [f"{front['weight']:g}"]})
        rule = alt.Chart(chosen).mark_rule(strokeDash=[4, 3], color="#4c4c4c").encode(x=x)
        panels.append((rule + line).properties(width=PANEL_WIDTH, height=PANEL_HEIGHT))
    return titled(alt.hconcat(*panels, spacing=28), "How much of the collaborative part (dashed: chosen)")
