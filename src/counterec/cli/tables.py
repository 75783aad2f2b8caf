"""Tables and sentences for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
from rich.table import Table
from rich.text import Text

from counterec.run import Run
from counterec.wording import Change, sentence

COUNTED = ("users", "items", "reviews", "aspects")


def statistics_table(run: Run) -> Table:
    """The paper's Table 1 for this data; under it what is expected of a published dataset."""
    found, dataset = run.statistics, run.config.dataset
    if not (dataset and dataset.statistics):
        table = Table(title="Data", title_justify="left")
        rows = [_statistics_row(found)]
    else:
        table = Table("", title=Text(f"Data · {dataset.name}"), title_justify="left")
        rows = [["this run", *_statistics_row(found)], ["expected", *_statistics_row(vars(dataset.statistics))]]
    for heading in (*COUNTED, "density"):
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(*row)
    return table


def _statistics_row(numbers: Mapping[str, Any]) -> list[str]:
    return [*(f"{numbers[name]:,}" for name in COUNTED), f"{numbers['density']:.3%}"]


def statistics_json(run: Run) -> dict[str, Any]:
    """The same for machines."""
    dataset = run.config.dataset
    expected = {"expected": vars(dataset.statistics)} if dataset and dataset.statistics else {}
    return {**run.statistics, **expected}


def ranking_table(evaluation: dict[str, Any]) -> Table:
    """How good the lists are, beside popularity."""
    k, ranking = evaluation["k"], evaluation["ranking"]
    cases = ranking["recommender"]["ndcg"]["cases"]
    title = f"Lists · protocol {evaluation['protocol']} · {cases:,} users"
    table = Table("", f"NDCG@{k}", f"recall@{k}", f"hit rate@{k}", title=title, title_justify="left")
    for who in ("recommender", "popularity"):
        table.add_row(who, *(_with_interval(ranking[who][name]) for name in ("ndcg", "recall", "hit_rate")))
    return table


MEASURES = {
    "counterfactual": (
        ("aspects", "aspects", "{:.2f}"),
        ("complexity", "complexity", "{:.2f}"),
        ("strength", "strength", "{:.2f}"),
    ),
    "model": (("PN", "pn", "{:.3f}"), ("PS", "ps", "{:.3f}"), ("F_NS", "f_ns", "{:.3f}")),
    "user": (("precision", "precision", "{:.3f}"), ("recall", "recall", "{:.3f}"), ("F1", "f1", "{:.3f}")),
}
"""What is shown of an evaluation, side by side: heading, name in the file, form."""


def explanations_table(evaluation: dict[str, Any]) -> Table:
    """How good the explanations are, a column a method; under each group the cases it rests on."""
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
            _add_elsewhere(table, [sides.get("elsewhere", {}) for sides in found.values()])
    return table


def _add_elsewhere(table: Table, methods: list[dict[str, Any]]) -> None:
    """PN and PS of the methods that select on them, on ground that they were not selected on."""
    for ground in dict.fromkeys(ground for method in methods for ground in method):
        measured = [method.get(ground) for method in methods]
        shown = [f"{_value(m['pn'], '{:.3f}')} / {_value(m['ps'], '{:.3f}')}" if m else "" for m in measured]
        cases = [f"{m['pn']['cases']:,}" if m else "" for m in measured]
        table.add_row(f"PN / PS, {ground}", *shown)
        table.add_row("  in that list", *cases, style="dim", end_section=True)


CASES = {"counterfactual": "explained", "model": "explained", "user": "praised in test"}


def _add_cases(table: Table, what: str, measures: list[dict[str, Any]]) -> None:
    table.add_row(f"  {what}", *(f"{measure['cases']:,}" for measure in measures), style="dim", end_section=True)


def _value(measure: dict[str, Any], form: str) -> str:
    return "–" if measure["value"] is None else form.format(measure["value"])


def _with_interval(measure: dict[str, Any]) -> str:
    if measure["value"] is None:
        return "–"
    low, high = measure["interval"]
    return f"{measure['value']:.3f} [dim]({low:.3f}–{high:.3f})[/dim]"


def sentence_of(run: Run, row: dict[str, Any], language: str = "en") -> str:
    """What a row of an explanations table says."""
    return sentence(run.record(row), language)


def list_table(run: Run, user_id: str) -> Table:
    """A user's list with scores, and the first item below it."""
    table = _table_of_texts("", "item", "id", "score", title=Text(f"The list of {user_id}"), title_justify="left")
    lists, space = run.recommendations, run.space
    (row,) = (lists.users == space.users.number(user_id)).nonzero()[0]
    for position, (item, score) in enumerate(zip(lists.items[row], lists.scores[row], strict=True), start=1):
        if item < 0:
            continue
        item_id = space.items.texts[item]
        style = "dim" if position > lists.k else ""
        place = str(position) if position <= lists.k else "below"
        table.add_row(place, Text(run.item_name(item_id)), Text(item_id), f"{score:.4f}", style=style)
    return table


def _table_of_texts(*headings: str, **options: Any) -> Table:
    """A table whose texts come from the data: a long one is folded, none is cut off."""
    table = Table(**options)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def changes_table(changes: Sequence[Change]) -> Table:
    """Changes as a table: aspect, before, after."""
    table = _table_of_texts("aspect", "before", "after")
    for change in changes:
        before, after = change.shown(digits=2)
        table.add_row(Text(change.aspect), "absent" if change.added else before, "absent" if change.removed else after)
    return table


def example_rows(run: Run, method: str, count: int) -> list[dict[str, Any]]:
    """Explained rows of different users, spread evenly over the run."""
    explained = run.explanations_table(method).filter(pl.col("status") == "explained")
    first = explained.unique("user_id", keep="first", maintain_order=True)
    step = max(1, len(first) // count)
    return first[::step].head(count).to_dicts()
