"""The charts of the report, as SVG inside the page: no script draws them.

Colours are those of the light page; the style sheet of the page turns each into its dark counterpart. Widths are those
of a phone: on a wide page several stand side by side. Needs Altair and vl-convert: install ``counterec[report]``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import polars as pl

from counterec.report.figures import COLOURS

WIDTH = 250
"""The width of the plot itself; its axis and labels come on top."""
HEIGHT = 180
BAR = 20
"""The height of one bar with its gap."""
INK, GRID, FAINT = "#1c2733", "#e6e6e6", "#8a94a0"
BLUE, ORANGE = COLOURS


def training_curves(nets: Sequence[Mapping[str, Any]]) -> alt.LayerChart:
    """Validation NDCG by epoch, one line per net, a dot where each net was kept."""
    rows = [
        {"net": f"net {number}", "epoch": epoch, "ndcg": value, "kept": epoch == net["best_epoch"]}
        for number, net in enumerate(nets, start=1)
        for epoch, value in enumerate(net["validation_curve"], start=1)
        if value is not None
    ]
    base = alt.Chart(pl.DataFrame(rows)).encode(
        x=alt.X("epoch:Q", title="epoch", axis=alt.Axis(tickMinStep=1, format="d")),
        y=alt.Y("ndcg:Q", title="NDCG on validation", scale=alt.Scale(zero=True)),
        detail="net:N",
    )
    line = base.mark_line(color=BLUE, opacity=0.55, strokeWidth=1.5)
    dots = base.transform_filter("datum.kept").mark_point(filled=True, color=ORANGE, size=70, opacity=1)
    return (line + dots).properties(width=WIDTH, height=HEIGHT)


def bars(rows: Sequence[tuple[str, float]], title: str, *, percent: bool = True, colour: str = BLUE) -> alt.LayerChart:
    """One bar per name, in the given order, with its value at the end."""
    form = ".0%" if percent else ".2f"
    frame = pl.DataFrame({"name": [name for name, _ in rows], "value": [float(value) for _, value in rows]})
    most = max([value for _, value in rows], default=1.0) or 1.0
    base = alt.Chart(frame).encode(
        x=alt.X(
            "value:Q", title=title, scale=alt.Scale(domain=[0, 1.15 * most]), axis=alt.Axis(format=form, tickCount=4)
        ),
        y=alt.Y("name:N", title=None, sort=None, axis=alt.Axis(labelLimit=110, ticks=False, domain=False)),
    )
    text = base.mark_text(align="left", dx=4, color=INK).encode(text=alt.Text("value:Q", format=form))
    return (base.mark_bar(color=colour, height=0.7 * BAR) + text).properties(width=WIDTH, height=BAR * len(rows))


def praise_bars(rows: Sequence[tuple[str, int, int]], title: str) -> alt.Chart:
    """One bar per aspect: praises in blue, complaints in orange."""
    order = [aspect for aspect, _, _ in rows]
    frame = pl.DataFrame(
        [
            {"aspect": aspect, "kind": kind, "place": place, "opinions": number}
            for aspect, *numbers in rows
            for place, (kind, number) in enumerate(zip(("praise", "complaint"), numbers, strict=True))
        ]
    )
    return (
        alt.Chart(frame)
        .mark_bar(height=0.7 * BAR)
        .encode(
            x=alt.X("opinions:Q", title=title, axis=alt.Axis(format=",d", tickCount=4, tickMinStep=1)),
            y=alt.Y("aspect:N", title=None, sort=order, axis=alt.Axis(labelLimit=110, ticks=False, domain=False)),
            color=alt.Color(
                "kind:N",
                title=None,
                scale=alt.Scale(domain=["praise", "complaint"], range=[BLUE, ORANGE]),
                legend=alt.Legend(orient="top"),
            ),
            order=alt.Order("place:Q"),
        )
        .properties(width=WIDTH, height=BAR * len(rows))
    )


def position_lines(rows: pl.DataFrame) -> list[alt.LayerChart]:
    """By position in the list: how many aspects an explanation names, and how strong the drop is."""
    titles = {"aspects": "aspects named", "strength": "drop in score"}
    x = alt.X("position:O", title="position in the list", axis=alt.Axis(labelAngle=0, format="d"))
    charts = []
    for name, title in titles.items():
        base = alt.Chart(rows.select("position", name)).encode(
            x=x, y=alt.Y(f"{name}:Q", title=title, scale=alt.Scale(zero=True))
        )
        line, dots = base.mark_line(color=BLUE, strokeWidth=2), base.mark_point(filled=True, color=BLUE, size=50)
        charts.append((line + dots).properties(width=WIDTH, height=HEIGHT))
    return charts


def svg_of(chart: Any) -> str:
    """A chart as an SVG document, in the style of all charts of the report."""
    import vl_convert  # optional, as Altair is

    axis = {"labelColor": INK, "titleColor": INK, "gridColor": GRID, "domainColor": FAINT, "tickColor": FAINT}
    styled = (
        chart.properties(background="transparent", padding={"left": 16, "right": 8, "top": 4, "bottom": 4})
        .configure_axis(labelFontSize=12, titleFontSize=12, titleFontWeight="normal", **axis)
        .configure_legend(labelFontSize=12, labelColor=INK, labelLimit=260, direction="vertical")
        .configure_text(fontSize=12)
        .configure_view(stroke=None)
    )
    return str(vl_convert.vegalite_to_svg(styled.to_dict()))
