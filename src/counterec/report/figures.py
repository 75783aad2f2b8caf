"""Figure 2 of the paper for this data, the sweep of α, and F_NS against the number of aspects.

Strength is on probabilities, as in the paper. One function per figure. This module imports Altair, which is optional:
install ``counterec[report]``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl

from counterec.report.experiment_rows import ExperimentRows
from counterec.report.figure_data import (
    PANELS,
    Answers,
    binned_f1,
    distributions,
    f_ns_by_aspects,
    position_curves,
    sweep_curves,
)
from counterec.report.measures import MethodMeasures, SweepPoint, with_free_strength

SIDE_STEP = 0.006
"""How far apart methods with equally many aspects are drawn, as a share of the axis."""
METHOD_COLOURS = [
    *("#1f5fa8", "#d1651b", "#2a8c4a", "#b02a4c", "#8a8a8a", "#7a52a8"),
    *("#c9a400", "#12a5a5", "#7b4a2b", "#e07bb5", "#4c4c4c", "#8fbf3f"),
    *("#5ab4f0", "#c81fd6"),
]
"""One colour per method, distinct on white."""
BOTH_SHARES = (
    "F1 and F_NS: of the explained pairs and, of all, with a pair that has no explanation as a failure.",
    "Fidelity: of all pairs. Complexity and strength: only an explanation has them.",
)
EXPLAINED_ALONE = ("Explained pairs alone: without an explanation there is neither complexity nor strength.",)
RESAMPLED = "Bars: 95% intervals of both numbers, from drawing users, items and seeds again."


def figures(
    experiment: ExperimentRows, measures: Sequence[MethodMeasures], sweep: Sequence[SweepPoint]
) -> dict[str, Figure]:
    """Every figure by its name, except those with nothing to show."""
    strong, how = with_free_strength(experiment.sweep)
    answers = dict.fromkeys(PANELS, experiment.rows_of("relaxed", "multi", False)) | {"strength_sigmoid": strong}
    of = (*EXPLAINED_ALONE, f"Strength: of answers {how}; with α = 0, as in the tables, it is no more than the lead.")
    found = {
        "figure2a-lambda": lambda_user_side(sweep),
        "figure2b-lambda": lambda_model_side(sweep),
        "figure2-alpha": alpha_sweep(sweep),
        "figure2c-position": by_position(answers, of),
        "figure2d-f1": f1_by_amount(answers, of),
        "figure2e-verdicts": verdicts_by_amount(answers, of),
        "aspects-f_ns": f_ns_against_aspects(measures),
    }
    return {name: figure for name, figure in found.items() if figure is not None}


def lambda_user_side(sweep: Sequence[SweepPoint]) -> Figure | None:
    """Figure 2 (a): F1, of the explained pairs and of all, complexity and fidelity against λ."""
    curves = sweep_curves(sweep, "lam", ("f1", "f1_all", "complexity", "fidelity"))
    return _panels(curves, "F1, complexity and fidelity against λ", _log("λ", curves), subtitle=BOTH_SHARES)


def lambda_model_side(sweep: Sequence[SweepPoint]) -> Figure | None:
    """Figure 2 (b): strength and F_NS, of the explained pairs and of all, against λ."""
    curves = sweep_curves(sweep, "lam", ("strength_sigmoid", "f_ns", "f_ns_all"))
    return _panels(curves, "Strength and F_NS against λ", _log("λ", curves), subtitle=BOTH_SHARES)


def alpha_sweep(sweep: Sequence[SweepPoint]) -> Figure | None:
    """F1 and F_NS, of the explained pairs and of all, and fidelity against α."""
    curves = sweep_curves(sweep, "alpha", ("f1", "f1_all", "f_ns", "f_ns_all", "fidelity"))
    return _panels(curves, "F1, F_NS and fidelity against α", alt.X("x:Q", title="α"), subtitle=BOTH_SHARES)


def by_position(answers: Answers, of: Sequence[str]) -> Figure | None:
    """Figure 2 (c): complexity, strength and number of aspects by position in the list."""
    x = alt.X("x:O", title="position in the list", axis=alt.Axis(labelAngle=0, format="d"))
    title = "Complexity, strength and number of aspects by position"
    return _panels(position_curves(answers), title, x, subtitle=of)


def f1_by_amount(answers: Answers, of: Sequence[str]) -> Figure | None:
    """Figure 2 (d): F1 against complexity and strength, averaged in bins of about equally many pairs."""
    x = alt.X("x:Q", title=None, scale=alt.Scale(zero=False))
    title = "F1 % against complexity and strength"
    return _panels(binned_f1(answers), title, x, x_is_panel=True, subtitle=of)


def _log(title: str, curves: pl.DataFrame) -> alt.X:
    """An axis of λ with a tick at every value that was tried."""
    ticks = curves["x"].unique().sort().to_list()
    axis = alt.Axis(values=ticks, format="~g", labelOverlap=True)
    return alt.X("x:Q", title=title, scale=alt.Scale(type="log"), axis=axis)


def _panels(
    curves: pl.DataFrame, title: str, x: alt.X, x_is_panel: bool = False, subtitle: Sequence[str] = ()
) -> Figure | None:
    """Panels side by side, each with its own scale: curves through points, intervals as bands."""
    names = curves["panel"].unique(maintain_order=True).to_list()
    if not names:
        return None
    panels = [_panel(curves.filter(pl.col("panel") == name), x, name, x_is_panel) for name in names]
    return titled(alt.hconcat(*panels, spacing=28), title, subtitle)


def _panel(curves: pl.DataFrame, x: alt.X, name: str, x_is_panel: bool) -> alt.LayerChart:
    if x_is_panel:
        x = x.copy()
        x["title"] = name
    many = curves["curve"].n_unique() > 1
    colour: Any = alt.value(COLOURS[0])
    if many:
        colour = two_colours()
    y = alt.Y("value:Q", title="F1 %" if x_is_panel else name, scale=alt.Scale(zero=True))
    base = alt.Chart(curves).encode(x=x, color=colour)
    band = base.mark_area(opacity=0.18).encode(y=alt.Y("low:Q"), y2="high:Q")
    line = base.mark_line(point=alt.OverlayMarkDef(size=36), strokeWidth=2).encode(y=y)
    return (band + line).properties(width=PANEL_WIDTH, height=PANEL_HEIGHT)


def verdicts_by_amount(answers: Answers, of: Sequence[str]) -> Figure | None:
    """Figure 2 (e): the complexity and strength of answers that are both necessary and sufficient, and of the rest."""
    shares = distributions(answers)
    if len(shares) == 0:
        return None
    panels = []
    for name in shares["panel"].unique(maintain_order=True):
        part = shares.filter(pl.col("panel") == name)
        counts = part.group_by("curve", maintain_order=True).agg(pl.col("answers").first()).rows()
        said = ", ".join(f"{count:,} {curve}" for curve, count in counts)
        base = alt.Chart(part).encode(
            x=alt.X("from:Q", title=f"{name} ({said})", bin="binned"),
            x2="to",
            y=alt.Y("share:Q", title="% of these answers", stack=None),
            color=two_colours(),
        )
        panels.append(base.mark_bar(opacity=0.5).properties(width=int(1.4 * PANEL_WIDTH), height=PANEL_HEIGHT))
    title = "Answers that are both necessary and sufficient, and the rest (the last bar includes all larger values)"
    return titled(alt.hconcat(*panels, spacing=28), title, of)


def f_ns_against_aspects(measures: Sequence[MethodMeasures]) -> Figure | None:
    """F_NS against the number of aspects, in sample and in transfer: what more aspects buy, method by method."""
    points = f_ns_by_aspects(measures)
    if len(points) == 0:
        return None
    wide = alt.Legend(orient="right", symbolLimit=0, symbolOpacity=1)
    base = alt.Chart(_side_by_side(points)).encode(
        x=alt.X("x:Q", title="aspects named (methods shifted slightly apart)", scale=alt.Scale(zero=True)),
        color=alt.Color("panel:N", title="method", sort=None, scale=alt.Scale(range=METHOD_COLOURS), legend=wide),
    )
    rule = base.mark_rule(opacity=0.5).encode(
        y=alt.Y("low:Q", title="F_NS %", scale=alt.Scale(domain=[0, 100])), y2="high:Q"
    )
    across = base.mark_rule(opacity=0.5).encode(x=alt.X("from:Q"), x2="to:Q", y="value:Q")
    shapes = ["circle", "diamond", "cross", "triangle-up"]
    shape = alt.Shape("curve:N", title="F_NS", sort=None, scale=alt.Scale(range=shapes), legend=wide)
    dots = base.mark_point(filled=True, size=80, opacity=1).encode(y="value:Q", shape=shape)
    chart = (rule + across + dots).properties(width=520, height=360)
    return titled(chart, "F_NS against the number of aspects, without the mask", (RESAMPLED,))


def _side_by_side(points: pl.DataFrame) -> pl.DataFrame:
    """The points shifted slightly by method: those with equally many aspects would hide each other."""
    order = {method: place for place, method in enumerate(points["panel"].unique(maintain_order=True))}
    place = pl.col("panel").replace_strict(order, return_dtype=pl.Float64) - (len(order) - 1) / 2
    width = SIDE_STEP * max(1.0, float(points["x"].to_numpy().max() - points["x"].to_numpy().min()))
    return points.with_columns(pl.col("x", "from", "to") + width * place)


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
