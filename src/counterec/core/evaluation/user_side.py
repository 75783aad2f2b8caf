"""The user's side: do the named aspects match what the user praised in the held-out review?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolMatrix, IntVector, freeze, require_shape
from counterec.core.evaluation.measure import Measure, harmonic_mean, mean
from counterec.core.explainers.answer import NamedAspects


@dataclass(frozen=True)
class GroundTruth:
    """P of the paper: for every held-out pair, the aspects the user mentioned positively in their review of it."""

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
        """Where each of these pairs stands among the held-out ones; −1 where it is none of them."""
        place = {pair: row for row, pair in enumerate(zip(self.users.tolist(), self.items.tolist(), strict=True))}
        pairs = zip(users.tolist(), items.tolist(), strict=True)
        return np.array([place.get(pair, -1) for pair in pairs], dtype=np.int64)


@dataclass(frozen=True)
class UserSide:
    """Precision, recall and F1 averaged over pairs (Eq. 13), and what became of the pairs that do not count."""

    precision: Measure
    recall: Measure
    f1: Measure
    not_in_test: int
    not_explained: int
    nothing_praised: int

    def as_dict(self) -> dict[str, object]:
        """The measures and counts by name."""
        measures = {name: getattr(self, name).as_dict() for name in ("precision", "recall", "f1")}
        counts = {name: getattr(self, name) for name in ("not_in_test", "not_explained", "nothing_praised")}
        return {**measures, "left_out": counts}


def user_side(named: NamedAspects, truth: GroundTruth) -> UserSide:
    """Precision = |named ∩ praised| / |named|, recall = |named ∩ praised| / |praised| (Eq. 13), F1 their harmonic mean.

    Counted are pairs that are in the list and in the test part, have an explanation, and a ground truth that is not
    empty. F1 is averaged over pairs, not made from the averages.
    """
    rows = truth.rows_of(named.users, named.items)
    in_test = rows >= 0
    explained = named.any_named
    praised = truth.praised[rows] & in_test[:, None]
    counts = in_test & explained & praised.any(axis=1)
    users = named.users[counts]
    both = (named.named & praised).sum(axis=1)[counts]
    precision = both / named.named.sum(axis=1)[counts]
    recall = both / praised.sum(axis=1)[counts]
    return UserSide(
        precision=mean(precision, users),
        recall=mean(recall, users),
        f1=mean(harmonic_mean(precision, recall), users),
        not_in_test=int((~in_test).sum()),
        not_explained=int((in_test & ~explained).sum()),
        nothing_praised=int((in_test & explained & ~praised.any(axis=1)).sum()),
    )
