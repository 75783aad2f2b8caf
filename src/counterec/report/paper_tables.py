"""The paper's Tables 1 to 4 for this data, beside the paper's own numbers."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from counterec.core.evaluation.measure import Measure, mean
from counterec.core.explainers.goals import GOALS
from counterec.pipeline.stages.transfer import selects
from counterec.report.measures import CELL_WORDS, MASK_WORD, Measured, column, users_of
from counterec.report.published import OURS, DatasetCounts, Side, published
from counterec.report.sweep import by_the_letter
from counterec.report.table import EMPTY, HUNDRED, Cell, Column, Table, number, plain

SELECTED = "†"
"""Marks numbers of a method that selects on what they measure."""
LETTER_NAME = "relaxed, by the letter"


def statistics_table(statistics: dict[str, float]) -> Table:
    """Table 1: this data and the paper's five; density is given as printed and as it follows from the counts."""
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
    cells: Sequence[Measured], sweep: pl.DataFrame, counts: DatasetCounts, notes: tuple[str, ...]
) -> Table:
    """Table 2: for how many recommended items CountER finds an explanation, also by the letter of the paper."""
    columns = (Column("fidelity %", 1), *plain(("pairs",), 0), *plain(("paper",)))
    rows = []
    for cell in cells:
        if cell.method in GOALS:
            printed = published().fidelity(counts.key, cell.method, cell.shape, cell.masked)
            rows.append((cell.words, (*_share_of_pairs(cell["fidelity"]), number(printed))))
    letter = by_the_letter(sweep)
    if len(letter):
        printed = published().fidelity(counts.key, OURS["multi"], "multi", masked=False)
        found = mean(column(letter, "explained"), users_of(letter))
        rows.append((("multi", MASK_WORD[False], LETTER_NAME), (*_share_of_pairs(found), number(printed))))
    return Table("table2-fidelity", "Table 2. Fidelity", CELL_WORDS, columns, tuple(rows), notes)


def _share_of_pairs(measure: Measure) -> tuple[Cell, Cell]:
    return Cell.of(measure, HUNDRED), number(measure.cases)


def user_side_table(cells: Sequence[Measured], counts: DatasetCounts, notes: tuple[str, ...]) -> Table:
    """Table 3: do the named aspects match what the user praised in the held-out review?"""
    columns = (
        *(Column(f"{name} %", 1) for name in ("precision", "recall", "F1")),
        *plain(("pairs",), 0),
        Column("F1 % zero", 1),
        *plain(("pairs zero",), 0),
        *plain(("paper precision", "paper recall", "paper F1")),
    )
    rows = [(cell.words, (*_user_side(cell), *_printed("user_side", cell, counts))) for cell in cells]
    return Table("table3-user-side", "Table 3. The user's side", CELL_WORDS, columns, tuple(rows), notes)


def _user_side(cell: Measured) -> list[Cell]:
    shares = [Cell.of(cell[name], HUNDRED) for name in ("precision", "recall", "f1")]
    zero = cell["f1_zero"]
    return [*shares, number(cell["f1"].cases), Cell.of(zero, HUNDRED), number(zero.cases)]


def model_side_table(cells: Sequence[Measured], counts: DatasetCounts, notes: tuple[str, ...]) -> Table:
    """Table 4: are the named aspects necessary and sufficient for the recommendation?"""
    columns = (
        *(Column(f"{name} %", 1) for name in ("PN", "PS", "F_NS")),
        *plain(("pairs",), 0),
        Column("F_NS % zero", 1),
        *plain(("pairs zero",), 0),
        *plain(("ties against", "ties for"), 1),
        Column("F_NS % elsewhere", 1),
        *plain(("paper PN", "paper PS", "paper F_NS")),
    )
    rows = [(cell.words, (*_model_side(cell), *_printed("model_side", cell, counts))) for cell in cells]
    return Table("table4-model-side", "Table 4. The model's side", CELL_WORDS, columns, tuple(rows), notes)


def _model_side(cell: Measured) -> list[Cell]:
    mark = SELECTED if selects(cell.method) else ""
    shares = [Cell.of(cell[name], HUNDRED, mark) for name in ("pn", "ps", "f_ns")]
    ties = [Cell.of(cell[f"f_ns{tie}"], HUNDRED) for tie in ("_strict", "_kind")]
    zero, lowest = cell["f_ns_zero"], cell.lowest_elsewhere
    elsewhere = Cell.of(lowest[1], HUNDRED, lowest[0]) if lowest else EMPTY
    return [*shares, number(cell["f_ns"].cases), Cell.of(zero, HUNDRED, mark), number(zero.cases), *ties, elsewhere]


def _printed(side: Side, cell: Measured, counts: DatasetCounts) -> list[Cell]:
    found = published().side(side, counts.key, cell.method, cell.shape, cell.masked)
    return [number(value) for value in found or (None, None, None)]
