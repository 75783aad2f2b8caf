"""CountER's methods beside each other method on the same pairs: by how much they differ, and if that can be chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from counterec.core.evaluation.comparison import Difference, holm, paired, paired_f_ns
from counterec.core.explainers.goals import GOALS
from counterec.report.experiment_rows import PAIR, ExperimentRows
from counterec.report.measures import column, counted_as_zero, users_of
from counterec.report.verdict import FEWEST_USERS

Differ = Callable[[pl.DataFrame], Difference]


@dataclass(frozen=True)
class Comparison:
    """What one of CountER's methods has more than another method in one measure, over the pairs both were asked about.

    ``corrected`` is its p after Holm's correction for all comparisons of the same measure.
    """

    ours: str
    other: str
    shape: str
    masked: bool
    measure: str
    difference: Difference
    corrected: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """The comparison as it is written to disk."""
        cell = {"shape": self.shape, "masked": self.masked, "measure": self.measure}
        whom = {"ours": self.ours, "other": self.other}
        return {**whom, **cell, **self.difference.as_dict(), "corrected_p": self.corrected}


def f1_difference(pairs: pl.DataFrame) -> Difference:
    """The difference in F1, a pair at a time."""
    return paired(column(pairs, "f1"), column(pairs, "f1_other"), users_of(pairs))


def f_ns_difference(pairs: pl.DataFrame) -> Difference:
    """The difference in F_NS, each made from its own totals."""
    ours = column(pairs, "necessary"), column(pairs, "sufficient")
    other = column(pairs, "necessary_other"), column(pairs, "sufficient_other")
    return paired_f_ns(*ours, *other, users_of(pairs))


MEASURES: dict[str, tuple[Differ, tuple[str, ...], bool]] = {
    "f1": (f1_difference, ("f1",), False),
    "f1_zero": (f1_difference, ("f1",), True),
    "f_ns": (f_ns_difference, ("necessary", "sufficient"), False),
    "f_ns_zero": (f_ns_difference, ("necessary", "sufficient"), True),
}
"""How each measure is compared, by which columns, and whether unexplained pairs count as zero."""


def comparisons(inputs: ExperimentRows) -> list[Comparison]:
    """Each of CountER's methods against each other method of its cell, by every measure."""
    found = [
        Comparison(ours, other, shape, masked, measure, _told(paired_rows(inputs, cell, other, zero), differ, columns))
        for measure, (differ, columns, zero) in MEASURES.items()
        for cell in inputs.cells
        for ours, shape, masked in [cell]
        if ours in GOALS
        for other in _others(inputs, shape, masked)
    ]
    return [one for measure in MEASURES for one in _corrected([c for c in found if c.measure == measure])]


def _told(pairs: pl.DataFrame, differ: Differ, columns: tuple[str, ...]) -> Difference:
    """The difference; without a p where so few users are behind it that a bootstrap over them cannot give one."""
    counted = pairs.drop_nulls([name + end for name in columns for end in ("", "_other")])
    found = differ(pairs)
    return found if counted["user_id"].n_unique() >= FEWEST_USERS else replace(found, p=None)


def _others(inputs: ExperimentRows, shape: str, masked: bool) -> list[str]:
    cells = inputs.cells
    return [method for method, *cell in cells if method not in GOALS and cell == [shape, masked]]


def _corrected(family: Sequence[Comparison]) -> list[Comparison]:
    ps = holm([comparison.difference.p for comparison in family])
    return [replace(comparison, corrected=p) for comparison, p in zip(family, ps, strict=True)]


def paired_rows(inputs: ExperimentRows, cell: tuple[str, str, bool], other: str, zero: bool = False) -> pl.DataFrame:
    """The pairs that both methods were asked about, the columns of the other ending in ``_other``."""
    _, shape, masked = cell
    return joined(inputs.cell(*cell), inputs.cell(other, shape, masked), zero)


def joined(ours: pl.DataFrame, theirs: pl.DataFrame, zero: bool = False) -> pl.DataFrame:
    """Two methods' rows of the same pairs side by side; ``zero`` counts pairs without an explanation as failures."""
    one, other = (rows.filter("joint") for rows in (ours, theirs))
    if zero:
        one, other = counted_as_zero(one), counted_as_zero(other)
    return one.join(other, on=PAIR, suffix="_other")
