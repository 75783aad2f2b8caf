"""The methods of the run compared, on every measure and with its number of cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from counterec.report.document.inputs import ReportInputs
from counterec.report.document.numbers import count, measure, share
from counterec.report.document.parts import Cell, Row, Section, folded, missing, panel, paragraph, table
from counterec.wording.markup import element, together

Measures = Sequence[tuple[str, str, str, int]]
"""The group and the name of a measure in the evaluation, its heading, and its digits."""

CHANGE: Measures = (
    ("counterfactual", "aspects", "aspects named", 2),
    ("counterfactual", "complexity", "complexity", 2),
    ("counterfactual", "strength", "strength", 2),
)
MODEL: Measures = (("model", "pn", "PN", 3), ("model", "ps", "PS", 3), ("model", "f_ns", "F_NS", 3))
USER: Measures = (("user", "precision", "precision", 3), ("user", "recall", "recall", 3), ("user", "f1", "F1", 3))
MEANINGS = {
    "explained": "share of recommendations for which a change was found that takes the item off the list",
    "aspects named": "how many aspects an explanation names",
    "complexity": "how large its change is: the length of the change plus the number of aspects",
    "strength": "by how much the score drops",
    "PN": "share of explanations whose aspects are necessary: if no item had them, the item would leave the list",
    "PS": "share of explanations whose aspects are sufficient: with nothing else, the item would stay",
    "F_NS": "the harmonic mean of PN and PS",
    "precision, recall, F1": "how well the named aspects agree with what the user praised in the held-out review",
}


def methods_section(inputs: ReportInputs) -> Section:
    """The section."""
    found: Mapping[str, Any] = inputs.evaluation.get("explanations", {})
    title = "Methods compared"
    if not found:
        return Section("methods", title, missing("The explanations of this run were not measured yet."))
    measures = [*CHANGE, *MODEL, *(USER if all("user" in sides for sides in found.values()) else ())]
    head = ["method", "explained", *(heading for _, _, heading, _ in measures)]
    rows: list[Row] = [[method, _fidelity(sides), *_cells(sides, measures)] for method, sides in found.items()]
    shown = table(head, rows, label="Methods compared")
    meanings = [element("div", element("dt", name), element("dd", said)) for name, said in MEANINGS.items()]
    gap = None
    if len(measures) < len(CHANGE) + len(MODEL) + len(USER):
        gap = missing("What users praise was not compared with: no reviews were held out.")
    body = together(
        panel("On the lists of this run", shown, paragraph(_note(inputs), small=True), gap, wide=True),
        folded("What the measures mean", element("dl", meanings, class_="legend")),
    )
    return Section("methods", title, body)


def _note(inputs: ReportInputs) -> str:
    cases = "With each number its cases, save where they are those of the number to the left."
    silence = " “+”: explained only by supposing that nobody has reviewed an aspect; the other numbers leave these out."
    beyond = "" if inputs.imported else silence
    return f"Protocol {inputs.evaluation['protocol']}. {cases}{beyond}"


def _fidelity(sides: Mapping[str, Any]) -> Cell:
    found = sides["counterfactual"]["fidelity"]
    beyond = sides.get("unreviewed", {}).get("counterfactual", {}).get("fidelity")
    more = f" + {share(beyond['value'], 1)}" if beyond and beyond.get("value") else ""
    return Cell(f"{share(found['value'], 1)}{more}", f"of {count(found['cases'])}")


def _cells(sides: Mapping[str, Any], measures: Measures) -> list[Cell]:
    cells, before = [], None
    for side, name, _, digits in measures:
        found = sides[side][name]
        aside = f"of {count(found['cases'])}" if found["cases"] != before else ""
        cells.append(Cell(measure(found, digits), aside))
        before = found["cases"]
    return cells
