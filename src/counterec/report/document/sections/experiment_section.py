"""The paper's tables, figures and claims for this run, where an experiment has measured them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from counterec.pipeline import layout
from counterec.report.document.inputs import ReportInputs
from counterec.report.experiment_report import REPORT, TABLES
from counterec.report.html import Section, count, folded, inline_svg, missing, paragraph, table
from counterec.report.table import ShownTable
from counterec.wording.markup import Markup, element, together

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
