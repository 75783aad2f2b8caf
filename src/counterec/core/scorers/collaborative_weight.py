"""How much of the collaborative part a score holds: the weights that are tried, what each gives, and the choice.

A user's weight is w_u = a · σ(f_u) / σ(c_u): both parts are standardised over the whole catalogue, once, at training,
and the one number ``a`` says how far the collaborative part spreads the items beside the aspects.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch

from counterec.core.arrays import BoolVector, FloatMatrix, FloatVector, IntVector
from counterec.core.compute_limits import threads
from counterec.core.interactions import Interactions
from counterec.core.scorers.catalogue_validation import CatalogueValidation
from counterec.core.scorers.collaborative import Collaborative
from counterec.core.scorers.order import first_in_order
from counterec.core.scorers.per_user import NO_ASPECTS, catalogue_of
from counterec.core.scorers.protocols import Scorer
from counterec.core.scorers.side_by_side import available_cores
from counterec.core.space import AspectSpace

USERS_PER_THREAD = 50
"""Fewer users are not worth another thread."""


@dataclass(frozen=True)
class FrontPoint:
    """One weight, and what comes of it on the validation lists."""

    weight: float
    ndcg: float
    """Mean gain of the validation items over the whole catalogue."""
    leaving: float
    """Share of the recommended items that leave their list when all their aspects are absent."""
    short_answers: float | None = None
    """Share of the recommended items that a change of at most three aspects, to values that reviews can give, takes
    off; None where it was not counted."""

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def balance(aspects: Scorer, related: Collaborative, space: AspectSpace, users: IntVector | None = None) -> FloatVector:
    """σ(f_u) / σ(c_u) over the whole catalogue: the weights of ``a = 1``; 0 where nothing is related.

    Of all users, or of some; then those of the others are 0.
    """
    found = np.zeros(len(space.users), dtype=np.float32)
    everything = np.arange(len(space.items))

    def balance_some(some: IntVector) -> None:
        catalogue = catalogue_of(aspects, space)  # one for each thread: it has room that it writes to
        for user in some.tolist():
            spread = related.relatedness(user).std()
            if spread > 0:
                found[user] = catalogue.for_user(user).scores(everything).std(dtype=np.float64) / spread

    asked = np.arange(len(found)) if users is None else users
    parts = np.array_split(asked, max(1, min(available_cores(), len(asked) // USERS_PER_THREAD)))
    with threads(1), ThreadPoolExecutor(len(parts), initializer=torch.set_num_threads, initargs=(1,)) as pool:
        list(pool.map(balance_some, parts))
    return found


class WeightTrial:
    """The lists of the validated users under any weight: both parts of all scores are computed once."""

    def __init__(
        self,
        aspects: Scorer,
        related: Collaborative,
        space: AspectSpace,
        past: Interactions,
        validation: CatalogueValidation,
    ) -> None:
        """``related`` has the weights of ``a = 1``; items of a user's past do not compete."""
        self._validation, self._past = validation, past
        catalogue, everything = catalogue_of(aspects, space), np.arange(len(space.items))
        users = validation.users.tolist()
        views = [catalogue.for_user(user) for user in users]
        self._aspects = np.stack([view.scores(everything) for view in views])
        self._bare = np.concatenate([view.scores_with_only(everything[:1], NO_ASPECTS) for view in views])
        """What an item without any aspect would have, before its offset."""
        self._offsets = np.stack([related.offset(np.full(len(everything), user), everything) for user in users])

    def gains(self, weight: float) -> FloatVector:
        """The gain of each validated user."""
        scores = self._aspects + np.float32(weight) * self._offsets
        return gains_of(scores, self._validation)

    def leaving(self, weight: float, k: int) -> BoolVector:
        """For each item of each list of K: does it fall below the first item under the list if it has no aspect?"""
        found = [np.zeros(0, dtype=bool)]
        for row, user in enumerate(self._validation.users.tolist()):
            offsets = np.float32(weight) * self._offsets[row]
            scores = self._aspects[row] + offsets
            own = np.setdiff1d(np.arange(len(scores)), self._past.of(user), assume_unique=True)
            first = own[first_in_order(scores[own], own, k + 1)]
            if len(first) > k:  # without a first item under the list nothing can leave it
                found.append(self._bare[row] + offsets[first[:k]] < scores[first[k]])
        return np.concatenate(found)

    def front(self, weights: Sequence[float], k: int) -> tuple[FrontPoint, ...]:
        """What each weight gives; a share is 1 where there is no list that an item could leave."""
        points = []
        for weight in weights:
            leaving = self.leaving(weight, k)
            share = float(leaving.mean()) if len(leaving) else 1.0
            points.append(FrontPoint(weight, float(self.gains(weight).mean()), share))
        return tuple(points)


def gains_of(scores: FloatMatrix, validation: CatalogueValidation) -> FloatVector:
    """The gains of the validated users by a table of their scores [users, items]."""

    def of(users: IntVector) -> FloatMatrix:
        return scores[np.searchsorted(validation.users, users)]

    return validation.gains(of)


def chosen_point(front: Sequence[FrontPoint], min_explainable: float) -> FrontPoint:
    """The best NDCG among the weights with which enough items leave; if there is none, among those with which most do.

    Of equal ones the smaller weight: what aspects bring is explained by them.
    """
    enough = [point for point in front if point.leaving >= min_explainable]
    if not enough:
        most = max(point.leaving for point in front)
        enough = [point for point in front if point.leaving == most]
    return max(enough, key=lambda point: (point.ndcg, -point.weight))


def price_of_limit(front: Sequence[FrontPoint], chosen: FrontPoint) -> float:
    """By how much the best NDCG of all weights is above that of the chosen one."""
    return max(point.ndcg for point in front) - chosen.ndcg
