"""The user's side: do the named aspects match what the user praised in the held-out review?"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, FloatVector, IntVector, freeze, require_shape
from counterec.core.evaluation.measure import Measure, harmonic_mean, mean
from counterec.core.evaluation.pair_lookup import NOWHERE, rows_of_pairs
from counterec.core.explainers.answer import NamedAspects

SCORES = ("precision", "recall", "f1")


@dataclass(frozen=True)
class GroundTruth:
    """P of the paper: for every held-out pair, the aspects that the user mentioned positively in the review.

    If sentiment is ignored, ``praised`` holds all aspects that the user mentioned there.
    """

    users: IntVector
    items: IntVector
    praised: BoolMatrix

    def __post_init__(self) -> None:
        freeze(
            self,
            users=np.int64,
            items=np.int64,
            praised=np.bool_,
        )
        require_shape("items", self.items, self.users.shape)
        require_shape("praised", self.praised, (len(self.users), self.praised.shape[1]))

    def rows_of(self, users: IntVector, items: IntVector) -> IntVector:
        """The row of each of these pairs among the held-out ones; −1 if it is not there."""
        return rows_of_pairs(users, items, self.users, self.items)


@dataclass(frozen=True)
class Matched:
    """One row per pair: how well its named aspects match the ground truth; NaN if the pair does not count.

    A pair counts if it is in the test part, names something, and has a ground truth that is not empty.
    """

    in_test: BoolVector
    praised: IntVector
    """The number of aspects of the ground truth; 0 if the pair is not in the test part."""
    precision: FloatVector
    recall: FloatVector
    f1: FloatVector

    def __post_init__(self) -> None:
        freeze(self, in_test=np.bool_, praised=np.int64, **dict.fromkeys(SCORES, np.float64))
        for name in ("praised", *SCORES):
            require_shape(name, getattr(self, name), self.in_test.shape)

    def with_zeros(self) -> Matched:
        """The same, with 0 for pairs that have a ground truth but no explanation."""
        missing = (self.praised > 0) & np.isnan(self.f1)
        return replace(self, **{name: np.where(missing, 0, getattr(self, name)) for name in SCORES})

    def averages(self, users: IntVector) -> dict[str, Measure]:
        """The means over the pairs that count; F1 is averaged over pairs, not computed from the averages."""
        return {name: mean(getattr(self, name), users) for name in SCORES}


def matched(named: NamedAspects, truth: GroundTruth) -> Matched:
    """Precision = |named ∩ praised| / |named|, recall = |named ∩ praised| / |praised| (Eq. 13), and F1.

    F1 is their harmonic mean, pair by pair.
    """
    rows = truth.rows_of(named.users, named.items)
    in_test = rows != NOWHERE
    praised = np.zeros_like(named.named)
    praised[in_test] = truth.praised[rows[in_test]]
    both, size, praises = ((named.named & praised).sum(axis=1), named.named.sum(axis=1), praised.sum(axis=1))
    counts = (size > 0) & (praises > 0)
    precision, recall = (_share(both, of, counts) for of in (size, praises))
    return Matched(in_test, praises, precision, recall, harmonic_mean(precision, recall))


def _share(part: IntVector, whole: IntVector, counts: BoolVector) -> FloatVector:
    return np.divide(part, whole, out=np.full(len(part), np.nan), where=counts)


@dataclass(frozen=True)
class UserSide:
    """Precision, recall and F1 averaged over pairs (Eq. 13), and how many pairs do not count, by reason."""

    precision: Measure
    recall: Measure
    f1: Measure
    not_in_test: int
    not_explained: int
    nothing_praised: int

    def as_dict(self) -> dict[str, object]:
        """The measures and counts by name."""
        measures = {name: getattr(self, name).as_dict() for name in SCORES}
        counts = {name: getattr(self, name) for name in ("not_in_test", "not_explained", "nothing_praised")}
        return {**measures, "left_out": counts}


def user_side(named: NamedAspects, truth: GroundTruth) -> UserSide:
    """Match every pair, average those that count, and count the others."""
    found, explained = matched(named, truth), named.any_named
    return UserSide(
        **found.averages(named.users),
        not_in_test=int((~found.in_test).sum()),
        not_explained=int((found.in_test & ~explained).sum()),
        nothing_praised=int((found.in_test & explained & (found.praised == 0)).sum()),
    )
