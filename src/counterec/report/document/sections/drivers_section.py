"""What drives the model overall: which aspects decide, how strongly, for whom, and at which position."""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl

from counterec.core.explainers.answer_row import EXPLAINED
from counterec.report.document.inputs import ReportInputs
from counterec.report.html import (
    NONE,
    Cell,
    Row,
    Section,
    count,
    decimal,
    figure,
    folded,
    grid,
    missing,
    panel,
    paragraph,
    share,
    table,
)
from counterec.report.overview import Group, decisive_aspects
from counterec.wording.markup import Markup, together

MOST_BARS = 15
MOST_ROWS = 12
"""How many aspects a table by group has."""
MOST_GROUPS = 8
"""How many groups: of tastes, those of most users; of positions, the first."""


def drivers_section(inputs: ReportInputs) -> Section:
    """The section."""
    title, cases = "What drives this model", inputs.cases
    if cases is None:
        return Section("drivers", title, missing("Nothing is explained in this run yet.", "Go on with counterec run."))
    aspects = decisive_aspects(cases)
    if not len(aspects):
        return Section("drivers", title, missing("No recommendation could be explained, so no aspect decides any."))
    what, otherwise = ("attribute", "otherwise") if inputs.imported else ("aspect", "worse")
    intro = (
        f"An {what} decides a recommendation if its explanation names it: had that been {otherwise}, the item would "
        "have left the list. Where an explanation names several, each of them counts. All recommendations of the run "
        "are counted, so nothing is estimated."
    )
    body = together(
        paragraph(intro),
        grid(_how_often(aspects), _how_strongly(aspects)),
        folded("In numbers", _numbers(aspects, what)),
        _by(inputs, cases, aspects, "position"),
        _along_the_list(cases),
        _by(inputs, cases, aspects, "activity"),
        _by(inputs, cases, aspects, "taste"),
    )
    return Section("drivers", title, body)


def _how_often(aspects: pl.DataFrame) -> Markup:
    rows = list(aspects.head(MOST_BARS).select("aspect", "share").iter_rows())
    title = "share of recommendations that it decides"
    label = "Share of recommendations that each decides: " + "; ".join(f"{name} {share(value)}" for name, value in rows)
    left = len(aspects) - len(rows)
    more = f" {count(left)} more decide fewer." if left > 0 else ""
    return panel(
        "How often",
        figure(
            lambda charts: charts.bars(rows, title),
            label,
            "often",
            f"Of {count(aspects['recommendations'][0])} recommendations.{more}",
        ),
    )


def _how_strongly(aspects: pl.DataFrame) -> Markup:
    known = aspects.head(MOST_BARS).drop_nulls("strength")
    if not len(known):
        return panel(
            "How strongly", missing("It is not known how far scores spread in this run: drops cannot be compared.")
        )
    rows = list(known.select("aspect", "strength").iter_rows())
    title = "drop in score, standard deviations"
    label = "Mean drop in score, in standard deviations: " + "; ".join(f"{name} {decimal(v)}" for name, v in rows)
    caption = (
        "How much of the drop in score comes from it, where it decides: mean, in standard deviations of the scores of "
        "the user's candidates."
    )
    return panel(
        "How strongly",
        figure(
            lambda charts: charts.bars(rows, title, percent=False, colour=charts.ORANGE), label, "strongly", caption
        ),
    )


def _numbers(aspects: pl.DataFrame, what: str) -> Markup:
    head = [what, "decides", "share", "alone", "change", "drop in score", "necessary"]
    rows = [
        [
            row["aspect"],
            count(row["decided"]),
            share(row["share"], 1),
            share(row["alone"]),
            share(row["change"]),
            decimal(row["strength"]),
            share(row["necessary"]),
        ]
        for row in aspects.to_dicts()
    ]
    note = (
        "Alone: where no other is named beside it. Change: how far it would have to move, as a share of its scale. "
        "Drop in score: in standard deviations. Necessary: where the item would also lose its place if no item had "
        "what is named."
    )
    return together(table(head, rows, label="Decisive aspects in numbers"), paragraph(note, small=True))


