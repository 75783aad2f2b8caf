"""How good the recommender is, beside popularity; how it was trained; and what explainability costs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from counterec.pipeline import layout
from counterec.report.document.drawing import figure
from counterec.report.document.inputs import ReportInputs
from counterec.report.document.numbers import count, decimal, interval, measure, share
from counterec.report.document.parts import Cell, Row, Section, beside, folded, missing, panel, paragraph, table
from counterec.wording.markup import Markup, together

WHO = {
    "recommender": "this recommender",
    "popularity": "popularity",
    "popularity_with_others": "popularity, with the reviews of users left out",
}
MEASURES = {"ndcg": "NDCG", "recall": "recall", "hit_rate": "hit rate"}


def recommender_section(inputs: ReportInputs) -> Section:
    """The section."""
    return Section(
        "recommender",
        "The recommender",
        together(paragraph(_kind(inputs)), _quality(inputs), _training(inputs), _front(inputs)),
    )


def _kind(inputs: ReportInputs) -> str:
    if not inputs.folder.has(layout.MODEL_DESCRIPTION):
        return "The run has no model yet."
    found = inputs.folder.json(layout.MODEL_DESCRIPTION)
    if found["kind"] == "hybrid":
        return (
            f"A hybrid: the mean of {found['nets']} nets that look at aspects alone, plus {found['weight']:g} times a "
            "collaborative part, which looks at what else the user has reviewed."
        )
    if found.get("imported"):
        return f"A model of kind {found['kind']}, trained elsewhere and taken as it is."
    return f"A model of kind {found['kind']}."


def _quality(inputs: ReportInputs) -> Markup:
    ranking, k = inputs.evaluation.get("ranking"), inputs.evaluation.get("k")
    if ranking is None:
        what = "How good the lists are was not measured: no reviews were held out."
        advice = "Make a run with --held-out 5 to measure it." if not inputs.imported else ""
        return together(panel("Beside popularity", missing(what, advice), wide=True), _lists(inputs))
    rows: list[Row] = [
        [
            title,
            *(Cell(measure(ranking[who][name]), f"({interval(ranking[who][name])})") for name in MEASURES),
        ]
        for who, title in WHO.items()
        if who in ranking
    ]
    cases = ranking["recommender"]["ndcg"]["cases"]
    note = (
        f"Protocol {inputs.evaluation['protocol']}, {count(cases)} users, lists of {k}; in parentheses 95% intervals. "
        "NDCG and recall ask how many of the held-out items are in the list, NDCG also how high; "
        "the hit rate is the share of users with at least one of them in it."
    )
    head = ["", *(f"{title}@{k}" for title in MEASURES.values())]
    shown = table(head, rows, label="Quality of the lists beside popularity")
    return together(panel("Beside popularity", shown, paragraph(note, small=True), wide=True), _lists(inputs))


def _lists(inputs: ReportInputs) -> Markup:
    """What the lists hold, and what keeps items in them."""
    lists, said = inputs.evaluation.get("lists", {}), []
    what = "attributes" if inputs.imported else "aspects"
    if lists.get("different_items") is not None:
        said.append(f"{count(lists['different_items'])} different items are recommended.")
    if (leave := lists.get("leave_without_aspects")) is not None:
        said.append(
            f"{share(leave['value'])} of the recommended items leave their lists when all their {what} are absent."
        )
    if (led := lists.get("led_by_history")) is not None:
        said.append(f"For {share(led['value'])}, what the user reviewed before counts for more than their {what}.")
    return paragraph(" ".join(said)) if said else together()


def _training(inputs: ReportInputs) -> Markup:
    counts = inputs.counts("fit")
    nets = counts.get("nets") or ([counts] if counts.get("validation_curve") else [])
    curves = [net for net in nets if any(value is not None for value in net.get("validation_curve", []))]
    if not curves:
        why = (
            "it was trained elsewhere" if inputs.imported else "training kept none, or nothing was left for validation"
        )
        return panel("Training", missing(f"There is no training curve: {why}."))

    kept = ", ".join(f"net {number}: epoch {net['best_epoch']}" for number, net in enumerate(curves, start=1))
    label = f"NDCG on the validation part by epoch, {len(curves)} nets; kept: {kept}"
    caption = "One line per net; the dot marks the epoch that was kept."
    rows = [
        [
            f"net {number}",
            count(net["epochs"]),
            count(net["best_epoch"]),
            decimal(net["loss"], 3),
            decimal(net["validation_ndcg"], 3),
        ]
        for number, net in enumerate(curves, start=1)
    ]
    head = ["", "epochs", "kept", "loss", "NDCG on validation"]
    drawn = figure(lambda charts: charts.training_curves(curves), label, "training", caption)
    return panel("Training", beside(drawn, table(head, rows, label="Training")), wide=True)


def _front(inputs: ReportInputs) -> Markup:
    title = "What explainability costs"
    if not inputs.folder.has(layout.FRONT):
        what = "There is no front: only a hybrid has a part whose weight trades ranking for explainability"
        return panel(title, missing(f"{what}, chosen on a validation part."))
    front = inputs.folder.json(layout.FRONT)
    labels = (
        "NDCG on validation by weight of the collaborative part",
        "Share of recommended items that aspects explain, by weight of the collaborative part",
    )
    drawn = [
        figure(partial(_front_panel, front, at), f"{label}; the table below has the numbers", f"front{at}")
        for at, label in enumerate(labels)
    ]
    head = ["weight", "NDCG on validation", "leave without aspects", "at most three aspects"]
    rows = [
        [
            f"{point['weight']:g}" + (" (chosen)" if point["weight"] == front["weight"] else ""),
            decimal(point["ndcg"], 3),
            share(point["leaving"], 1),
            share(point["short_answers"], 1),
        ]
        for point in front["points"]
    ]
    return panel(
        title,
        paragraph(_price(inputs, front["min_explainable"]), small=True),
        beside(drawn),
        folded("In numbers", table(head, rows, label="The front of weights")),
        wide=True,
    )


def _front_panel(front: Mapping[str, Any], at: int, charts: Any) -> Any:
    return charts.front_panels(front)[at]


OF_EQUALS = "Of weights as good as the best, within a standard error, the one nearest to the usual weight is taken."


def _price(inputs: ReportInputs, limit: float) -> str:
    """What the limit on the weight costs, as training has measured it."""
    said = (
        "The more the collaborative part counts, the fewer recommendations can be explained by aspects. So a weight is "
        f"chosen (dashed) at which at least {share(limit)} of the recommended items leave their lists when all their "
        "aspects are absent."
    )
    price = inputs.counts("fit").get("price_of_limit")
    if price is None:
        return said
    if price <= 0:
        return f"{said} Here that costs nothing: on validation, the best weight is among the allowed ones. {OF_EQUALS}"
    return f"{said} That costs {price:.3f} NDCG on validation, compared with the weight that ranks best. {OF_EQUALS}"
