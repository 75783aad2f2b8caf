"""What the report found, in a few sentences before all else: what decides, how good, how firm, what is missing."""

from __future__ import annotations

from collections.abc import Iterator

from counterec.report.document.inputs import ReportInputs
from counterec.report.html import count, decimal, share
from counterec.report.overview import Outcomes, decisive_aspects
from counterec.wording.markup import Child, Markup, element, isolated

MOST = 3
"""How many aspects are named."""


def findings(inputs: ReportInputs, found: Outcomes) -> Markup:
    """The findings as a list; each is left out where the run does not have it."""
    said = [*_deciding(inputs), *_quality(inputs), *_firmness(inputs), *_missed(inputs, found)]
    return element("ul", [element("li", *parts) for parts in said], class_="findings", aria_label="In short")


def _deciding(inputs: ReportInputs) -> Iterator[tuple[Child, ...]]:
    """Which aspects decide most often."""
    assert inputs.cases is not None
    named = decisive_aspects(inputs.cases).head(MOST)
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
