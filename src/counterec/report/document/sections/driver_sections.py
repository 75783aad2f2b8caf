"""Sections on what drives the model, and the findings in a few sentences before all else."""

from __future__ import annotations

from collections.abc import Iterator
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
from counterec.report.overview import Group, Outcomes, Side, decisive_aspects, items_by_aspect
from counterec.wording.markup import Child, Markup, element, isolated, together

MOST_DECIDING = 3
"""How many aspects are named."""


def findings(inputs: ReportInputs, found: Outcomes) -> Markup:
    """The findings as a list; each is left out where the run does not have it."""
    said = [*_deciding(inputs), *_quality(inputs), *_firmness(inputs), *_missed(inputs, found)]
    return element("ul", [element("li", *parts) for parts in said], class_="findings", aria_label="In short")


def _deciding(inputs: ReportInputs) -> Iterator[tuple[Child, ...]]:
    """Which aspects decide most often."""
    assert inputs.cases is not None
    named = decisive_aspects(inputs.cases).head(MOST_DECIDING)
    if not len(named):
        return
    parts: list[Child] = []
    for place, (aspect, part) in enumerate(named.select("aspect", "share").iter_rows()):
        parts += [", " if place else "", isolated(aspect), f" ({share(part)} of the recommendations)"]
    yield (element("strong", "What decides most often: "), *parts, ".")


def _quality(inputs: ReportInputs) -> Iterator[tuple[Child, ...]]:
    """How good the lists are, beside popularity."""
    ranking = inputs.evaluation.get("ranking")
    if ranking is None or ranking["recommender"]["ndcg"]["value"] is None:
        return
    ours, theirs = (ranking[name]["ndcg"]["value"] for name in ("recommender", "popularity"))
    numbers = f"NDCG@{inputs.evaluation['k']} {decimal(ours, 3)} on held-out reviews; popularity has "
    yield element("strong", "How good the lists are: "), f"{numbers}{decimal(theirs, 3)}."


def _firmness(inputs: ReportInputs) -> Iterator[tuple[Child, ...]]:
    """In how many of the nets, whose mean decides, the explanations hold."""
    found = inputs.evaluation.get("explanations", {}).get(inputs.methods[0], {}).get("robustness")
    if found is None or found["of_agreeing"]["value"] is None:
        return
    firm = f"in {share(found['of_agreeing']['value'])} of the cases in which one of the {found['nets']} nets, whose "
    rest = "mean decides, has the item in its own list, the same change takes it off there, too."
    yield element("strong", "How firm the explanations are: "), firm, rest


def _missed(inputs: ReportInputs, found: Outcomes) -> Iterator[tuple[Child, ...]]:
    """How many recommendations have no explanation."""
    missed = found.recommendations - found.explained
    if missed:
        yield (
            element("strong", "What is missing: "),
            f"{count(missed)} recommendations have no explanation by {inputs.methods[0]}; ",
            element("a", "why", href="#unexplained"),
            ".",
        )


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


MOST_ITEMS = 10
MOST_ASPECTS = 4
"""How many aspects are named of an item."""


def items_section(inputs: ReportInputs) -> Section:
    """The section."""
    title = "Which items win and lose"
    if inputs.cases is None:
        return Section("items", title, missing("Nothing is explained in this run yet.", "Go on with counterec run."))
    return Section("items", title, grid(_side(inputs, "wins"), _side(inputs, "loses")))


ITEM_TITLES: dict[Side, str] = {"wins": "Items that win", "loses": "Items that lose"}
ITEM_NOTES: dict[Side, str] = {
    "wins": "An item wins a list by what would take it off the list if it were otherwise.",
    "loses": "An item just below a list loses it by what keeps items of the list ahead of it.",
}
HEADS: dict[Side, list[str]] = {"wins": ["item", "by", "lists"], "loses": ["item", "by", "just below"]}


def _side(inputs: ReportInputs, side: Side) -> Markup:
    assert inputs.cases is not None
    found = items_by_aspect(inputs.cases, side)
    if not len(found):
        why = "rules decide the lists, so what would move up is not in the stored answers" if side == "loses" else ""
        return panel(
            ITEM_TITLES[side],
            missing(f"No item is known to {side.removesuffix('s')} by anything{': ' + why if why else ''}."),
        )
    items: dict[str, list[tuple[str, int, int]]] = {}
    for item_id, aspect, lists, of_lists, _ in found.iter_rows():
        items.setdefault(item_id, []).append((aspect, lists, of_lists))
    ranked = sorted(items.items(), key=lambda item: (-item[1][0][2], item[0]))[:MOST_ITEMS]
    rows = [[inputs.folder.item_name(item_id), _by_aspect(own), count(own[0][2])] for item_id, own in ranked]
    shown = table(HEADS[side], rows, label=ITEM_TITLES[side], texts=2)
    where = "are in most lists" if side == "wins" else "are most often just below a list"
    some = "All" if len(rows) == len(items) else f"The {len(rows)} of"
    most = f"{some} {count(len(items))} items that {where if len(rows) < len(items) else 'do'}."
    return panel(ITEM_TITLES[side], paragraph(ITEM_NOTES[side], small=True), shown, paragraph(most, small=True))


def _by_aspect(aspects: list[tuple[str, int, int]]) -> Markup:
    """The aspects with the number of lists that each wins or loses, the most first."""
    shown = [
        element("span", isolated(aspect), " ", element("span", lists, class_="note"), class_="by")
        for aspect, lists, _ in aspects[:MOST_ASPECTS]
    ]
    return together(*(part for one in shown for part in (one, " ")))
