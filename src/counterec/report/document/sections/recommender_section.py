"""How good the recommender is, beside popularity; how it was trained; and what explainability costs."""

from __future__ import annotations

from counterec.pipeline import layout
from counterec.report.document.inputs import ReportInputs
from counterec.report.html import (
    Cell,
    Row,
    Section,
    beside,
    count,
    decimal,
    figure,
    interval,
    measure,
    missing,
    panel,
    paragraph,
    share,
    table,
)
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
        together(paragraph(_kind(inputs)), _quality(inputs), _training(inputs), _weights(inputs)),
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


def _weights(inputs: ReportInputs) -> Markup:
    """Tabulate the weights of the collaborative part that were tried, and what each is worth on validation."""
    title = "How much history counts"
    described = inputs.folder.json(layout.MODEL_DESCRIPTION)
    if "weights" not in described:
        return panel(title, missing("Only a hybrid has a collaborative part whose weight is chosen on validation."))
    head = ["weight", "NDCG on validation", "1 aspect", "up to 2", "up to 3"]
    rows = [
        [
            f"{tried['weight']:g}" + (" (chosen)" if tried["weight"] == described["weight"] else ""),
            decimal(tried["ndcg"], 4),
            *(share(part, 0) for part in tried["short"] or (None, None, None)),
        ]
        for tried in described["weights"]
    ]
    return panel(title, paragraph(HOW_CHOSEN, small=True), table(head, rows, label="Weights that were tried"))


HOW_CHOSEN = (
    "The collaborative part adds what similar users reviewed, whatever an item's aspects are. The more it counts, the "
    "fewer recommendations rest on a few aspects. Among the weights whose NDCG is within one standard error of the "
    "best, the one is chosen with which most recommended items leave their list with at most three aspects."
)
