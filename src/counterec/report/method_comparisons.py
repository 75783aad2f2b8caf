"""CountER's methods against each other method on the same pairs: the paired difference, and if it can be chance."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from counterec.core.evaluation.intervals import Difference, holm, paired, paired_f_ns
from counterec.core.explainers.goal_names import GOALS
from counterec.pipeline.stages.transfer import selects
from counterec.report.experiment_rows import PAIR, ExperimentRows
from counterec.report.method_measures import column, count_unexplained_as_zero, units_of

FEWEST_USERS = 20
"""With fewer users, a bootstrap over them is not to be trusted."""

Differ = Callable[[pl.DataFrame], Difference]


@dataclass(frozen=True)
class Comparison:
    """By how much one of CountER's methods exceeds another method in one measure, over the pairs of both.

    ``corrected`` is its p after Holm's correction for all comparisons by the same measure.
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
        methods = {"ours": self.ours, "other": self.other}
        place = {"shape": self.shape, "masked": self.masked, "measure": self.measure}
        return {**methods, **place, **self.difference.as_dict(), "corrected_p": self.corrected}


def f1_difference(pairs: pl.DataFrame) -> Difference:
    """The mean difference in F1, pair by pair."""
    return paired(column(pairs, "f1"), column(pairs, "f1_other"), units_of(pairs))


def f_ns_difference(pairs: pl.DataFrame) -> Difference:
    """The difference in F_NS, each made from its own totals."""
    ours = column(pairs, "necessary"), column(pairs, "sufficient")
    other = column(pairs, "necessary_other"), column(pairs, "sufficient_other")
    return paired_f_ns(*ours, *other, units_of(pairs))


MEASURES: dict[str, tuple[Differ, tuple[str, ...], bool]] = {
    "f1": (f1_difference, ("f1",), False),
    "f1_all": (f1_difference, ("f1",), True),
    "f_ns": (f_ns_difference, ("necessary", "sufficient"), False),
    "f_ns_all": (f_ns_difference, ("necessary", "sufficient"), True),
}
"""How each measure is compared, by which columns, and whether over all pairs: those without an explanation as 0."""


def compare_methods(experiment: ExperimentRows, only: Collection[str] = GOALS) -> list[Comparison]:
    """Each of CountER's methods, or ``only`` some, against the others with the same mask, by every measure.

    The others are those of the same shape that are not CountER's. A method that selects by what it is measured by is
    to be the best of all, so it is compared with CountER's other methods, too, of either shape. Each pair of methods is
    compared once: these are the comparisons that Holm corrects for.
    """
    return [comparison for measure in MEASURES for comparison in _corrected(_family(experiment, measure, only))]


def _family(experiment: ExperimentRows, measure: str, only: Collection[str]) -> list[Comparison]:
    """All comparisons by one measure, not yet corrected."""
    differ, columns, zero = MEASURES[measure]
    family = []
    for combination in experiment.combinations:
        ours, shape, masked = combination
        for other in _others(experiment, combination) if ours in only else ():
            pairs = joined(experiment.rows_of(*combination), experiment.rows_of(*other), zero)
            family.append(Comparison(ours, other[0], shape, masked, measure, _difference(pairs, differ, columns)))
    return family


def _difference(pairs: pl.DataFrame, differ: Differ, columns: tuple[str, ...]) -> Difference:
    """The difference; without a p where too few users are behind it for a bootstrap over them."""
    counted = pairs.drop_nulls([name + end for name in columns for end in ("", "_other")])
    found = differ(pairs)
    return found if counted["user_id"].n_unique() >= FEWEST_USERS else replace(found, p=None)


def _others(experiment: ExperimentRows, ours: tuple[str, str, bool]) -> list[tuple[str, str, bool]]:
    """What a method is compared with."""
    with_mask = [other for other in experiment.combinations if other[2] == ours[2]]
    others = [other for other in with_mask if other[0] not in GOALS and other[1] == ours[1]]
    goals = [other for other in with_mask if other[0] in GOALS and not selects(other[0])]
    return [*others, *(goals if selects(ours[0]) else ())]


def _corrected(family: Sequence[Comparison]) -> list[Comparison]:
    ps = holm([comparison.difference.p for comparison in family])
    return [replace(comparison, corrected=p) for comparison, p in zip(family, ps, strict=True)]


def paired_rows(
    experiment: ExperimentRows, combination: tuple[str, str, bool], other: str, of_all: bool = False
) -> pl.DataFrame:
    """The pairs that are in the lists of both methods; columns of the other method end in ``_other``."""
    _, shape, masked = combination
    return joined(experiment.rows_of(*combination), experiment.rows_of(other, shape, masked), of_all)


def joined(ours: pl.DataFrame, theirs: pl.DataFrame, of_all: bool = False) -> pl.DataFrame:
    """Two methods' rows of the same pairs side by side: those that CountER explains, or all of them.

    Of all pairs, those without an explanation count as failures.
    """
    if of_all:
        one, other = count_unexplained_as_zero(ours), count_unexplained_as_zero(theirs)
    else:
        one, other = ours.filter("joint"), theirs.filter("joint")
    return one.join(other, on=PAIR, suffix="_other")
