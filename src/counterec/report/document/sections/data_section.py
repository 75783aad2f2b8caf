"""What the data is: counts, where it comes from, how it was divided, and what its aspects are."""

from __future__ import annotations

import numpy as np

from counterec.core.attributes import Attribute
from counterec.core.opinions import Opinions
from counterec.report.document.inputs import ReportInputs
from counterec.report.html import Section, count, figure, folded, grid, missing, panel, paragraph, share, stacked, table
from counterec.wording.markup import Markup, together

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
