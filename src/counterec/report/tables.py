"""The tables of a report: the paper's Tables 1 to 4 beside its own numbers, transfer, differences, and the lists."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from counterec.core.evaluation.intervals import Measure
from counterec.core.explainers.goal_names import GOALS
from counterec.pipeline.config import OWN_LISTS
from counterec.pipeline.stages.evaluate import selects
from counterec.report.experiment_rows import RANDOM_RANKING, ExperimentRows
from counterec.report.measures import FEWEST_USERS, Comparison, MethodMeasures, at_published_values, pair_measures
from counterec.report.paper import OURS, DatasetCounts, Side, published
from counterec.report.table import EMPTY, HUNDRED, Column, Table, TableCell, number, plain

SELECTED = "†"
"""Marks the numbers of a method that selects its answers by what the numbers measure."""
AS_PUBLISHED_LABEL = "relaxed, as published"
INTERVAL_NOTE = (
    "In parentheses: 95% interval, by bootstrap over users, items that several users have, and seeds, where several "
    "are pooled. items: how many different items the pairs have."
)
LISTS_INTERVAL_NOTE = (
    "In parentheses: 95% interval, by bootstrap over users; where seeds are pooled, the smallest that holds the "
    "interval of each."
)
BOTH_NOTE = (
    "Every share stands twice: of the explained pairs, as in the paper, and of all pairs, where a pair without an "
    "explanation counts as a failure."
)
LITERAL_NOTE = (
    f"{AS_PUBLISHED_LABEL}: with the paper's literal λ and α, sigmoid scores and gradient steps, of at most "
    "sweep_users users per seed."
)
LISTS_NOTE = (
    "lists: a method explains the lists of the model that is examined, or, as the paper's baselines do, lists of its "
    "own, by its own model. Only rows of the same lists compare explainers. alignment: the user's attention times the "
    "item's quality; alignment_efm and alignment_a2cf: the same as these baselines predict them. frequency: the "
    "aspects that the item's training reviews mention most often; it asks no model."
)
JOINT_NOTE = (
    "multi: the other methods name as many aspects as relaxed does for the same pair, and as many as it usually does "
    "where it explains nothing; of these pairs, only those that relaxed explains count among the explained ones. So "
    "not all rows rest on the same pairs; Table 5 has the differences on the same pairs."
)
SELECTS_NOTE = (
    f"{SELECTED}: selects its answers by PN and PS, so these numbers flatter it. F_NS transfer tells what they are "
    "worth: F_NS under conditions they were not searched for, the lowest here, all of them in the table of transfer."
)


def all_tables(
    experiment: ExperimentRows,
    measures: Sequence[MethodMeasures],
    compared: Sequence[Comparison],
    statistics: Mapping[str, float],
    dataset: str | None,
    head: Sequence[str] = (),
) -> list[Table]:
    """Every table. The notes of all but the first begin with ``head`` and end with the gaps of the experiment."""
    counts = published().dataset(dataset)
    paper = f"paper: its numbers for {counts.name}" + (
        "." if dataset else ", for reference: this data is none of its five."
    )
    measures = [*measures, *as_published_measures(experiment.sweep)]
    measures = sorted(measures, key=lambda one: (list(OURS).index(one.shape), one.masked))
    source = f"Protocol {experiment.protocol}, seeds {', '.join(map(str, experiment.seeds))}."

    literal = (LITERAL_NOTE, *_unscored(experiment))

    def notes(*own: str, interval: str = INTERVAL_NOTE) -> tuple[str, ...]:
        return (*head, interval, *own, source, *experiment.gaps)

    return [
        statistics_table(statistics),
        fidelity_table(measures, counts, notes(LITERAL_NOTE, paper)),
        user_side_table(measures, counts, notes(BOTH_NOTE, LISTS_NOTE, JOINT_NOTE, *literal, paper)),
        model_side_table(measures, counts, notes(BOTH_NOTE, LISTS_NOTE, SELECTS_NOTE, JOINT_NOTE, *literal, paper)),
        transfer_table(measures, notes(BOTH_NOTE, TRANSFER_NOTE)),
        differences_table(compared, notes(BOTH_NOTE, DIFFERENCES_NOTE)),
        lists_table(experiment.methods, notes(interval=LISTS_INTERVAL_NOTE)),
    ]


def _unscored(experiment: ExperimentRows) -> list[str]:
    """How often a method would have named an aspect that its own score does not depend on."""
    return [
        f"{method} names only aspects that its score depends on; for {notes['best_aligned_is_not_scored']:.0%} of its "
        "pairs, the best aligned aspect is none of these."
        for method, notes in experiment.methods.items()
        if notes.get("best_aligned_is_not_scored") is not None
    ]


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


TRANSFER_NOTE = (
    "The answers are those of Table 4, of at most detail_users users per seed. K=n: lists of length n. retrained: a "
    "model trained from another seed. fresh candidates: another draw of candidates. Only pairs count whose item is in "
    "the list under that condition before anything is removed."
)
DIFFERENCES_NOTE = (
    "CountER's method minus the other, in percentage points, over the pairs in the lists of both that both explain, "
    "and over all of these (of all). Among several aspects, a method that names as many as relaxed does counts among "
    "the explained only where relaxed explains: then the pairs are those that CountER's method and relaxed both "
    "explain. complete is compared with CountER's other methods, too, single by its one aspect. p: two-sided, by "
    "bootstrap, with Holm's correction for all comparisons by the same measure; "
    f"none with fewer than {FEWEST_USERS} users."
)


def transfer_table(measures: Sequence[MethodMeasures], notes: tuple[str, ...]) -> Table:
    """PN, PS and F_NS of the same answers under conditions they were not searched for, one row per condition."""
    names, of_all = ("pn", "ps", "f_ns"), ("pn_all", "ps_all", "f_ns_all")
    columns = (
        *(Column(f"{name} %", 1) for name in ("PN", "PS", "F_NS")),
        *plain(("pairs",), 0),
        *(Column(f"{name} %, of all", 1) for name in ("PN", "PS", "F_NS")),
        *plain(("all pairs", "items"), 0),
    )
    rows = [
        (
            (*method_label(one), condition_label(condition)),
            (
                *(TableCell.of(found[name], HUNDRED) for name in names),
                number(found["pn"].cases),
                *(TableCell.of(found[name], HUNDRED) for name in of_all),
                number(found["pn_all"].cases),
                number(found["pn_all"].items),
            ),
        )
        for one in measures
        for condition, found in one.transfer.items()
    ]
    title = "Table 4, continued. Transfer: the model's side under other conditions"
    words = (*METHOD_HEADINGS, "condition")
    return Table("table4-transfer", title, words, columns, tuple(rows), notes)


def differences_table(compared: Sequence[Comparison], notes: tuple[str, ...]) -> Table:
    """Table 5: by how much CountER's methods exceed each other method on the same pairs."""
    measures = {"f1": "F1", "f1_all": "F1, of all", "f_ns": "F_NS", "f_ns_all": "F_NS, of all"}
    columns = [column for heading in measures.values() for column in _difference_columns(heading)]
    found = {(one.shape, one.masked, one.ours, one.other, one.measure): one for one in compared}
    rows = []
    for shape, masked, ours, other in dict.fromkeys(key[:4] for key in found):
        cells = [cell for measure in measures for cell in _difference(found[shape, masked, ours, other, measure])]
        rows.append(((shape, MASK_LABELS[masked], ours, other), tuple(cells)))
    words = ("aspects", "mask", "CountER's", "against")
    title = "Table 5. Paired differences"
    return Table("table5-differences", title, words, tuple(columns), tuple(rows), notes)


