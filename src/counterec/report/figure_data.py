"""The data behind the figures: means with intervals along λ, α, positions and amounts, as small tables."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np
import polars as pl

from counterec.core.evaluation.intervals import Measure, mean
from counterec.report.measures import CLOSE, VARIANT_NAMES, MethodMeasures, SweepPoint, column, named_aspects, units_of
from counterec.report.paper import published

POINT = {"x": pl.Float64, "panel": pl.String, "curve": pl.String, **dict.fromkeys(("value", "low", "high"), pl.Float64)}
"""The columns of one point of a curve in a panel, with its interval."""
BINS = 8
"""The number of bins in which F1 is averaged."""

IN_SAMPLE, OF_ALL = "in sample", "in sample, of all pairs"
TRANSFER, TRANSFER_OF_ALL = "transfer, lowest", "transfer, lowest, of all pairs"

Point = dict[str, float | str | None]
Parameter = Literal["lam", "alpha"]


def point(x: float, panel: str, curve: str, measure: Measure, scale: float = 1.0) -> list[Point]:
    """A measure as one point; no point if it has no value."""
    if measure.value is None:
        return []
    low, high = measure.interval or (measure.value, measure.value)
    numbers = {"value": measure.value * scale, "low": low * scale, "high": high * scale}
    return [{"x": x, "panel": panel, "curve": curve, **numbers}]


def curve_frame(points: Iterable[Point]) -> pl.DataFrame:
    """Points as a frame, possibly empty."""
    return pl.DataFrame(list(points), schema=POINT)


SHARES = {
    "f1": "F1 %",
    "f1_all": "F1 %, of all",
    "fidelity": "fidelity %",
    "f_ns": "F_NS %",
    "f_ns_all": "F_NS %, of all",
}
"""Shares of the explained pairs and, of all pairs, where one without an explanation counts as a failure."""
AMOUNTS = ("complexity", "strength_sigmoid")
"""How large a change is, and how much it does to the probability."""
PANELS = SHARES | {"complexity": "complexity", "strength_sigmoid": "strength", "aspects": "aspects"}


def sweep_curves(points: Sequence[SweepPoint], name: Parameter, measures: Sequence[str]) -> pl.DataFrame:
    """Measures along λ or α with the other one held fixed, one curve per variant.

    A variant with a single value of λ or α becomes a level line.
    """
    held: Parameter = "alpha" if name == "lam" else "lam"
    kept = {variant: _holding(points, variant, held) for variant in VARIANT_NAMES}
    ticks = sorted({x for curve in kept.values() for one in curve if (x := getattr(one, name)) is not None})
    found: list[Point] = []
    for variant, curve in kept.items():
        level = len({getattr(one, name) for one in curve}) == 1
        for one in curve:
            for x in [ticks[0], ticks[-1]] if level and ticks else [getattr(one, name)]:
                found += [
                    p for m in measures for p in point(x, PANELS[m], VARIANT_NAMES[variant], one.measures[m], _scale(m))
                ]
    return curve_frame(found).sort("panel", "curve", "x")


def _holding(points: Sequence[SweepPoint], variant: str, held: Parameter) -> list[SweepPoint]:
    """The points of a variant at the paper's λ or α, or at the only value that it has."""
    own = [one for one in points if one.variant == variant]
    printed = published().text["lambda" if held == "lam" else "alpha"]
    only = len({getattr(one, held) for one in own}) == 1
    return [one for one in own if only or abs((getattr(one, held) or 0.0) - printed) < CLOSE]


def _scale(measure: str) -> float:
    return 100.0 if measure in SHARES else 1.0


Answers = Mapping[str, pl.DataFrame]
"""The answers that each panel is about: those of *relaxed* and, for strength, those whose strength is free."""


def position_curves(answers: Answers) -> pl.DataFrame:
    """Complexity, strength and number of aspects by position in the list."""
    points: list[Point] = []
    for name in (*AMOUNTS, "aspects"):
        rows = answers[name].filter("explained")
        for (position,), part in rows.group_by("position", maintain_order=True):
            values = named_aspects(part) if name == "aspects" else column(part, name)
            points += point(float(position), PANELS[name], "", mean(values, units_of(part)))
    return curve_frame(points).sort("panel", "x")


def binned_f1(answers: Answers) -> pl.DataFrame:
    """Mean F1 in bins of about equally many pairs, along complexity and along strength; equal amounts share a bin."""
    points: list[Point] = []
    for name in AMOUNTS:
        counted = answers[name].filter(pl.col("f1").is_not_null() & pl.col(name).is_not_null())
        if not len(counted):
            continue
        ranks = counted[name].rank("min") - 1
        bins = (ranks * min(BINS, len(counted)) // len(counted)).alias("bin")
        for _, part in counted.with_columns(bins).group_by("bin", maintain_order=True):
            f1 = mean(column(part, "f1"), units_of(part))
            points += point(float(column(part, name).mean()), PANELS[name], "", f1, 100.0)
    return curve_frame(points).sort("panel", "x")


def distributions(answers: Answers, bins: int = 20) -> pl.DataFrame:
    """The distribution of complexity and strength: of answers both necessary and sufficient, and of the rest."""
    found = []
    for name in AMOUNTS:
        judged = answers[name].filter(pl.col("necessary").is_not_null() & pl.col(name).is_not_null())
        if not len(judged):
            continue
        both = (judged["necessary"] & judged["sufficient"]).to_numpy()
        values = column(judged, name)
        edges = np.linspace(values.min(), np.quantile(values, 0.99) + 1e-9, bins + 1)
        for curve, which in (("necessary and sufficient", both), ("not both", ~both)):
            counts, _ = np.histogram(np.minimum(values[which], edges[-1]), edges)
            shares = 100 * counts / max(1, which.sum())
            ends = zip(edges[:-1], edges[1:], shares, strict=True)
            bar = {"panel": PANELS[name], "curve": curve, "answers": int(which.sum())}
            found += [{**bar, "from": a, "to": b, "share": s} for a, b, s in ends]
    words, numbers = dict.fromkeys(("panel", "curve"), pl.String), dict.fromkeys(("from", "to", "share"), pl.Float64)
    return pl.DataFrame(found, schema={**words, "answers": pl.Int64, **numbers})


def f_ns_by_aspects(measures: Sequence[MethodMeasures], masked: bool = False) -> pl.DataFrame:
    """F_NS against the number of aspects, four points per method: in sample and in transfer, by both denominators.

    In transfer it is the lowest. Both numbers have intervals, which come from drawing users, items and seeds again:
    ``from`` and ``to`` are those of the number of aspects.
    """
    points: list[Point] = []
    for one in measures:
        aspects = one["aspects"]
        if one.masked != masked or aspects.value is None:
            continue
        shown = {IN_SAMPLE: one["f_ns"], OF_ALL: one["f_ns_all"]}
        for curve, lowest in ((TRANSFER, one.lowest_transfer), (TRANSFER_OF_ALL, one.lowest_transfer_of_all)):
            if lowest:
                shown[curve] = lowest[1]
        start, end = aspects.interval or (aspects.value, aspects.value)
        for curve, f_ns in shown.items():
            found = point(aspects.value, one.method, curve, f_ns, 100.0)
            points += [{**each, "from": start, "to": end} for each in found]
    return pl.DataFrame(points, schema={**POINT, "from": pl.Float64, "to": pl.Float64})


DRAWING = ("altair", "vl_convert")
"""The packages that draw the figures; they are optional."""


def can_draw() -> bool:
    """Whether what draws the figures is installed."""
    return all(importlib.util.find_spec(package) is not None for package in DRAWING)
