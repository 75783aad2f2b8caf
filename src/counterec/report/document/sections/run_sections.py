"""Sections on the run itself: its data, its recommender beside popularity, its experiment, and how it was made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from counterec.core.attributes import Attribute
from counterec.core.opinions import Opinions
from counterec.pipeline import layout
from counterec.pipeline.evidence import ENOUGH_REVIEWS, WHAT_HELPS, warn_of_single_opinions
from counterec.pipeline.manifest import SOURCE
from counterec.report.document.inputs import ReportInputs
from counterec.report.experiment_report import REPORT, TABLES
from counterec.report.html import (
    Cell,
    Row,
    Section,
    beside,
    count,
    decimal,
    figure,
    folded,
    grid,
    inline_svg,
    interval,
    measure,
    missing,
    panel,
    paragraph,
    seconds,
    share,
    stacked,
    table,
)
from counterec.report.table import ShownTable
from counterec.wording.markup import Markup, element, together

MOST_ASPECTS = 15
"""How many aspects a chart shows."""
COUNTED = ("users", "items", "reviews", "aspects")


def data_section(inputs: ReportInputs) -> Section:
    """The section."""
    body = together(
        paragraph(_source(inputs)),
        grid(stacked(_statistics(inputs), _division(inputs)), _aspects(inputs)),
        _problems(inputs),
    )
    return Section("data", "The data", body)


def _source(inputs: ReportInputs) -> str:
    data, dataset = inputs.folder.config.data, inputs.folder.config.dataset
    if inputs.imported:
        return "Users and items came as tables, with attributes of their own; there are no reviews."
    if dataset is not None:
        return f"Reviews of the dataset {dataset.name}."
    if data.sources:
        names = ", ".join(path.name for path in data.sources)
        return f"Reviews from {names}."
    return "The built-in world: phones that do not exist, and reviews that were generated for them."


def _statistics(inputs: ReportInputs) -> Markup:
    found, dataset = inputs.folder.statistics, inputs.folder.config.dataset
    words = {"reviews": "items seen", "aspects": "attributes"} if inputs.imported else {}
    head = ["", *(words.get(name, name) for name in COUNTED), "density"]
    rows = [["this run", *(count(found[name]) for name in COUNTED), share(found["density"], 2)]]
    if dataset is not None and dataset.statistics is not None:
        expected = vars(dataset.statistics)
        rows.append(["as published", *(count(expected[name]) for name in COUNTED), share(expected["density"], 2)])
    note = "Density: the share of all pairs of a user and an item that have a review."
    return panel("How much", table(head, rows, label="Counts of the data"), paragraph(note, small=True))


def _division(inputs: ReportInputs) -> Markup:
    parts = inputs.folder.split["part"].value_counts()
    counts = dict(parts.iter_rows())
    if inputs.imported or not counts:
        return panel(
            "How it was divided",
            missing("Nothing is held out of an import: the model was trained elsewhere, and is taken as it is."),
        )
    meanings = {
        "train": "the model, and what it knows of users and items, are made from these",
        "validation": "settings are chosen on these",
        "test": "held out: the last reviews of each user, for measuring",
    }
    rows = [[part, meaning, count(counts.get(part, 0))] for part, meaning in meanings.items()]
    shown = table(["part", "use", "reviews"], rows, label="Parts of the data", texts=2)
    return panel("How it was divided", shown)


def _aspects(inputs: ReportInputs) -> Markup:
    space = inputs.folder.space
    if space.schema is not None:
        return _attributes(space.schema.attributes)
    if space.opinions is None:
        said = "It is not known what stands behind the aspects of this run: no opinions are counted."
        return panel("What people speak of", missing(said))
    praises, complaints = _opinions_of_items(space.opinions)
    order = np.lexsort((np.arange(len(praises)), -(praises + complaints))).tolist()
    rows = [(space.aspects.texts[at], int(praises[at]), int(complaints[at])) for at in order]
    shown, spoken = rows[:MOST_ASPECTS], sum(one + other for _, one, other in rows)

    label = "Opinions by aspect, praise and complaint: " + "; ".join(f"{a} {p} and {c}" for a, p, c in shown)
    numbers = table(
        ["aspect", "praise", "complaint", "share of praise"],
        [[aspect, count(one), count(other), share(one / max(1, one + other))] for aspect, one, other in rows],
        label="Opinions by aspect",
    )
    caption = f"The {len(shown)} of {count(len(rows))} aspects that people speak of most, in {count(spoken)} opinions."
    return panel(
        "What people speak of",
        figure(lambda charts: charts.praise_bars(shown, "opinions"), label, "aspects", caption),
        folded("All aspects in numbers", numbers),
    )


def _opinions_of_items(opinions: Opinions) -> tuple[np.ndarray, np.ndarray]:
    return opinions.item_praises.sum(axis=0), opinions.item_complaints.sum(axis=0)


def _attributes(attributes: tuple[Attribute, ...]) -> Markup:
    rows = [[one.name, one.kind.replace("_", " or "), _range(one), _worse(one), _may_change(one)] for one in attributes]
    head = ["attribute", "kind", "values", "which end is worse", "may change"]
    return panel("The attributes of items", table(head, rows, label="Attributes of items", texts=5))


def _range(attribute: Attribute) -> str:
    if attribute.kind == "category":
        shown = ", ".join(attribute.values[:8])
        return shown if len(attribute.values) <= 8 else f"{shown} and {len(attribute.values) - 8} more"
    if attribute.kind == "yes_no":
        return "yes, no"
    low, high = attribute.ends
    return " ".join(part for part in (f"{low:g} to {high:g}", attribute.unit) if part)


def _worse(attribute: Attribute) -> str:
    return {"low": "low", "high": "high"}.get(attribute.worse or "", "neither")


def _may_change(attribute: Attribute) -> str:
    if attribute.kept:
        return "no"
    return "follows from others" if attribute.derived else "yes"


def _problems(inputs: ReportInputs) -> Markup | None:
    """What was found wrong with the source: counts and what was done, never the values themselves."""
    found = inputs.counts("read").get("problems") or {}
    dropped = inputs.counts("read").get("users_dropped") or 0
    rows = [[name, note["done"], count(note["count"])] for name, note in found.items()]
    if dropped:
        rows.append(["users with too few reviews", "left out", count(dropped)])
    if not rows:
        return None
    return folded("What was left out or mended", table(["found", "done", "how often"], rows, label="Problems", texts=2))


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
        said.append(f"{count(lists['different_items'])} of {count(lists['items'])} items are recommended to somebody.")
    if (short := lists.get("short_reasons")) is not None:
        one, two, three = (share(short[most]["value"]) for most in ("1", "2", "3"))
        said.append(
            f"{one} leave their list with one of their {what} at a worse value, {two} with two, {three} with three."
        )
    if (led := lists.get("led_by_history")) is not None:
        said.append(f"For {share(led['value'])}, what the user reviewed before counts for more than their {what}.")
    return together(paragraph(" ".join(said)) if said else together(), *_thin_data(inputs))


def _thin_data(inputs: ReportInputs) -> Iterator[Markup]:
    """Warn of too few reviews for reasons to mean much."""
    lists = inputs.evaluation.get("lists", {})
    median, single = lists.get("reviews_per_item"), lists.get("single_opinions", {}).get("value")
    if median is not None and median < ENOUGH_REVIEWS:
        yield paragraph(f"There are few reviews per item (median {median:g}); to help, {WHAT_HELPS}.")
    if warning := warn_of_single_opinions(single):
        yield paragraph(f"{warning}.")


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


NO_WORD = re.compile(r"\W+")
TITLES = {
    "figure2a-lambda": "Figure 2 (a): F1 by both denominators, complexity and fidelity against λ",
    "figure2b-lambda": "Figure 2 (b): strength and F_NS by both denominators against λ",
    "figure2-alpha": "F1 and F_NS by both denominators, and fidelity against α",
    "figure2c-position": "Figure 2 (c): complexity, strength and number of aspects by position",
    "figure2d-f1": "Figure 2 (d): F1 against complexity and strength",
    "figure2e-verdicts": "Figure 2 (e): answers that are necessary and sufficient, and the rest",
    "aspects-f_ns": "F_NS against the number of aspects",
}


def experiment_section(inputs: ReportInputs) -> Section:
    """The section."""
    stages = [name for name in inputs.folder.manifest.finished if name.endswith(REPORT)]
    title = "The paper's tables and figures"
    if not stages:
        advice = "“counterec experiment RUN” measures them."
        return Section("experiment", title, missing("They were not computed for this run.", advice))
    return Section("experiment", title, together(*(_protocol(inputs, stage) for stage in stages)))


def _protocol(inputs: ReportInputs, stage: str) -> Markup:
    folder = stage.removesuffix(REPORT).replace(" ", "/")
    *quick, model, protocol = folder.split("/")
    place = f"{layout.EXPERIMENT}{folder}/"
    called = f"protocol {protocol}, model {model}" + (", quick" if quick else "")
    files = [name for name in inputs.folder.manifest.finished[stage].outputs if name.startswith(place)]
    tables = [_table(ShownTable.from_dict(values)) for values in inputs.folder.json(f"{place}{TABLES}")]
    figures = [_figure(inputs, name, called) for name in _ordered(files)]
    claims = _claims(inputs.folder.json(f"{place}claims.json"))
    drawn = figures or [missing("No figures were drawn: Altair and vl-convert-python were not installed.")]
    heading = element("h3", called.capitalize())
    return element("div", heading, claims, tables, drawn, class_="panel wide")


def _ordered(files: list[str]) -> list[str]:
    """The figures, those of the paper first."""
    drawn = {name.rsplit("/", 1)[1].removesuffix(".svg"): name for name in files if name.endswith(".svg")}
    return [drawn[name] for name in [*(known for known in TITLES if known in drawn), *sorted(drawn.keys() - TITLES)]]


def _table(found: ShownTable) -> Markup:
    shown = table(found.head, found.rows, label=found.title, texts=found.words)
    return folded(found.title, shown, element("ul", [element("li", note) for note in found.notes], class_="note"))


def _figure(inputs: ReportInputs, file: str, called: str) -> Markup:
    name = file.rsplit("/", 1)[1].removesuffix(".svg")
    title = TITLES.get(name, name)
    svg = inputs.folder.file(file).read_text(encoding="utf-8")
    shown = inline_svg(svg, f"{title}, {called}", f"{re.sub(NO_WORD, '-', called)}-{name}")
    frame = element("div", shown, class_="scroll", role="group", aria_label=title, tabindex=0)
    return folded(title, element("figure", frame))


def _claims(claims: list[Mapping[str, Any]]) -> Markup:
    rows = [[claim["text"], claim["where"], claim["verdict"], count(claim["cases"])] for claim in claims]
    head = ["what the paper says", "where", "here", "cases"]
    note = (
        "A claim holds if the whole 95% interval of every number that it is about lies where the paper has it, and "
        "does not if one lies outside, also when corrected for how many there are; otherwise one cannot tell. "
        "claims.txt in the run folder has every number."
    )
    verdicts = [claim["verdict"] for claim in claims]
    counted = ", ".join(f"{verdicts.count(one)} × {one}" for one in dict.fromkeys(sorted(verdicts)))
    shown = table(head, rows, label="Claims of the paper", texts=3)
    return folded(f"The paper's claims ({counted})", shown, paragraph(note, small=True))


SHOWN_DIGITS = 16
"""How much of a checksum is shown; the manifest has all of it."""


def settings_section(inputs: ReportInputs) -> Section:
    """The section."""
    manifest = inputs.folder.manifest
    ended = [record.ended for record in manifest.finished.values() if record.ended]
    when = f" It was finished on {max(ended)[:10]}." if ended else ""
    seed = f"Everything random was drawn from the seed {inputs.folder.config.seed}.{when}"
    body = together(
        paragraph(seed),
        folded("Settings", _settings(inputs)),
        folded("Versions", table(["package", "version"], list(manifest.made_with.items()), label="Versions", texts=2)),
        folded("Stages", _stages(inputs)),
        folded("Checksums", _checksums(inputs)),
    )
    return Section("settings", "How this was made", body)


def _settings(inputs: ReportInputs) -> Markup:
    """Every setting; a path is only a name."""
    rows = [[name, shown] for name, shown in _flat(inputs.folder.config.model_dump(exclude_none=True))]
    return table(["setting", "value"], rows, label="Settings", texts=2)


def _flat(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in settings.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, _shown(value)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple, dict)):
        return ", ".join(map(_shown, value)) or "–"
    return value.name if isinstance(value, Path) else str(value)


def _stages(inputs: ReportInputs) -> Markup:
    rows = [[name, seconds(record.seconds)] for name, record in inputs.folder.manifest.finished.items()]
    return table(["stage", "time"], rows, label="Stages")


def _checksums(inputs: ReportInputs) -> Markup:
    """The beginning of the SHA-256 of every file that was read or written."""
    records = inputs.folder.manifest.finished.values()
    sources = {name: sha for record in records for name, sha in record.inputs.items() if name.startswith(SOURCE)}
    read = {f"{name.partition(': ')[2]} (source)": sha for name, sha in sources.items()}
    written = {name: sha for record in records for name, sha in record.outputs.items()}
    rows = [[name, element("code", sha[:SHOWN_DIGITS])] for name, sha in {**read, **written}.items()]
    note = f"The first {SHOWN_DIGITS} digits of each SHA-256; manifest.json has them in full."
    return together(table(["file", "SHA-256"], rows, label="Checksums", texts=2), paragraph(note, small=True))
