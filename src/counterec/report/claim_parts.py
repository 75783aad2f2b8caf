"""The numbers that claims are made of, each with the users behind it."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.evaluation.comparison import paired
from counterec.core.evaluation.measure import combined, group_difference, mean, spearman
from counterec.report.comparisons import f1_difference, f_ns_difference
from counterec.report.measures import column, users_of
from counterec.report.verdict import Part, Range


def users_behind(users: IntVector, *values: ArrayLike) -> int:
    """How many users have a case that counts: one with every value."""
    whole = ~np.isnan(np.array([np.asarray(value, dtype=np.float64) for value in values])).any(axis=0)
    return len(np.unique(users[whole]))


def difference_part(what: str, pairs: pl.DataFrame, name: str, other: str, wanted: Range) -> Part:
    """The mean of one column less that of another, over the same pairs."""
    a, b, users = column(pairs, name), column(pairs, other), users_of(pairs)
    return Part(what, paired(a, b, users), users_behind(users, a, b), wanted)


def f1_part(what: str, pairs: pl.DataFrame, wanted: Range) -> Part:
    """The paired difference in F1."""
    users = users_behind(users_of(pairs), column(pairs, "f1"), column(pairs, "f1_other"))
    return Part(what, f1_difference(pairs), users, wanted)


def f_ns_part(what: str, pairs: pl.DataFrame, wanted: Range) -> Part:
    """The paired difference in F_NS."""
    users = users_behind(users_of(pairs), column(pairs, "necessary"), column(pairs, "necessary_other"))
    return Part(what, f_ns_difference(pairs), users, wanted)


def correlation_part(what: str, rows: pl.DataFrame, x: str, y: str, wanted: Range) -> Part:
    """Spearman's rank correlation of two columns."""
    a, b, users = column(rows, x), column(rows, y), users_of(rows)
    return Part(what, spearman(a, b, users), users_behind(users, a, b), wanted)


def mean_part(what: str, values: FloatVector, users: IntVector, wanted: Range) -> Part:
    """A mean."""
    return Part(what, mean(values, users), users_behind(users, values), wanted)


def group_part(what: str, values: FloatVector, in_first: ArrayLike, users: IntVector, wanted: Range) -> Part:
    """The mean of one group less the mean of the rest; it rests on the users of the group that has fewer."""
    first = np.asarray(in_first, dtype=bool)
    fewer = min(users_behind(users[group], values[group]) for group in (first, ~first))
    return Part(what, group_difference(values, first, users), fewer, wanted)


def ratio_part(what: str, rows: pl.DataFrame, above: str, below: str, wanted: Range) -> Part:
    """One mean as a multiple of another."""
    a, b, users = column(rows, above), column(rows, below), users_of(rows)
    return Part(what, combined([a, b], users, lambda means: means[0] / means[1]), users_behind(users, a, b), wanted)
