"""The tables that the paper does not have: transfer, differences on the same pairs, the lists."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from counterec.report.experiment_rows import RANDOM_RANKING
from counterec.report.method_comparisons import FEWEST_USERS, Comparison
from counterec.report.method_measures import MethodMeasures
from counterec.report.tables.labels import MASK_LABELS, METHOD_HEADINGS, condition_label, method_label
from counterec.report.tables.table import HUNDRED, Column, Table, TableCell, number, plain

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
