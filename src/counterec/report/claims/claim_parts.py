"""The numbers that claims are made of, each with the number of users behind it."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from counterec.core.arrays import FloatVector
from counterec.core.evaluation.intervals import Units, combined, group_difference, mean, paired, spearman
from counterec.report.claims.claim import ClaimPart, Range
from counterec.report.method_comparisons import f1_difference, f_ns_difference
from counterec.report.method_measures import column, units_of


def users_behind(units: Units, *values: ArrayLike) -> int:
    """How many users have a case in which all of the values are known."""
    whole = ~np.isnan(np.array([np.asarray(value, dtype=np.float64) for value in values])).any(axis=0)
    return len(np.unique(units.users[whole]))


def difference_part(what: str, pairs: pl.DataFrame, name: str, other: str, expected: Range) -> ClaimPart:
    """The mean of one column minus that of another, over the same pairs."""
    a, b, users = column(pairs, name), column(pairs, other), units_of(pairs)
    return ClaimPart(what, paired(a, b, users), users_behind(users, a, b), expected)


def f1_part(what: str, pairs: pl.DataFrame, expected: Range) -> ClaimPart:
    """The paired difference in F1."""
    users = users_behind(units_of(pairs), column(pairs, "f1"), column(pairs, "f1_other"))
    return ClaimPart(what, f1_difference(pairs), users, expected)


def f_ns_part(what: str, pairs: pl.DataFrame, expected: Range) -> ClaimPart:
    """The paired difference in F_NS."""
    users = users_behind(units_of(pairs), column(pairs, "necessary"), column(pairs, "necessary_other"))
    return ClaimPart(what, f_ns_difference(pairs), users, expected)


def correlation_part(what: str, rows: pl.DataFrame, x: str, y: str, expected: Range) -> ClaimPart:
    """Spearman's rank correlation of two columns."""
    a, b, users = column(rows, x), column(rows, y), units_of(rows)
    return ClaimPart(what, spearman(a, b, users), users_behind(users, a, b), expected)


def mean_part(what: str, values: FloatVector, users: Units, expected: Range) -> ClaimPart:
    """A mean."""
    return ClaimPart(what, mean(values, users), users_behind(users, values), expected)


def group_part(what: str, values: FloatVector, in_first: ArrayLike, users: Units, expected: Range) -> ClaimPart:
    """The mean of one group minus the mean of the rest; its users are those of the smaller group."""
    first = np.asarray(in_first, dtype=bool)
    fewer = min(users_behind(users[group], values[group]) for group in (first, ~first))
    return ClaimPart(what, group_difference(values, first, users), fewer, expected)


def ratio_part(what: str, rows: pl.DataFrame, above: str, below: str, expected: Range) -> ClaimPart:
    """One mean as a multiple of another."""
    a, b, users = column(rows, above), column(rows, below), units_of(rows)
    ratio = combined([a, b], users, lambda means: means[0] / means[1])
    return ClaimPart(what, ratio, users_behind(users, a, b), expected)
