"""Tables that several commands print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from counterec.wording import Change

MEASURES = {
    "counterfactual": (
        ("aspects", "aspects", "{:.2f}"),
        ("complexity", "complexity", "{:.2f}"),
        ("strength", "strength", "{:.2f}"),
    ),
    "model": (("PN", "pn", "{:.3f}"), ("PS", "ps", "{:.3f}"), ("F_NS", "f_ns", "{:.3f}")),
    "user": (("precision", "precision", "{:.3f}"), ("recall", "recall", "{:.3f}"), ("F1", "f1", "{:.3f}")),
}
"""The measures of an evaluation that are shown: heading, name in the file, number format."""
CASES = {"counterfactual": "explained", "model": "explained", "user": "praised in test"}
"""What the cases of each group of measures are."""


def ranking_table(evaluation: dict[str, Any]) -> Table:
    """How good the lists are, compared with popularity."""
    k, ranking = evaluation["k"], evaluation["ranking"]
    cases = ranking["recommender"]["ndcg"]["cases"]
    title = f"Lists · protocol {evaluation['protocol']} · {cases:,} users"
    table = Table("", f"NDCG@{k}", f"recall@{k}", f"hit rate@{k}", title=title, title_justify="left")
    for who in ("recommender", "popularity"):
        table.add_row(who, *(_with_interval(ranking[who][name]) for name in ("ndcg", "recall", "hit_rate")))
    return table


def explanations_table(evaluation: dict[str, Any]) -> Table:
    """How good the explanations are: one column per method, and under each group its number of cases."""
    found = evaluation["explanations"]
    table = Table("", title=f"Explanations · protocol {evaluation['protocol']}", title_justify="left")
    for method in found:
        table.add_column(method, justify="right")
    fidelity = [sides["counterfactual"]["fidelity"] for sides in found.values()]
    table.add_row("fidelity", *(_value(measure, "{:.1%}") for measure in fidelity))
    _add_cases(table, "pairs", fidelity)
    for side, measures in MEASURES.items():
        for heading, name, form in measures:
            table.add_row(heading, *(_value(sides[side][name], form) for sides in found.values()))
        _add_cases(table, CASES[side], [sides[side][measures[0][1]] for sides in found.values()])
        if side == "model":
            _add_transfer(table, [sides.get("elsewhere", {}) for sides in found.values()])
    return table


def _add_transfer(table: Table, methods: list[dict[str, Any]]) -> None:
    """Add PN and PS under conditions other than those a method selects its answers on."""
    for condition in dict.fromkeys(condition for method in methods for condition in method):
        measured = [method.get(condition) for method in methods]
        shown = [f"{_value(m['pn'], '{:.3f}')} / {_value(m['ps'], '{:.3f}')}" if m else "" for m in measured]
        cases = [f"{m['pn']['cases']:,}" if m else "" for m in measured]
        table.add_row(f"PN / PS, {condition}", *shown)
        table.add_row("  in that list", *cases, style="dim", end_section=True)


def _add_cases(table: Table, what: str, measures: list[dict[str, Any]]) -> None:
    table.add_row(f"  {what}", *(f"{measure['cases']:,}" for measure in measures), style="dim", end_section=True)


def _value(measure: dict[str, Any], form: str) -> str:
    return "–" if measure["value"] is None else form.format(measure["value"])


def _with_interval(measure: dict[str, Any]) -> str:
    if measure["value"] is None:
        return "–"
    low, high = measure["interval"]
    return f"{measure['value']:.3f} [dim]({low:.3f}–{high:.3f})[/dim]"


def changes_table(changes: Sequence[Change]) -> Table:
    """Changes as a table: aspect, before, after."""
    table = table_of_texts("aspect", "before", "after")
    for change in changes:
        before, after = change.shown(digits=2)
        table.add_row(Text(change.aspect), "absent" if change.added else before, "absent" if change.removed else after)
    return table


def table_of_texts(*headings: str, **options: Any) -> Table:
    """Return an empty table for texts from the data: long ones are folded, none is cut off."""
    table = Table(**options)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table