def _difference_columns(heading: str) -> tuple[Column, ...]:
    return Column(heading, 1), *plain((f"{heading}: pairs", f"{heading}: items"), 0), *plain((f"{heading}: p",), 4)


def _difference(one: Comparison) -> list[TableCell]:
    found = one.difference
    return [TableCell.of(found, HUNDRED), number(found.cases), number(found.items), number(one.corrected)]


def lists_table(methods: Mapping[str, Any], notes: tuple[str, ...]) -> Table:
    """Table 6: how good the explained lists are; methods that explain the same lists share a row."""
    names: dict[str, list[str]] = {}
    for method, found in methods.items():
        ranking = found.get("ranking", found if method == RANDOM_RANKING else None)
        if ranking:
            names.setdefault(json.dumps(ranking, sort_keys=True), []).append(method)
    columns = (*(Column(name, 3) for name in ("NDCG", "recall", "hit rate")), *plain(("lists",), 0))
    rows = [((", ".join(sharing),), _list_quality(json.loads(ranking))) for ranking, sharing in names.items()]
    return Table("table6-lists", "Table 6. The lists", ("lists of",), columns, tuple(rows), notes)


def _list_quality(ranking: dict[str, Any]) -> tuple[TableCell, ...]:
    found = [ranking[name] for name in ("ndcg", "recall", "hit_rate")]
    shares = [
        TableCell(one["value"], tuple(one["interval"]) if one["interval"] else None, one["cases"]) for one in found
    ]
    return *shares, number(found[0]["cases"])


METHOD_HEADINGS = ("aspects", "mask", "lists", "method")
"""The headings over ``method_label``."""
MASK_LABELS = {True: "with", False: "without"}
_CONDITION_LABELS = {"trained again": "retrained"}


def method_label(measures: MethodMeasures) -> tuple[str, ...]:
    """What stands before the numbers of a method."""
    lists = "their own" if measures.method in OWN_LISTS else "the model's"
    return measures.shape, MASK_LABELS[measures.masked], lists, measures.method


def condition_label(condition: str) -> str:
    """A condition on disk (``k=4``, ``trained again``) as a table shows it (``K=4``, ``retrained``)."""
    return _CONDITION_LABELS.get(condition, condition.replace("k=", "K="))
