"""Ten explanations in full: list, sentence, before and after, marks, and the review sentences behind them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from counterec.core.explainers.answer_row import EXPLAINED
from counterec.pipeline.evidence import COUNTED, review_sentences
from counterec.report.document.inputs import ReportInputs
from counterec.report.html import Section, folded, missing, paragraph
from counterec.report.user_list import user_list
from counterec.wording import Change, legend
from counterec.wording.markup import Markup, element, isolated, together
from counterec.wording.record_html import answer_html

EXAMPLES = 10
SENTENCES = 3
"""How many review sentences are shown of each aspect."""
LONGEST = 400
"""A longer sentence is cut."""
BELOW = 2
"""How many items below the list are shown."""
SIGNS = {1: ("+", "praise"), -1: ("−", "complaint")}


def examples_section(inputs: ReportInputs) -> Section:
    """The section."""
    title = "Ten explanations"
    cases = inputs.cases
    if cases is None:
        return Section("examples", title, missing("Nothing is explained in this run yet.", "Go on with counterec run."))
    chosen = example_cases(cases)
    if not len(chosen):
        return Section("examples", title, missing("No recommendation of this run could be explained; see below why."))
    intro = (
        f"By the method {inputs.methods[0]}. Spread evenly over users and positions of the list, and not picked by how "
        "well they turned out. Each change was made in the model, and the item scored again."
    )
    if inputs.privacy.shows_text and not inputs.imported:
        intro += " Which review sentences speak of an aspect, and whether for (+) or against it (−), a program decided."
    shown = [_example(inputs, row, number) for number, row in enumerate(chosen.to_dicts(), start=1)]
    return Section("examples", title, together(paragraph(intro), _legend(inputs), shown))


def example_cases(cases: pl.DataFrame, wanted: int = EXAMPLES) -> pl.DataFrame:
    """Explained cases, spread evenly over users, and over positions in turn.

    The users with an explanation are cut into as many stretches as cases are wanted, and the first user of each gets
    one: of the position whose turn it is, or of the next one that is explained.
    """
    explained = cases.filter(pl.col("status") == EXPLAINED)
    users = explained["user_id"].unique(maintain_order=True)
    places = sorted(explained["position"].unique().to_list())
    if not places:
        return explained
    stretches = min(wanted, len(users))
    rows = []
    for turn in range(stretches):
        own = explained.filter(pl.col("user_id") == users[turn * len(users) // stretches])
        first = places[turn % len(places)]
        rows.append(own.sort((pl.col("position") - first) % (max(places) + 1), maintain_order=True).head(1))
    return pl.concat(rows)


def _example(inputs: ReportInputs, row: Mapping[str, Any], number: int) -> Markup:
    record = inputs.record(row, inputs.methods[0])
    user = inputs.privacy.user(row["user_id"])

    def behind(change: Change) -> Markup | None:
        return _evidence(inputs, row["item_id"], change.aspect)

    listed = user_list(inputs.folder, row["user_id"], BELOW).html(row["item_id"], user)
    answer = answer_html(record, behind)
    heading = element(
        "h3", f"{number}. ", isolated(record.item), element("span", " for ", isolated(user), class_="note")
    )
    return element("article", heading, element("div", listed, answer, class_="example"), class_="panel")


def _evidence(inputs: ReportInputs, item_id: str, aspect: str) -> Markup | None:
    """The first sentences behind a value, and how many there are."""
    if inputs.imported:
        return None
    if not inputs.privacy.shows_text:
        return None
    found = review_sentences(inputs.folder, aspect, item_id=item_id).filter(pl.col("part").is_in(COUNTED))
    texts = found.drop_nulls("words").unique(["user_id", "words"], keep="first", maintain_order=True)
    if not len(texts):
        return (
            missing(f"There are no review sentences about {aspect}: the source brought no texts.")
            if len(found)
            else None
        )
    quotes = [_quote(row) for row in texts.head(SENTENCES).to_dicts()]
    more = len(texts) - len(quotes)
    title = together("What reviews say about its ", isolated(aspect), f" ({len(texts)})")
    rest = paragraph(f"and {more} more", small=True) if more else None
    return element("div", element("h4", title), element("ul", quotes, class_="quotes"), rest)


def _quote(row: Mapping[str, Any]) -> Markup:
    sign, meaning = SIGNS[row["sentiment"]]
    words = row["words"].strip()
    cut = words if len(words) <= LONGEST else words[:LONGEST].rstrip() + " …"
    mark = element("span", sign, class_=f"sign {meaning}", title=meaning, role="img", aria_label=meaning)
    return element("li", mark, " ", element("q", cut, dir="auto"))


def _legend(inputs: ReportInputs) -> Markup:
    facts = inputs.folder.space.schema is not None
    marks = legend(facts=facts)
    rows = [
        element("div", element("dt", mark.label, class_=f"ce-mark ce-{mark.tone}"), element("dd", mark.meaning))
        for mark in marks
    ]
    return folded("What the marks mean", element("dl", rows, class_="legend"))
