"""Deletion and insertion curves: what becomes of an item as its aspects go, or come, in the order of an explanation.

The item alone changes, as a counterfactual says; everything else stays. At each of ``SHARES`` of its n aspects, the
first t = ⌊share·n + ½⌋ in the order are absent (deletion), or all but these are (insertion). Three numbers come of it,
as the field has them (POS@K, DEL and INS), each the mean over the shares, that is the area under the curve:

- POS@K: whether the item is still among the first K. Low is good: the first aspects are what holds it there.
- DEL: the item's score under deletion, as a share of its score before, both by their sigmoids where scores are
  log-odds. Low is good.
- INS: the same under insertion. High is good.

Inserting in an order is deleting in the reverse order, read backwards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import (
    BoolMatrix,
    FloatMatrix,
    FloatVector,
    IntMatrix,
    IntVector,
    freeze,
    require_shape,
    row_chunks,
)
from counterec.core.attribution.present_aspects import pair_generator, present
from counterec.core.evaluation.counterfactual_side import sigmoid_of
from counterec.core.explainers.answer import NamedAspects
from counterec.core.explainers.probe import ROWS_AT_ONCE
from counterec.core.lists import Recommendations, off_the_list
from counterec.core.scorers.checked_scores import scores_of
from counterec.core.scorers.protocols import PairBatch, Scorer
from counterec.core.space import AspectSpace

SHARES = tuple(step / 10 for step in range(11))
"""How much of the order is deleted or inserted."""


@dataclass(frozen=True)
class PerturbationCurves:
    """One row per pair, one column per share."""

    users: IntVector
    items: IntVector
    in_list: BoolMatrix
    """Under deletion: whether the item is still among the first K."""
    deleted: FloatMatrix
    inserted: FloatMatrix

    def __post_init__(self) -> None:
        freeze(self, users=np.int64, items=np.int64, in_list=np.bool_, deleted=np.float64, inserted=np.float64)
        for name in ("in_list", "deleted", "inserted"):
            require_shape(name, getattr(self, name), (len(self.users), len(SHARES)))


def orders_of(space: AspectSpace, named: NamedAspects, seed: int) -> IntMatrix:
    """The order of all aspects for each pair: those named, heaviest first, and then the others, in a drawn order.

    What a method does not order is drawn by the pair, and alike for all methods. Aspects that the item does not have
    come last.
    """
    has = present(space, named.items)
    aspects = len(space.aspects)
    drawn = np.empty((len(named), aspects))
    for row, (user, item) in enumerate(zip(named.users.tolist(), named.items.tolist(), strict=True)):
        drawn[row] = pair_generator(space, user, item, seed, "order of deletion").random(aspects)
    group = np.where(~has, 2, np.where(named.named, 0, 1))
    weight = np.where(named.named, -named.weight.astype(np.float64), drawn)
    keys = np.stack([drawn, weight, group.astype(np.float64)])
    return np.lexsort(keys, axis=1)


def perturbation_curves(
    scorer: Scorer,
    space: AspectSpace,
    lists: Recommendations,
    users: IntVector,
    items: IntVector,
    orders: IntMatrix,
    log_odds: bool = True,
) -> PerturbationCurves:
    """Delete, and insert, the aspects of each pair's item in this order; aspects that it does not have come last.

    Scores are taken as log-odds, and their sigmoids are compared; without ``log_odds``, the scores themselves: the
    sigmoid of a sum that grows with the number of aspects is 1, whatever is deleted.
    """
    on_scale = sigmoid_of if log_odds else _as_it_is
    count = present(space, items).sum(axis=1)
    place = np.argsort(orders, axis=1)
    rows = lists.rows_of(users)
    target, below = lists.target[rows], lists.items[rows, lists.k]
    before = on_scale(scores_of(scorer, PairBatch.of(space, users, items)))
    shape = (len(users), len(SHARES))
    in_list, deleted, inserted = np.zeros(shape, dtype=bool), np.zeros(shape), np.zeros(shape)
    for column, share in enumerate(SHARES):
        first = place < np.floor(share * count + 0.5)[:, None]
        scores = _scores_without(scorer, space, users, items, first)
        in_list[:, column] = ~off_the_list(scores, items, target, below) | ~first.any(axis=1)
        deleted[:, column] = _share(on_scale(scores), before)
        inserted[:, column] = _share(on_scale(_scores_without(scorer, space, users, items, ~first)), before)
    return PerturbationCurves(users, items, in_list, deleted, inserted)


def _as_it_is(scores: FloatVector) -> FloatVector:
    return scores.astype(np.float64)


def _share(score: FloatVector, before: FloatVector) -> FloatVector:
    """The score as a share of the score before; NaN where that was 0."""
    return np.divide(score, before, out=np.full(len(before), np.nan), where=before != 0)


def _scores_without(
    scorer: Scorer, space: AspectSpace, users: IntVector, items: IntVector, without: BoolMatrix
) -> np.ndarray:
    """The scores of the items if these aspects of them are absent."""
    found = np.empty(len(users), dtype=np.float32)
    for chunk in row_chunks(len(users), ROWS_AT_ONCE):
        pairs = PairBatch.of(space, users[chunk], items[chunk])
        quality = np.where(without[chunk], space.without, pairs.item_quality)
        found[chunk] = scores_of(scorer, pairs.with_quality(quality))
    return found
