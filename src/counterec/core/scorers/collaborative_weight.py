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
from counterec.core.compute_limits import available_cores, threads
from counterec.core.interactions import Interactions
from counterec.core.scorers.catalogue_validation import CatalogueValidation
from counterec.core.scorers.collaborative import Collaborative
from counterec.core.scorers.order import first_in_order
from counterec.core.scorers.per_user import NO_ASPECTS, catalogue_of
from counterec.core.scorers.protocols import Scorer
from counterec.core.scorers.screened_lists import screened_lists
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


class KeptScores:
    """The scores of the whole catalogue by the aspect part, kept for some users while everybody's are computed."""

    def __init__(self, users: IntVector, n_items: int) -> None:
        self.users = users
        """Sorted; rows are in this order."""
        self.scores = np.empty((len(users), n_items), dtype=np.float32)
        self._row_of = {user: row for row, user in enumerate(users.tolist())}

    def __contains__(self, user: int) -> bool:
        return user in self._row_of

    def keep(self, user: int, scores: FloatVector) -> None:
        """Remember the scores of a user who is one of these."""
        self.scores[self._row_of[user]] = scores


def balance(
    aspects: Scorer,
    related: Collaborative,
    space: AspectSpace,
    users: IntVector | None = None,
    kept: KeptScores | None = None,
) -> FloatVector:
    """σ(f_u) / σ(c_u) over the whole catalogue: the weights of ``a = 1``; 0 where nothing is related.

    Of all users, or of some; then those of the others are 0. ``kept`` gets the scores of its users. In a large
    catalogue, σ(f_u) is that of a screen's scores (``screened_lists``), in practice some thousandths off.
    """
    found = np.zeros(len(space.users), dtype=np.float32)
    everything = np.arange(len(space.items))

    def balance_some(some: IntVector) -> None:
        catalogue = catalogue_of(aspects, space)  # one per thread, and a screen: both have room that they write to
        screen = screened_lists(catalogue)

        def scores_of(user: int) -> FloatVector:
            return catalogue.for_user(user).scores(everything)

        for user in some.tolist():
            spread = related.relatedness(user).std()
            if kept is not None and user in kept:
                kept.keep(user, scores_of(user))
            if spread > 0:
                own = screen.spread(user) if screen is not None else scores_of(user).std(dtype=np.float64)
                found[user] = own / spread

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
        kept: KeptScores,
    ) -> None:
        """``related`` has the weights of ``a = 1``; items of a user's past do not compete.

        ``kept`` holds the scores of the validated users by the aspect part.
        """
        self._validation, self._past = validation, past
        catalogue, everything = catalogue_of(aspects, space), np.arange(len(space.items))
        users = validation.users.tolist()
        views = [catalogue.for_user(user) for user in users]
        self._aspects = kept.scores
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

    def as_good(self, best: FrontPoint, others: Sequence[FrontPoint]) -> tuple[FrontPoint, ...]:
        """Those of the others that are behind the best by no more than a standard error, paired over the users."""
        top = self.gains(best.weight)
        behind = [(point, top - self.gains(point.weight)) for point in others]
        error = np.sqrt(max(1, len(top)))
        return tuple(point for point, loss in behind if loss.mean() <= loss.std() / error)


def gains_of(scores: FloatMatrix, validation: CatalogueValidation) -> FloatVector:
    """The gains of the validated users by a table of their scores [users, items]."""

    def of(users: IntVector) -> FloatMatrix:
        return scores[np.searchsorted(validation.users, users)]

    return validation.gains(of)


def allowed_points(front: Sequence[FrontPoint], min_explainable: float) -> tuple[FrontPoint, ...]:
    """The weights with which enough items leave; if there is none, those with which most do."""
    least = min(min_explainable, max(point.leaving for point in front))
    return tuple(point for point in front if point.leaving >= least)


def best_point(front: Sequence[FrontPoint]) -> FrontPoint:
    """The best NDCG; of equal ones the smaller weight."""
    return max(front, key=lambda point: (point.ndcg, -point.weight))


def chosen_point(trial: WeightTrial, front: Sequence[FrontPoint], min_explainable: float, usual: float) -> FrontPoint:
    """Of the allowed weights that are as good as the best of them, by what so few users can tell, the most usual one.

    The epochs of the nets were chosen by the gains of the same items: these flatter the nets, and with them the small
    weights. Where few users are validated, the best weight is chance, and differs from one training to the next.
    """
    allowed = allowed_points(front, min_explainable)
    return min(trial.as_good(best_point(allowed), allowed), key=lambda point: abs(point.weight - usual))


def price_of_limit(front: Sequence[FrontPoint], min_explainable: float) -> float:
    """By how much the best NDCG of all weights is above that of the allowed ones."""
    return best_point(front).ndcg - best_point(allowed_points(front, min_explainable)).ndcg
