"""Rivals: for many sets of aspects at once, how many items would be ahead without the set, and with only the set.

``evaluation.necessity`` decides one set exactly. This counts for many sets, over the candidates and over a *reserve*:
items that could as well have been candidates. A verdict that depends on a single rival does not survive another draw of
candidates; the expected number of rivals ahead says how likely it does.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from math import lgamma

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, FloatMatrix, FloatVector, IntVector
from counterec.core.evaluation.necessity import NO_ITEMS, Head
from counterec.core.explainers.tolerances import BATCH_ROUNDING, TIED
from counterec.core.scorers.per_user import NO_ASPECTS, UserCatalogue
from counterec.core.space import AspectSpace
from counterec.randomness import generator

ENOUGH = 0.95
"""A likelihood above this counts no more than this."""

MOST_RIVALS = 400
"""If there are more candidates than this, half as many of the best are looked at, and a sample of the rest."""


@dataclass(frozen=True)
class Counts:
    """Per set: whether it holds among the candidates, and how likely it would among others drawn like them."""

    necessary: BoolVector
    sufficient: BoolVector
    """Counts as true where no set could be, since the item stays with no aspect at all."""
    likely_necessary: FloatVector
    likely_sufficient: FloatVector
    settled: BoolVector
    """Whether both verdicts hold among all candidates, however scores are rounded."""

    @property
    def holds(self) -> IntVector:
        """How many of the two verdicts hold."""
        return self.necessary.astype(np.int64) + self.sufficient

    @property
    def likely(self) -> FloatVector:
        """The sum of the two likelihoods, each up to ``ENOUGH``."""
        return np.minimum(self.likely_necessary, ENOUGH) + np.minimum(self.likely_sufficient, ENOUGH)


@dataclass(frozen=True)
class Rivals:
    """The rivals of one user's items, as far as they are looked at."""

    catalogue: UserCatalogue = field(repr=False)
    space: AspectSpace = field(repr=False)
    k: int
    aspects_only: bool
    items: IntVector
    scores: FloatVector
    own: BoolVector
    """Which of the items are candidates; the others belong to the reserve."""
    weights: FloatVector
    """How many rivals each item stands for."""
    all_candidates: bool
    """Whether all candidates are looked at."""
    head: Head
    """The beginning of the ranking of the candidates; mostly all of it."""
    score_of_nothing: float
    """The score of an item that has no aspect, if only aspects count; offsets apart."""
    anyway: IntVector
    """The items that stay in the list with no aspect at all: no set of theirs is sufficient, and none is sought."""

    @classmethod
    def of(
        cls,
        catalogue: UserCatalogue,
        space: AspectSpace,
        k: int,
        aspects_only: bool,
        candidates: IntVector,
        reserve: IntVector,
        anyway: IntVector = NO_ITEMS,
    ) -> Rivals:
        """Look at the candidates and at the reserve, which holds further items, none of them a candidate."""
        items = np.concatenate([candidates, reserve])
        scores = catalogue.scores(items)
        own = np.arange(len(items)) < len(candidates)
        best = np.lexsort((candidates, -scores[: len(candidates)]))[:MOST_RIVALS]
        weights = _weights(scores, own)
        looked_at = weights > 0
        return cls(
            catalogue=catalogue,
            space=space,
            k=k,
            aspects_only=aspects_only,
            items=items[looked_at],
            scores=scores[looked_at],
            own=own[looked_at],
            weights=weights[looked_at],
            all_candidates=len(candidates) <= MOST_RIVALS,
            head=Head(candidates[best], scores[best]),
            score_of_nothing=float(catalogue.aspect_part.scores_with_only(items[looked_at][:1], NO_ASPECTS)[0]),
            anyway=anyway,
        )

    def looking_at(self, candidates: IntVector) -> Rivals:
        """The rivals with these candidates among them, each of which stands for itself."""
        new = np.setdiff1d(candidates, self.items)
        return replace(
            self,
            items=np.concatenate([self.items, new]),
            scores=np.concatenate([self.scores, self.catalogue.scores(new)]),
            own=np.concatenate([self.own, np.ones(len(new), dtype=bool)]),
            weights=np.concatenate([self.weights, np.ones(len(new), dtype=np.float32)]),
        )

    @cached_property
    def _largest(self) -> float:
        return float(np.abs(self.scores).max(initial=0))

    @cached_property
    def _quality(self) -> FloatMatrix:
        return self.space.item_quality[self.items]

    @cached_property
    def _present(self) -> FloatMatrix:
        return (self._quality != self.space.scale.absent).astype(np.float32)

    def counts(self, items: IntVector, named: BoolMatrix) -> Counts:
        """Count for many sets, one row of ``named`` [sets, aspects] each; set i belongs to ``items[i]``."""
        aspects = np.flatnonzero(named.any(axis=0))
        sets = named[:, aspects]
        has_some = self._present[:, aspects] @ sets.T.astype(np.float32) > 0
        has_some &= self.items[:, None] != items
        without = self._at_least_k(*self._ahead_without(items, aspects, sets, has_some))
        left = self._at_least_k(*self._ahead_with_only(items, aspects, sets, has_some))
        anyway = np.isin(items, self.anyway)
        return Counts(
            necessary=without.reached,
            sufficient=~left.reached | anyway,
            likely_necessary=without.likely,
            likely_sufficient=np.where(anyway, 1.0, 1 - left.likely),
            # Too few ahead without an aspect is never certain: items that were behind are only assumed to stay there.
            settled=without.surely & (left.surely | (left.surely_not & self.all_candidates) | anyway),
        )

    def _at_least_k(self, ahead: BoolMatrix, near: BoolMatrix) -> _Reach:
        """Whether K candidates are ahead; and how likely, if the number is Poisson distributed around its mean."""
        own, doubtful = ahead[self.own], near[self.own]
        expected = np.maximum(self.weights @ ahead, 1e-9)
        # By logarithms: λⁿ and n! overflow if K is large.
        exactly = np.exp(np.arange(self.k)[:, None] * np.log(expected) - expected - _log_factorials(self.k))
        return _Reach(
            reached=own.sum(axis=0) >= self.k,
            likely=1 - exactly.sum(axis=0),
            surely=(own & ~doubtful).sum(axis=0) >= self.k,
            surely_not=(own | doubtful).sum(axis=0) < self.k,
        )

    def _ahead_without(
        self, items: IntVector, aspects: IntVector, sets: BoolMatrix, has_some: BoolMatrix
    ) -> tuple[BoolMatrix, BoolMatrix]:
        """Who is ahead without the set: items with none of it keep their score; items behind are assumed to stay."""
        own = self.catalogue.scores_without_each(items, aspects, sets)
        world = np.repeat(self.scores[:, None], len(sets), axis=1)
        rival, which = np.nonzero(has_some & (world >= own))
        world[rival, which] = self.catalogue.scores_without_each(self.items[rival], aspects, sets[which])
        return self._ahead(items, world, own)

    def _ahead_with_only(
        self, items: IntVector, aspects: IntVector, sets: BoolMatrix, has_some: BoolMatrix
    ) -> tuple[BoolMatrix, BoolMatrix]:
        """Who is ahead with only the set: if only aspects count, items with equal values on it share one score.

        Offsets apart: each has its own.
        """
        rival, which = np.nonzero(has_some | (not self.aspects_only))
        first = group = np.arange(len(rival))
        if self.aspects_only:
            values = np.where(sets[which], self._quality[np.ix_(rival, aspects)], 0)
            first, group = _equal_values(values, which, _digits(len(self.space.aspects))[aspects])
        scored = np.concatenate([items, self.items[rival[first]]])
        chosen, view = np.concatenate([sets, sets[which[first]]]), self.catalogue
        scores = view.aspect_part.scores_with_only_each(scored, aspects, chosen)
        nothing = np.full(len(self.items), self.score_of_nothing, dtype=np.float32)
        world = np.repeat(view.with_offsets(self.items, nothing)[:, None], len(sets), axis=1)
        world[rival, which] = view.with_offsets(self.items[rival], scores[len(sets) :][group])
        return self._ahead(items, world, view.with_offsets(items, scores[: len(sets)]))

    def _ahead(self, items: IntVector, world: FloatMatrix, own: FloatVector) -> tuple[BoolMatrix, BoolMatrix]:
        """Who is ahead of the items, and who is so near that rounding may decide."""
        others = self.items[:, None] != items
        apart, scale = np.abs(world - own), np.maximum(self._largest, np.abs(own))
        ahead = np.where(apart <= TIED * scale, self.items[:, None] < items, world > own)
        return ahead & others, (apart <= BATCH_ROUNDING * scale) & others


