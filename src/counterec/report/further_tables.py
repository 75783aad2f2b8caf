"""What the paper's tables do not have: other ground, further measures, differences on the same pairs, the lists."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from counterec.report.comparisons import Comparison
from counterec.report.experiment_rows import RANDOM_RANKING
from counterec.report.measures import CELL_WORDS, MASK_WORD, Measured
from counterec.report.table import EMPTY, HUNDRED, Cell, Column, Table, number, plain
from counterec.report.verdict import FEWEST_USERS


def grounds_table(cells: Sequence[Measured], notes: tuple[str, ...]) -> Table:
    """PN, PS and F_NS of the same answers on other ground than they were found on, ground by ground."""
    columns = (*(Column(f"{name} %", 1) for name in ("PN", "PS", "F_NS")), *plain(("pairs",), 0))
    rows = [
        (
            (*cell.words, ground),
            (*(Cell.of(found[n], HUNDRED) for n in ("pn", "ps", "f_ns")), number(found["pn"].cases)),
        )
        for cell in cells
        for ground, found in cell.elsewhere.items()
    ]
    title = "Table 4, continued. The model's side elsewhere"
    return Table("table4-elsewhere", title, (*CELL_WORDS, "ground"), columns, tuple(rows), notes)


def further_table(cells: Sequence[Measured], methods: dict[str, Any], notes: tuple[str, ...]) -> Table:
    """Table 5: what the paper does not measure of every method."""
    others = list(dict.fromkeys(other for cell in cells for other in cell.stability))
    columns = (
        Column("named", 2),
        Column("validity %", 1),
        Column("redundancy %", 1),
        *(Column(f"stability, {other}", 2) for other in others),
        *plain(("coverage %",), 1),
        Column("complexity", 2),
        Column("strength", 2),
        *plain(("ms",), 2),
        *plain(("pairs",), 0),
    )
    rows = [(cell.words, tuple(_further(cell, others, methods.get(cell.method, {})))) for cell in cells]
    meaning = (
        "named: aspects in an explanation. validity: absent for this item alone, they take it off the list. "
        "redundancy: of the named aspects, those that could be left out alone. stability: Jaccard likeness to the "
        "aspects named by a net trained again, or for a list one shorter or longer. coverage: of all aspects, those "
        "that ever appear. ms: per explanation."
    )
    return Table("table5-further", "Table 5. Further measures", CELL_WORDS, columns, tuple(rows), (meaning, *notes))


def _further(cell: Measured, others: Iterable[str], notes: dict[str, Any]) -> Iterable[Cell]:
    yield Cell.of(cell["aspects"])
    yield from (Cell.of(cell[name], HUNDRED) for name in ("valid", "redundant"))
    yield from (Cell.of(cell.stability[other]) if other in cell.stability else EMPTY for other in others)
    yield Cell.of(cell["coverage"], HUNDRED)
    yield from (Cell.of(cell[name]) for name in ("complexity", "strength"))
    yield number(notes.get("milliseconds"))
    yield number(cell["aspects"].cases)


def differences_table(compared: Sequence[Comparison], notes: tuple[str, ...]) -> Table:
    """Table 6: what CountER's methods have more than each other method, on the same pairs."""
    measures = {"f1": "F1", "f1_zero": "F1 zero", "f_ns": "F_NS", "f_ns_zero": "F_NS zero"}
    columns = [column for heading in measures.values() for column in _difference_columns(heading)]
    found = {(one.shape, one.masked, one.ours, one.other, one.measure): one for one in compared}
    rows = []
    for shape, masked, ours, other in dict.fromkeys(key[:4] for key in found):
        cells = [cell for measure in measures for cell in _difference(found[shape, masked, ours, other, measure])]
        rows.append(((shape, MASK_WORD[masked], ours, other), tuple(cells)))
    meaning = (
        "In percentage points, over the pairs that both explain (zero: that both were asked about). p: two-sided, by "
        "bootstrap over users, with Holm's correction for all comparisons by the same measure that can be made; "
        f"none with fewer than {FEWEST_USERS} users behind it."
    )
    words = ("aspects", "mask", "CountER's", "against")
    return Table(
        "table6-differences", "Table 6. Paired differences", words, tuple(columns), tuple(rows), (meaning, *notes)
    )


def _difference_columns(heading: str) -> tuple[Column, ...]:
    return Column(heading, 1), *plain((f"{heading} pairs",), 0), *plain((f"{heading} p",), 4)


def _difference(one: Comparison) -> list[Cell]:
    return [Cell.of(one.difference, HUNDRED), number(one.difference.cases), number(one.corrected)]


def lists_table(methods: dict[str, Any], notes: tuple[str, ...]) -> Table:
    """Table 7: how good the lists are that are explained; methods that explain the same lists share a row."""
    names: dict[str, list[str]] = {}
    for method, found in methods.items():
        ranking = found.get("ranking", found if method == RANDOM_RANKING else None)
        if ranking:
            names.setdefault(json.dumps(ranking, sort_keys=True), []).append(method)
    columns = (*(Column(name, 3) for name in ("NDCG", "recall", "hit rate")), *plain(("lists",), 0))
    rows = [((", ".join(who),), _list_quality(json.loads(ranking))) for ranking, who in names.items()]
    return Table("table7-lists", "Table 7. The lists", ("lists of",), columns, tuple(rows), notes)


def _list_quality(ranking: dict[str, Any]) -> tuple[Cell, ...]:
    found = [ranking[name] for name in ("ndcg", "recall", "hit_rate")]
    shares = [Cell(one["value"], tuple(one["interval"]) if one["interval"] else None, one["cases"]) for one in found]
    return *shares, number(found[0]["cases"])
