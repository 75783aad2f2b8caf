"""What could not be explained, and why; and what was explained only by going further."""

from __future__ import annotations

import polars as pl

from counterec.core.explainers.answer_row import EXPLAINED, UNREVIEWED
from counterec.report.document.inputs import ReportInputs
from counterec.report.html import Section, count, missing, panel, paragraph, share, table
from counterec.report.overview import statuses
from counterec.wording import legend, sentence
from counterec.wording.markup import Markup, element, isolated, together

EXAMPLES = 3
"""How many sentences are shown of each method's misses."""


def unexplained_section(inputs: ReportInputs) -> Section:
    """The section."""
    title = "What could not be explained"
    if not inputs.methods:
        return Section(
            "unexplained", title, missing("Nothing is explained in this run yet.", "Go on with counterec run.")
        )
    tables = {method: inputs.folder.explanations_table(method) for method in inputs.methods}
    rows = [row for method, found in tables.items() for row in _rows(inputs, method, found)]
    head = ["method", "what became of it", "why", "recommendations", "share"]
    body = together(
        paragraph("Every recommendation was asked about; what has no explanation has a reason."),
        panel("By method", table(head, rows, label="Outcomes by method", texts=3), wide=True) if rows else None,
        paragraph(_in_full(tables)),
        _examples(inputs, tables),
    )
    return Section("unexplained", title, body)


def _in_full(tables: dict[str, pl.DataFrame]) -> str:
    """Which methods have an explanation for everything."""
    full = [method for method, found in tables.items() if (found["status"] == EXPLAINED).all()]
    return f"Nothing was left without an explanation by {', '.join(full)}." if full else ""


def _rows(inputs: ReportInputs, method: str, found: pl.DataFrame) -> list[list[str]]:
    marks = {mark.name: mark for mark in legend(facts=inputs.folder.space.schema is not None)}
    beyond = len(found.filter(pl.col("status") == EXPLAINED, pl.col("values") == UNREVIEWED))
    rows = []
    for status, number, part in statuses(found).iter_rows():
        if status != EXPLAINED:
            rows.append([method, marks[status].label, marks[status].meaning, count(number), share(part, 1)])
        elif beyond:
            label, meaning = f"explained only {marks['unreviewed'].label}", marks["unreviewed"].meaning
            rows.append([method, label, meaning, count(beyond), share(beyond / len(found), 1)])
    return rows


def _examples(inputs: ReportInputs, tables: dict[str, pl.DataFrame]) -> Markup:
    """A few sentences about misses of the first method that has any."""
    for method, found in tables.items():
        missed = found.filter(pl.col("status") != EXPLAINED).unique("user_id", keep="first", maintain_order=True)
        if not len(missed):
            continue
        rows = missed.head(EXAMPLES).to_dicts()
        said = [
            element(
                "li",
                isolated(inputs.privacy.user(row["user_id"])),
                ": ",
                sentence(inputs.record(row, method)),
            )
            for row in rows
        ]
        return panel(f"A few of them, by {method}", element("ul", said, class_="quotes"), wide=True)
    return together()
