"""How much of the collaborative part a score holds: the weights that are tried, what each gives, and the choice.

A user's weight is w_u = a · σ(f_u) / σ(c_u): both parts are standardised over the whole catalogue, once, at training,
and the one number ``a`` says how far the collaborative part spreads the items beside the aspects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from counterec.core.arrays import FloatVector, IntVector, require
from counterec.core.interactions import Interactions
from counterec.core.scorers.collaborative import Collaborative
from counterec.core.scorers.per_user import NO_ASPECTS, catalogue_of
from counterec.core.scorers.protocols import Scorer
from counterec.core.scorers.ranking import Progress, first_in_order, no_progress
from counterec.core.space import AspectSpace

Gain = Callable[[int, FloatVector], float]
"""From a validated user and the scores of the whole catalogue to the gain of the user's validation item."""


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


def balance(
    aspects: Scorer, related: Collaborative, space: AspectSpace, progress: Progress = no_progress
) -> FloatVector:
    """σ(f_u) / σ(c_u) over the whole catalogue for every user: the weights of ``a = 1``; 0 where nothing is related."""
    catalogue, everything = catalogue_of(aspects, space), np.arange(len(space.items))
    found = np.zeros(len(space.users), dtype=np.float32)
    for user in range(len(found)):
        spread = related.relatedness(user).std()
        if spread > 0:
            found[user] = catalogue.for_user(user).scores(everything).std(dtype=np.float64) / spread
        progress(1)
    return found


@dataclass(frozen=True)
class WeightTrial:
    """What the weights are tried on: the aspect part, the collaborative part balanced to it, and everybody's past."""

    aspects: Scorer
    related: Collaborative
    """With the weights of ``a = 1``."""
    space: AspectSpace
    past: Interactions
    """Training interactions: a user's past items do not compete."""
    k: int
    """The length of a list."""

    def front(self, weights: Sequence[float], users: IntVector, gain: Gain) -> tuple[FrontPoint, ...]:
        """Each weight on the lists of these users."""
        require(len(users) > 0, "there is no validated user to try weights on")
        gains = np.zeros((len(weights), len(users)))
        left, listed = np.zeros(len(weights)), np.zeros(len(weights))
        for row, (user, scored) in enumerate(self._scored(users)):
            for number, weight in enumerate(weights):
                offsets = (np.float32(weight) * scored.offsets).astype(np.float32)
                gains[number, row] = gain(user, scored.aspects + offsets)
                leaves = scored.leaves(offsets, self.k)
                left[number] += leaves.sum()
                listed[number] += len(leaves)
        shares = left / np.maximum(listed, 1)
        means = gains.mean(axis=1)
        return tuple(
            FrontPoint(weight, float(ndcg), float(share))
            for weight, ndcg, share in zip(weights, means, shares, strict=True)
        )

    def _scored(self, users: IntVector) -> Iterator[tuple[int, _ScoredCatalogue]]:
        catalogue, everything = catalogue_of(self.aspects, self.space), np.arange(len(self.space.items))
        for user in users.tolist():
            view = catalogue.for_user(user)
            offsets = self.related.user_weight[user] * self.related.relatedness(user)
            bare = view.scores_with_only(everything[:1], NO_ASPECTS)[0]
            own = np.setdiff1d(everything, self.past.of(user), assume_unique=True)
            yield user, _ScoredCatalogue(view.scores(everything), float(bare), offsets, own)


@dataclass(frozen=True)
class _ScoredCatalogue:
    """The catalogue of one user: both parts of every score, and what an item without aspects would have."""

    aspects: FloatVector
    bare: float
    offsets: FloatVector
    candidates: IntVector

    def leaves(self, offsets: FloatVector, k: int) -> FloatVector:
        """Whether each item of the list falls below the first item under it when it has no aspect; no list, no item."""
        own = self.candidates
        scores = (self.aspects + offsets)[own]
        first = own[first_in_order(scores, own, k + 1)]
        if len(first) <= k:
            return np.zeros(0)
        target = self.aspects[first[k]] + offsets[first[k]]
        return self.bare + offsets[first[:k]] < target


def chosen_point(front: Sequence[FrontPoint], min_explainable: float) -> FrontPoint:
    """The best NDCG among the weights with which enough items leave; if there is none, the one with which most do.

    Of equal ones the smaller weight: what is gained by aspects is explained by them.
    """
    enough = [point for point in front if point.leaving >= min_explainable]
    if not enough:
        most = max(point.leaving for point in front)
        enough = [point for point in front if point.leaving == most]
    return max(enough, key=lambda point: (point.ndcg, -point.weight))


def price_of_limit(front: Sequence[FrontPoint], chosen: FrontPoint) -> float:
    """By how much the best NDCG of all weights is above that of the chosen one."""
    return max(point.ndcg for point in front) - chosen.ndcg
