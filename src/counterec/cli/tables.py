"""Tables that several commands print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from counterec.wording import Catalogue, Change

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
CASES = {"counterfactual": "explained", "model": "explained", "user": "praised_in_test"}
"""What the cases of each group of measures are."""


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


def ranking_table(evaluation: dict[str, Any], language: str = "en") -> RenderableType:
    """How good the lists are, compared with popularity; where nothing was held out, that it was not measured."""
    words, k, ranking = _words(language), evaluation["k"], evaluation.get("ranking")
    if ranking is None:
        return Text(words.say("heading.nothing_held_out"))
    cases = ranking["recommender"]["ndcg"]["cases"]
    title = words.say("heading.lists", protocol=evaluation["protocol"], users=f"{cases:,}")
    headings = {
        "ndcg": f"NDCG@{k}",
        "recall": words.say("heading.recall_at", k=k),
        "hit_rate": words.say("heading.hit_rate_at", k=k),
    }

    def build(measures: Sequence[str]) -> Table:
        table = Table("", *(headings[name] for name in measures), title=title, title_justify="left")
        for who in ("recommender", "popularity", "popularity_with_others"):
            if who in ranking:
                cells = (_with_interval(ranking[who][name]) for name in measures)
                table.add_row(words.say(f"heading.{who}"), *cells)
        return table

    lists, said = evaluation["lists"], []
    said.append(words.say("heading.different_items", count=f"{lists['different_items']:,}", items=f"{lists['items']:,}"))
    if short := lists.get("short_reasons"):
        one, two, three = (f"{short[most]['value']:.1%}" for most in ("1", "2", "3"))
        said.append(words.say("heading.short_reasons", one=one, two=two, three=three))
    if led := lists.get("led_by_history"):
        said.append(words.say("heading.led_by_history", share=f"{led['value']:.1%}"))
    lines = [Text(line, style="dim italic") for line in said]
    return Group(FittingTable(build, tuple(headings)), *lines)


def explanations_table(evaluation: dict[str, Any], language: str = "en") -> RenderableType:
    """How good the explanations are: one column per method, and under each group its number of cases."""
    words, found = _words(language), evaluation["explanations"]
    title = words.say("heading.explanations", protocol=evaluation["protocol"])

    def build(methods: Sequence[str]) -> Table:
        return _methods_table({method: found[method] for method in methods}, title, words)

    return FittingTable(build, tuple(found))


def _methods_table(found: dict[str, Any], title: str, words: Catalogue) -> Table:
    table = Table("", title=title, title_justify="left")
    for method in found:
        table.add_column(method, justify="right")
    fidelity = [sides["counterfactual"]["fidelity"] for sides in found.values()]
    table.add_row(words.say("heading.fidelity"), *(_value(measure, "{:.1%}") for measure in fidelity))
    unreviewed = [sides.get("unreviewed", {}).get("counterfactual", {}).get("fidelity") for sides in found.values()]
    if any(unreviewed):  # another kind of answer: its other measures are in the file alone
        shown = ("" if measure is None else _value(measure, "{:.1%}") for measure in unreviewed)
        table.add_row(words.say("heading.by_unreviewed"), *shown)
    _add_cases(table, words.say("heading.pairs"), fidelity)
    for side, measures in MEASURES.items():
        if not all(side in sides for sides in found.values()):  # nothing was held out
            continue
        for heading, name, form in measures:
            said = words.messages.get(f"heading.{heading}", heading)  # PN, PS and F1 are the same in every language
            table.add_row(said, *(_value(sides[side][name], form) for sides in found.values()))
        first = measures[0][1]
        _add_cases(table, words.say(f"heading.{CASES[side]}"), [sides[side][first] for sides in found.values()])
        if side == "model":
            _add_robustness(table, [sides.get("robustness") for sides in found.values()], words)
            _add_transfer(table, [sides.get("elsewhere", {}) for sides in found.values()], words)
    return table


def _add_robustness(table: Table, summaries: list[dict[str, Any] | None], words: Catalogue) -> None:
    """Add in which share of the nets that agree with the list an explanation holds, where a model has several."""
    if not any(summaries):
        return
    shares = [summary and summary["of_agreeing"] for summary in summaries]
    table.add_row(words.say("heading.robustness"), *(_value(share, "{:.1%}") if share else "" for share in shares))
    counted, cases = words.say("heading.some_net_agrees"), (f"{share['cases']:,}" if share else "" for share in shares)
    table.add_row(f"  {counted}", *cases, style="dim", end_section=True)


def _add_transfer(table: Table, methods: list[dict[str, Any]], words: Catalogue) -> None:
    """Add PN and PS under conditions other than those a method selects its answers on."""
    listed = words.say("heading.in_that_list")
    for condition in dict.fromkeys(condition for method in methods for condition in method):
        measured = [method.get(condition) for method in methods]
        shown = [f"{_value(m['pn'], '{:.3f}')} / {_value(m['ps'], '{:.3f}')}" if m else "" for m in measured]
        cases = [f"{m['pn']['cases']:,}" if m else "" for m in measured]
        table.add_row(f"PN / PS, {condition}", *shown)
        table.add_row(f"  {listed}", *cases, style="dim", end_section=True)


def _add_cases(table: Table, what: str, measures: list[dict[str, Any]]) -> None:
    table.add_row(f"  {what}", *(f"{measure['cases']:,}" for measure in measures), style="dim", end_section=True)


def _value(measure: dict[str, Any], form: str) -> str:
    return "–" if measure["value"] is None else form.format(measure["value"])


def _with_interval(measure: dict[str, Any]) -> str:
    if measure["value"] is None:
        return "–"
    low, high = measure["interval"]
    return f"{measure['value']:.3f} [dim]({low:.3f}–{high:.3f})[/dim]"


def changes_table(changes: Sequence[Change], language: str = "en") -> Table:
    """Changes as a table: aspect, before, after and, where they are counted, the opinions behind the value before."""
    words, counted = _words(language), all(change.opinions is not None for change in changes)
    names = ("aspect", "before", "after", *(("opinions",) if counted else ()))
    table, absent = table_of_texts(*(words.say(f"heading.{name}") for name in names)), words.say("heading.absent")
    for change in changes:
        before, after = (words.number(shown) for shown in change.shown(digits=2))
        if change.attribute is not None:
            from counterec.wording.facts import shown_values

            before, after = shown_values(words, change)
        opinions = [str(change.opinions)] if counted else []
        table.add_row(
            Text(change.aspect), absent if change.added else before, absent if change.removed else after, *opinions
        )
    return table


def _words(language: str) -> Catalogue:
    """The messages of a language; a command that prints nothing of them does not load them."""
    from counterec.wording import catalogue

    return catalogue(language)


def table_of_texts(*headings: str, **options: Any) -> Table:
    """Return an empty table for texts from the data: long ones are folded, none is cut off."""
    table = Table(**options)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table