TITLES: dict[Group, str] = {
    "position": "At which position",
    "activity": "For whom: by activity",
    "taste": "For whom: by taste",
}
NOTES: dict[Group, str] = {
    "position": "Share of the recommendations at this position that each decides; cases: how many there are.",
    "activity": "Three groups of about equally many users, by how many reviews the training part has of them.",
    "taste": "Taste: what a user speaks of more than others do. Shown are the tastes of most users, one per column.",
}


def _by(inputs: ReportInputs, cases: pl.DataFrame, aspects: pl.DataFrame, by: Group) -> Markup:
    """A table: a row per aspect, a column per group, shaded by the share of recommendations that the aspect decides."""
    found = decisive_aspects(cases, by)
    if not len(found):
        return panel(TITLES[by], missing(_unknown(inputs, by)), wide=True)
    sizes = found.unique([by, "recommendations"]).select(by, "recommendations")
    order = [by] if by != "taste" else ["recommendations", by]
    groups = sizes.sort(order, descending=[False] if by != "taste" else [True, False]).head(MOST_GROUPS)[by].to_list()
    first = groups if by == "taste" else []  # whose own aspect stands out, or does not
    names = list(dict.fromkeys([*first, *aspects["aspect"].to_list()]))[:MOST_ROWS]
    shares = {(row[by], row["aspect"]): row["share"] for row in found.to_dicts()}
    deepest = max((shares.get((group, name), 0.0) for group in groups for name in names), default=0.0) or 1.0
    counts = dict(sizes.iter_rows())
    rows: list[Row] = [
        [name, *(_shaded(shares.get((group, name), 0.0), deepest) for group in groups)] for name in names
    ]
    head = ["", *(_heading(inputs, by, group) for group in groups)]
    last: Row = ["cases", *(Cell(count(counts[group]), shade=0.0) for group in groups)]
    shown = table(head, [*rows, last], label=f"{TITLES[by]}: share of recommendations that each aspect decides")
    note = (
        NOTES[by].replace("reviews the training part has of them", "items they saw") if inputs.imported else NOTES[by]
    )
    return panel(TITLES[by], shown, paragraph(note, small=True), wide=True)


def _shaded(value: float, deepest: float) -> Cell:
    return Cell(share(value) if value else NONE, shade=value / deepest)


def _heading(inputs: ReportInputs, by: Group, group: object) -> str:
    if by == "position":
        return f"position {group}"
    if by == "activity":
        return f"{group} {'items' if inputs.imported else 'reviews'}"
    return str(group)


def _unknown(inputs: ReportInputs, by: Group) -> str:
    if by == "activity":
        return "Nothing is known of how active users are: the run came without anything that they saw or reviewed."
    if by == "taste":
        said = "an import treats all attributes alike for all users" if inputs.imported else "all users are alike"
        return f"Nothing is known of what single users care about: {said}."
    return "No position is known."


def _along_the_list(cases: pl.DataFrame) -> Markup:
    """How explanations change from the top of the list to its end."""
    explained = cases.filter(pl.col("status") == EXPLAINED)
    rows = (
        explained.group_by("position")
        .agg(pl.col("aspects").list.len().mean().alias("aspects"), pl.col("strength").mean(), pl.len().alias("cases"))
        .sort("position")
    )

    said = {
        "How many it takes": "Mean number of aspects that an explanation names, by position in the list",
        "How far ahead": "Mean drop in score that takes an item off the list, in standard deviations, by position",
    }
    if len(rows) < 2:
        return together()
    panels = [
        panel(title, figure(partial(_line, rows, at), label, f"position{at}", f"{label}."))
        for at, (title, label) in enumerate(said.items())
    ]
    return grid(panels)


def _line(rows: pl.DataFrame, at: int, charts: Any) -> Any:
    return charts.position_lines(rows)[at]
