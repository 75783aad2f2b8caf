"""The paper's Tables 1 to 4 for this data, beside the paper's own numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from counterec.core.evaluation.intervals import Measure
from counterec.core.explainers.goal_names import GOALS
from counterec.pipeline.stages.transfer import selects
from counterec.report.method_measures import MethodMeasures, pair_measures
from counterec.report.published_numbers import OURS, DatasetCounts, Side, published
from counterec.report.sweep_measures import at_published_values
from counterec.report.tables.labels import METHOD_HEADINGS, condition_label, method_label
from counterec.report.tables.table import EMPTY, HUNDRED, Column, Table, TableCell, number, plain

SELECTED = "†"
"""Marks the numbers of a method that selects its answers by what the numbers measure."""
AS_PUBLISHED_LABEL = "relaxed, as published"


def statistics_table(statistics: Mapping[str, float]) -> Table:
    """Table 1: this data and the paper's five datasets; density as printed, and as it follows from the counts."""
    names = ("users", "items", "reviews", "aspects")
    columns = (*plain(names, 0), *plain(("density %", "density % by the counts"), 3))
    density = HUNDRED * statistics["reviews"] / (statistics["users"] * statistics["items"])
    here = (*(statistics[name] for name in names), HUNDRED * statistics["density"], density)
    rows = [(("here",), tuple(number(value) for value in here))]
    for counts in published().datasets.values():
        printed = (*(getattr(counts, name) for name in names), counts.density, counts.computed_density)
        rows.append(((f"paper: {counts.name}",), tuple(number(value) for value in printed)))
    return Table("table1-statistics", "Table 1. The data", ("data",), columns, tuple(rows))


def fidelity_table(
    measures: Sequence[MethodMeasures],
    counts: DatasetCounts,
    notes: tuple[str, ...],
) -> Table:
    """Table 2: the share of recommended items that CountER explains; also with the settings as published."""
    columns = (Column("fidelity %", 1), *plain(("pairs", "items"), 0), *plain(("paper",)))
    rows = []
    for one in measures:
        if one.method in (*GOALS, AS_PUBLISHED_LABEL):
            printed = published().fidelity(counts.key, _row_of(one), one.shape, one.masked)
            rows.append((method_label(one), (*_share_of_pairs(one["fidelity"]), number(printed))))
    return Table("table2-fidelity", "Table 2. Fidelity", METHOD_HEADINGS, columns, tuple(rows), notes)


def _share_of_pairs(measure: Measure) -> tuple[TableCell, ...]:
    return TableCell.of(measure, HUNDRED), number(measure.cases), number(measure.items)


def _row_of(one: MethodMeasures) -> str:
    """Whose row of the paper's tables stands beside a method: CountER's beside its literal settings."""
    return OURS["multi"] if one.method == AS_PUBLISHED_LABEL else one.method


def as_published_measures(sweep: pl.DataFrame) -> list[MethodMeasures]:
    """The measures of the answers with the paper's literal settings, where the sweep has them."""
    rows = at_published_values(sweep)
    if not len(rows):
        return []
    return [MethodMeasures(AS_PUBLISHED_LABEL, "multi", False, pair_measures(rows), {})]


def user_side_table(measures: Sequence[MethodMeasures], counts: DatasetCounts, notes: tuple[str, ...]) -> Table:
    """Table 3: do the named aspects match what the user praised in the held-out review?"""
    columns = (
        *(Column(f"{name} %", 1) for name in ("precision", "recall", "F1")),
        *plain(("pairs", "items"), 0),
        *(Column(f"{name} %, of all", 1) for name in ("precision", "recall", "F1")),
        *plain(("all pairs",), 0),
        *plain(("paper precision", "paper recall", "paper F1")),
    )
    rows = [(method_label(one), (*_user_side(one), *_printed("user_side", one, counts))) for one in measures]
    return Table("table3-user-side", "Table 3. The user's side", METHOD_HEADINGS, columns, tuple(rows), notes)


def _user_side(one: MethodMeasures) -> list[TableCell]:
    names = ("precision", "recall", "f1")
    explained, of_all = ([TableCell.of(one[name + end], HUNDRED) for name in names] for end in ("", "_all"))
    counts = number(one["f1"].cases), number(one["f1"].items)
    return [*explained, *counts, *of_all, number(one["f1_all"].cases)]


def model_side_table(measures: Sequence[MethodMeasures], counts: DatasetCounts, notes: tuple[str, ...]) -> Table:
    """Table 4: are the named aspects necessary and sufficient for the recommendation?"""
    columns = (
        *(Column(f"{name} %", 1) for name in ("PN", "PS", "F_NS")),
        *plain(("pairs", "items"), 0),
        *(Column(f"{name} %, of all", 1) for name in ("PN", "PS", "F_NS")),
        *plain(("all pairs",), 0),
        *plain(("ties against", "ties for"), 1),
        Column("F_NS % transfer", 1),
        Column("F_NS % transfer, of all", 1),
        *plain(("paper PN", "paper PS", "paper F_NS")),
    )
    rows = [(method_label(one), (*_model_side(one), *_printed("model_side", one, counts))) for one in measures]
    return Table("table4-model-side", "Table 4. The model's side", METHOD_HEADINGS, columns, tuple(rows), notes)


def _model_side(one: MethodMeasures) -> list[TableCell]:
    mark = SELECTED if selects(one.method) else ""
    names = ("pn", "ps", "f_ns")
    explained, of_all = ([TableCell.of(one[name + end], HUNDRED, mark) for name in names] for end in ("", "_all"))
    counts = number(one["f_ns"].cases), number(one["f_ns"].items)
    ties = [TableCell.of(one[f"f_ns{tie}"], HUNDRED) for tie in ("_strict", "_kind")]
    transfer = [
        TableCell.of(lowest[1], HUNDRED, condition_label(lowest[0])) if lowest else EMPTY
        for lowest in (one.lowest_transfer, one.lowest_transfer_of_all)
    ]
    return [*explained, *counts, *of_all, number(one["f_ns_all"].cases), *ties, *transfer]


def _printed(side: Side, one: MethodMeasures, counts: DatasetCounts) -> list[TableCell]:
    found = published().side(side, counts.key, _row_of(one), one.shape, one.masked)
    return [number(value) for value in found or (None, None, None)]