@dataclass(frozen=True)
class _Reach:
    """Per set: whether K rivals are ahead, how likely that is among others, and whether it is certain."""

    reached: BoolVector
    likely: FloatVector
    surely: BoolVector
    surely_not: BoolVector


def _weights(scores: FloatVector, own: BoolVector) -> FloatVector:
    """How many rivals each item stands for; 0 if it is not looked at.

    Candidates and reserve count half each, if there is a reserve. So many candidates that only a part of them is looked
    at need no reserve.
    """
    candidates, reserve = int(own.sum()), int((~own).sum())
    if candidates <= MOST_RIVALS:
        beside = 0.5 * candidates / reserve if reserve else 0.0
        return np.where(own, 0.5 if reserve else 1.0, beside).astype(np.float32)
    best = np.argsort(-np.where(own, scores, -np.inf), kind="stable")[: MOST_RIVALS // 2]
    rest = np.setdiff1d(np.flatnonzero(own), best)
    sample = rest[:: max(1, len(rest) // (MOST_RIVALS // 2))]
    weights = np.zeros(len(own), dtype=np.float32)
    weights[best], weights[sample] = 1, len(rest) / len(sample)
    return weights


def _equal_values(values: FloatMatrix, which: IntVector, digits: FloatVector) -> tuple[IntVector, IntVector]:
    """Group rows with equal values and equal ``which``: the first row of each group, and each row's group.

    Equal values give equal keys, and different ones hardly ever; if they do, every row is a group of its own.
    """
    keys = values @ digits
    keys += which * (1 + np.ptp(keys)) if len(keys) else 0
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    if (values != values[first][group]).any():
        return np.arange(len(values)), np.arange(len(values))
    return first, group


@lru_cache
def _digits(aspects: int) -> FloatVector:
    """One random factor per aspect: the sum of value · factor is a key of the values."""
    return generator(0, "keys of aspect values").random(aspects)


@lru_cache
def _log_factorials(k: int) -> FloatMatrix:
    """ln n! for n = 0 … K−1, one row each."""
    return np.array([[lgamma(n + 1)] for n in range(k)])
