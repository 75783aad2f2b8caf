"""The tables that examine explanations: by deletion and insertion, under another training, in hindsight, and beside
answers by past reviews."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from counterec.core.evaluation.measure import mean
from counterec.core.explainers.history.settings import MOST_SETS
from counterec.report.examined_method import ExaminedMethod
from counterec.report.history_measures import HistoryMeasures
from counterec.report.method_measures import column, units_of
from counterec.report.order_measures import CURVES
from counterec.report.retraining_measures import MARK_DIFFERENCE
from counterec.report.tables.labels import MASK_LABELS
from counterec.report.tables.table import HUNDRED, Column, Table, TableCell, number, plain

ORDER_NOTE = (
    "The item loses its aspects (POS@K, DEL), or gets them back (INS), in the order of the explanation; aspects that "
    "it does not order follow in a drawn order, the same for all methods. POS@K: how long it stays among the first K; "
    "DEL and INS: its score, by the sigmoid, as a share of the score before; each averaged over 0%, 10%, 20% to 100% "
    "of its aspects. Low POS@K and DEL are good, and a high INS. All pairs count: "
    "where there is no explanation, the whole order is drawn. efm and a2cf: in their own lists, among the aspects that "
    "the user has mentioned; their scores are no log-odds, so DEL and INS are shares of the score itself and do "
    "not compare with those of the others. Of at most detail_users users per seed."
)
RETRAINING_NOTE = (
    "The model is trained again from another seed. listed: share of the explained items that are in its list, too; of "
    "these, holds: share that the same change takes off; alike: Jaccard similarity of the aspects that are named then; "
    "still necessary, still sufficient: of the answers that were. The last columns: holds, for answers that held "
    "before in all nets of a mean, and for the others; a model of one net has no such mark. difference: the first less "
    "the second, in percentage points: what the mark tells beforehand. of all: of all pairs; "
    "one counts as a failure that has no answer, whose item is not listed again, or whose answer was not so before. "
    "alike, necessary and sufficient are of at most detail_users users per seed."
)
HINDSIGHT_NOTE = (
    "What any method could reach that names only sets of the item's aspects whose absence takes it off the list: their "
    "best F1, chosen with the held-out review at hand. It does not bound a method that lowers values, which may take "
    "the item off although the absence of the same aspects does not. up to 3 aspects: all sets tried. bound: larger "
    "sets counted as if all of them flipped. any aspects: whether they flip or not. Pairs in the test part whose "
    "review praises something; without the mask, of at most detail_users users per seed."
)
HISTORY_NOTE = (
    "Aspects: the answers of minimal, without the mask. Past reviews: the fewest of the user's own reviews without "
    "which the item would not be in the list, verified by ranking all candidates again; at most "
    f"{MOST_SETS} sets of reviews are scored per pair. explained: share of all pairs. named: how many aspects or "
    "reviews an answer names. one: share of answers that name a single one. smallest: share proven to name the fewest; "
    "both stand twice, of the explained pairs and of all. Of at most history_users users per seed."
)
STATUS_WORDS = {
    "cannot_flip": "no set of past reviews takes the item off, which is proven",
    "not_found": "none was found, and there are too many sets to try all",
    "out_of_budget": "the budget was spent before the search ended",
    "nothing_to_change": "no past review plays a part in the scores",
    "no_target": "there are not more candidates than a list holds",
    "already_true": "the item is level with the first below the list",
    "failed": "asking ended in an error",
}
"""Why past reviews do not explain a pair, by the status of the search."""


def order_table(measures: Sequence[ExaminedMethod], notes: tuple[str, ...]) -> Table:
    """Table 8: is what an explanation names first what matters most?"""
    columns = (*(Column(heading, 1) for heading in CURVES.values()), *plain(("pairs", "items"), 0))
    rows = []
    for one in measures:
        areas = list(one.measures.values())
        counts = number(areas[0].cases), number(areas[0].items)
        rows.append(((one.shape, one.method), (*(TableCell.of(area, HUNDRED) for area in areas), *counts)))
    title = "Table 8. Deletion and insertion in the order of the explanation, without the mask"
    return Table("table8-order", title, ("aspects", "method"), columns, tuple(rows), notes)


def retraining_table(measures: Sequence[ExaminedMethod], notes: tuple[str, ...]) -> Table:
    """Table 9: what of the answers is the same under another training?"""
    shares = {
        "listed": "listed %",
        "holds": "holds %",
        "necessary_kept": "still necessary %",
        "sufficient_kept": "still sufficient %",
        "holds_marked_in_all": "holds %, marked in all nets",
        "holds_marked_in_fewer": "holds %, marked in fewer",
    }
    columns = (
        *(column for heading in ("alike", *shares.values()) for column in _both_columns(heading)),
        Column("holds by the mark: difference", 1),
        *plain(("holds by the mark: pairs", "items"), 0),
    )
    rows = []
    for one in measures:
        cells = [
            *_both_cells(one, "alike", 1.0),
            *(cell for name in shares for cell in _both_cells(one, name, HUNDRED)),
        ]
        told = one.measures[MARK_DIFFERENCE]
        cells += [TableCell.of(told, HUNDRED), number(told.cases), number(one.measures["listed"].items)]
        rows.append(((one.shape, one.method), tuple(cells)))
    title = "Table 9. Explanations under another training, without the mask"
    return Table("table9-retraining", title, ("aspects", "method"), columns, tuple(rows), notes)


def _both_columns(heading: str) -> tuple[Column, ...]:
    """A number and its pairs, then the same of all pairs."""
    digits = 2 if heading == "alike" else 1
    explained = (Column(heading, digits), *plain((f"{heading}: pairs",), 0))
    return (*explained, Column(f"{heading}, of all", digits), *plain((f"{heading}: all pairs",), 0))


def _both_cells(one: ExaminedMethod, name: str, scale: float) -> list[TableCell]:
    measures = (one.measures[name], one.measures[f"{name}_all"])
    return [cell for share in measures for cell in (TableCell.of(share, scale), number(share.cases))]


def hindsight_table(hindsight: pl.DataFrame, notes: tuple[str, ...]) -> Table:
    """Table 3, continued: what could any method reach on the user's side?"""
    shown = {"best": "F1 %, up to 3 aspects", "bound": "F1 %, bound", "unconstrained": "F1 %, any aspects"}
    columns = (*(Column(heading, 1) for heading in shown.values()), *plain(("pairs", "items"), 0))
    rows = []
    for masked in (False, True):
        part = hindsight.filter(pl.col("masked") == masked)
        found = [mean(column(part, name), units_of(part)) for name in shown]
        counts = number(found[0].cases), number(found[0].items)
        rows.append(((MASK_LABELS[masked],), (*(TableCell.of(one, HUNDRED) for one in found), *counts)))
    return Table(
        "table3-hindsight", "Table 3, continued. The best in hindsight", ("mask",), columns, tuple(rows), notes
    )


def history_table(measures: Sequence[HistoryMeasures], notes: tuple[str, ...]) -> Table:
    """Table 10: which items do past reviews explain, alone and together with aspects?"""
    shares = {
        "one": "one %",
        "smallest": "smallest %",
        "one_all": "one %, of all",
        "smallest_all": "smallest %, of all",
    }
    columns = (
        Column("explained %", 1),
        Column("named", 2),
        *(Column(heading, 1) for heading in shares.values()),
        *plain(("pairs", "all pairs", "items"), 0),
    )
    rows = []
    for one in measures:
        found = one.measures
        explained, named = found["explained"], found["size"]
        counts = (number(named.cases), number(explained.cases), number(explained.items))
        cells = (TableCell.of(found[name], HUNDRED) for name in shares)
        rows.append(((one.kind,), (TableCell.of(explained, HUNDRED), TableCell.of(named), *cells, *counts)))
    title = "Table 10. Items explained by aspects and by past reviews"
    return Table("table10-history", title, ("explained by",), columns, tuple(rows), notes)
