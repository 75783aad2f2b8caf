"""The tables that the paper does not have: transfer, further measures, differences on the same pairs, the lists."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from counterec.report.experiment_rows import RANDOM_RANKING
from counterec.report.method_comparisons import FEWEST_USERS, Comparison
from counterec.report.method_measures import MethodMeasures
from counterec.report.tables.labels import MASK_LABELS, METHOD_HEADINGS, condition_label, method_label
from counterec.report.tables.table import EMPTY, HUNDRED, Column, Table, TableCell, number, plain

TRANSFER_NOTE = (
    "The answers are those of Table 4, of at most detail_users users per seed. K=n: lists of length n. retrained: a "
    "model trained from another seed. fresh candidates: another draw of candidates. Only pairs count whose item is in "
    "the list under that condition before anything is removed."
)
FURTHER_NOTE = (
    "named: number of aspects in an explanation. validity: share of answers that take the item off the list when "
    "this item alone loses the named aspects. redundancy: share of the named aspects that could be left out, one at "
    "a time. stability: Jaccard similarity to the aspects named for a retrained net, or for a list one shorter or "
    "longer; like redundancy, it exists only where aspects are named. strength: how much the score falls, and how "
    "much its sigmoid does. coverage: share of all aspects that appear in any explanation. ms: milliseconds per "
    "explanation where many are asked for at once, measured while other cells were measured beside it: no more than an "
    "order of magnitude."
)
DIFFERENCES_NOTE = (
    "CountER's method minus the other, in percentage points, over the pairs in the lists of both that both explain, "
    "and over all of these (of all). Among several aspects, a method that names as many as relaxed does counts among "
    "the explained only where relaxed explains: then the pairs are those that CountER's method and relaxed both "
    "explain. complete is compared with CountER's other methods, too, single by its one aspect. p: two-sided, by "
    "bootstrap, with Holm's correction for all comparisons by the same measure, those over fresh seeds among "
    f"themselves; none with fewer than {FEWEST_USERS} users."
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


def further_table(measures: Sequence[MethodMeasures], methods: Mapping[str, Any], notes: tuple[str, ...]) -> Table:
    """Table 5: what the paper does not measure of every method."""
    conditions = list(dict.fromkeys(condition for one in measures for condition in one.stability))
    metrics = list(dict.fromkeys(metric for one in measures for metric in one.metrics))
    columns = (
        Column("named", 2),
        Column("validity %", 1),
        Column("validity %, of all", 1),
        Column("redundancy %", 1),
        *(Column(f"stability, {condition_label(condition)}", 2) for condition in conditions),
        *plain(("coverage %",), 1),
        Column("complexity", 2),
        Column("strength", 2),
        Column("strength, sigmoid", 3),
        *(Column(metric, 3) for metric in metrics),
        *plain(("ms",), 2),
        *plain(("pairs", "items"), 0),
    )
    rows = [
        (method_label(one), tuple(_further(one, conditions, metrics, methods.get(one.method, {})))) for one in measures
    ]
    return Table("table5-further", "Table 5. Further measures", METHOD_HEADINGS, columns, tuple(rows), notes)


def _further(
    one: MethodMeasures, conditions: Iterable[str], metrics: Iterable[str], notes: Mapping[str, Any]
) -> Iterable[TableCell]:
    yield TableCell.of(one["aspects"])
    yield from (TableCell.of(one[name], HUNDRED) for name in ("valid", "valid_all", "redundant"))
    yield from (TableCell.of(one.stability[name]) if name in one.stability else EMPTY for name in conditions)
    yield TableCell.of(one["coverage"], HUNDRED)
    yield from (TableCell.of(one[name]) for name in ("complexity", "strength", "strength_sigmoid"))
    yield from (TableCell.of(one.metrics[name]) if name in one.metrics else EMPTY for name in metrics)
    yield number(notes.get("milliseconds"))
    yield from (number(one["aspects"].cases), number(one["aspects"].items))


def differences_table(compared: Sequence[Comparison], notes: tuple[str, ...]) -> Table:
    """Table 6: by how much CountER's methods exceed each other method on the same pairs."""
    measures = {"f1": "F1", "f1_all": "F1, of all", "f_ns": "F_NS", "f_ns_all": "F_NS, of all"}
    columns = [column for heading in measures.values() for column in _difference_columns(heading)]
    found = {(one.shape, one.masked, one.ours, one.other, one.measure): one for one in compared}
    rows = []
    for shape, masked, ours, other in dict.fromkeys(key[:4] for key in found):
        cells = [cell for measure in measures for cell in _difference(found[shape, masked, ours, other, measure])]
        rows.append(((shape, MASK_LABELS[masked], ours, other), tuple(cells)))
    words = ("aspects", "mask", "CountER's", "against")
    title = "Table 6. Paired differences"
    return Table("table6-differences", title, words, tuple(columns), tuple(rows), notes)


def _difference_columns(heading: str) -> tuple[Column, ...]:
    return Column(heading, 1), *plain((f"{heading}: pairs", f"{heading}: items"), 0), *plain((f"{heading}: p",), 4)


def _difference(one: Comparison) -> list[TableCell]:
    found = one.difference
    return [TableCell.of(found, HUNDRED), number(found.cases), number(found.items), number(one.corrected)]


def lists_table(methods: Mapping[str, Any], notes: tuple[str, ...]) -> Table:
    """Table 7: how good the explained lists are; methods that explain the same lists share a row."""
    names: dict[str, list[str]] = {}
    for method, found in methods.items():
        ranking = found.get("ranking", found if method == RANDOM_RANKING else None)
        if ranking:
            names.setdefault(json.dumps(ranking, sort_keys=True), []).append(method)
    columns = (*(Column(name, 3) for name in ("NDCG", "recall", "hit rate")), *plain(("lists",), 0))
    rows = [((", ".join(sharing),), _list_quality(json.loads(ranking))) for ranking, sharing in names.items()]
    return Table("table7-lists", "Table 7. The lists", ("lists of",), columns, tuple(rows), notes)


def _list_quality(ranking: dict[str, Any]) -> tuple[TableCell, ...]:
    found = [ranking[name] for name in ("ndcg", "recall", "hit_rate")]
    shares = [
        TableCell(one["value"], tuple(one["interval"]) if one["interval"] else None, one["cases"]) for one in found
    ]
    return *shares, number(found[0]["cases"])
