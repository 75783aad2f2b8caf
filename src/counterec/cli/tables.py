"""Tables that several commands print."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from counterec.pipeline.manifest import Manifest
    from counterec.wording import Change

COUNTED = ("users", "items", "reviews", "aspects")
"""What the statistics of a run count."""

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
RECOMMENDERS = {
    "recommender": "recommender",
    "popularity": "popularity",
    "popularity_with_others": "popularity, with the reviews of users left out",
}
"""What the lists are compared with: name in the file → in the table."""
NOTHING_HELD_OUT = "Nothing was held out: how well the lists and the named aspects fit later reviews was not measured."
"""What replaces that table where nothing was measured."""

UNLIMITED = 10_000
"""A line in which every table fits: a measure is cut to the line that it is taken in."""


@dataclass(frozen=True)
class FittingTable:
    """A table that is cut into several, one above the other, where its columns do not fit into a line."""

    build: Callable[[Sequence[str]], Table]
    """Makes the table of some of the columns."""
    columns: Sequence[str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw all columns, or each half by itself."""
        whole, half = self.build(self.columns), (len(self.columns) + 1) // 2
        needed = Measurement.get(console, options.update_width(UNLIMITED), whole).minimum
        if half == len(self.columns) or needed <= options.max_width:
            yield whole
            return
        for some in (self.columns[:half], self.columns[half:]):
            yield FittingTable(self.build, some)


def ranking_table(evaluation: dict[str, Any]) -> RenderableType:
    """How good the lists are, compared with popularity; where nothing was held out, that it was not measured."""
    k, ranking = evaluation["k"], evaluation.get("ranking")
    if ranking is None:
        return Text(NOTHING_HELD_OUT)
    cases = ranking["recommender"]["ndcg"]["cases"]
    title = f"Lists · protocol {evaluation['protocol']} · {cases:,} users"
    headings = {"ndcg": f"NDCG@{k}", "recall": f"recall@{k}", "hit_rate": f"hit rate@{k}"}

    def build(measures: Sequence[str]) -> Table:
        table = Table("", *(headings[name] for name in measures), title=title, title_justify="left")
        for who, shown in RECOMMENDERS.items():
            if who in ranking:
                cells = (_with_interval(ranking[who][name]) for name in measures)
                table.add_row(shown, *cells)
        return table

    lines = [Text(line, style="dim italic") for line in _say_lists(evaluation["lists"])]
    return Group(FittingTable(build, tuple(headings)), *lines)


def _say_lists(lists: dict[str, Any]) -> Iterator[str]:
    """Say how many items are recommended, how few aspects take them off, and how often history leads."""
    yield f"{lists['different_items']:,} of {lists['items']:,} items are recommended to somebody."
    if short := lists.get("short_reasons"):
        one, two, three = (f"{short[most]['value']:.1%}" for most in ("1", "2", "3"))
        yield (
            f"{one} of the recommended items leave their list with one aspect at a worse value, {two} with two, "
            f"{three} with three."
        )
    if led := lists.get("led_by_history"):
        share = f"{led['value']:.1%}"
        yield f"For {share} of the recommended items, what the user reviewed before counts for more than their aspects."


def explanations_table(evaluation: dict[str, Any]) -> RenderableType:
    """How good the explanations are: one column per method, and under each group its number of cases."""
    found, title = evaluation["explanations"], f"Explanations · protocol {evaluation['protocol']}"

    def build(methods: Sequence[str]) -> Table:
        return _methods_table({method: found[method] for method in methods}, title)

    return FittingTable(build, tuple(found))


def _methods_table(found: dict[str, Any], title: str) -> Table:
    table = Table("", title=title, title_justify="left")
    for method in found:
        table.add_column(method, justify="right")
    fidelity = [sides["counterfactual"]["fidelity"] for sides in found.values()]
    table.add_row("fidelity", *(_value(measure, "{:.1%}") for measure in fidelity))
    unreviewed = [sides.get("unreviewed", {}).get("counterfactual", {}).get("fidelity") for sides in found.values()]
    if any(unreviewed):  # another kind of answer: its other measures are in the file alone
        shown = ("" if measure is None else _value(measure, "{:.1%}") for measure in unreviewed)
        table.add_row("+ unreviewed", *shown)
    _add_cases(table, "pairs", fidelity)
    for side, measures in MEASURES.items():
        if not all(side in sides for sides in found.values()):  # nothing was held out
            continue
        for heading, name, form in measures:
            table.add_row(heading, *(_value(sides[side][name], form) for sides in found.values()))
        first = measures[0][1]
        _add_cases(table, CASES[side], [sides[side][first] for sides in found.values()])
        if side == "model":
            _add_robustness(table, [sides.get("robustness") for sides in found.values()])
            _add_transfer(table, [sides.get("elsewhere", {}) for sides in found.values()])
    return table


def _add_robustness(table: Table, summaries: list[dict[str, Any] | None]) -> None:
    """Add in which share of the nets that agree with the list an explanation holds, where a model has several."""
    if not any(summaries):
        return
    shares = [summary and summary["of_agreeing"] for summary in summaries]
    table.add_row("robustness", *(_value(share, "{:.1%}") if share else "" for share in shares))
    cases = (f"{share['cases']:,}" if share else "" for share in shares)
    table.add_row("  some net agrees", *cases, style="dim", end_section=True)


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


def statistics_json(folder: Path, manifest: Manifest) -> dict[str, Any]:
    """Return the statistics, and under ``expected`` those that a published dataset is said to have."""
    from counterec.pipeline.manifest import statistics

    dataset = manifest.config.get("dataset") or {}
    expected = {"expected": dataset["statistics"]} if dataset.get("statistics") else {}
    return {**statistics(folder, manifest), **expected}


def statistics_table(folder: Path, manifest: Manifest) -> Table:
    """Return the statistics as a table, with a second row for those that a published dataset is said to have."""
    found = statistics_json(folder, manifest)
    if "expected" not in found:
        table = Table(title="Data", title_justify="left")
        rows = [_statistics_cells(found)]
    else:
        name = manifest.config["dataset"]["name"]
        table = Table("", title=Text(f"Data · {name}"), title_justify="left")
        rows = [["this run", *_statistics_cells(found)], ["expected", *_statistics_cells(found["expected"])]]
    for heading in (*COUNTED, "density"):
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(*row)
    return table


def _statistics_cells(numbers: Mapping[str, Any]) -> list[str]:
    return [*(f"{numbers[name]:,}" for name in COUNTED), f"{numbers['density']:.3%}"]


def changes_table(changes: Sequence[Change]) -> Table:
    """Changes as a table: aspect, before, after and, where they are counted, the opinions behind the value before."""
    counted = all(change.opinions is not None for change in changes)
    names = ("aspect", "before", "after", *(("opinions",) if counted else ()))
    table = table_of_texts(*names)
    for change in changes:
        before, after = change.shown(digits=2)
        if change.attribute is not None:
            from counterec.wording.phrases import shown_values

            before, after = shown_values(change)
        opinions = [str(change.opinions)] if counted else []
        table.add_row(
            Text(change.aspect), "absent" if change.added else before, "absent" if change.removed else after, *opinions
        )
    return table


def table_of_texts(*headings: str, **options: Any) -> Table:
    """Return an empty table for texts from the data: long ones are folded, none is cut off."""
    table = Table(**options)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table
