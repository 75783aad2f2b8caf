"""Rivals: how many items would be ahead of one in worlds without some aspects, and with only these, for many sets.

What ``standing`` decides for one set exactly, this counts for many sets at once, over the candidates and over a
*reserve*: items that could as well have been candidates. A verdict that hangs on one rival more or less does not
survive another draw of candidates; the expected number of rivals ahead says how likely it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import lgamma

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, FloatMatrix, FloatVector, IntVector
from counterec.core.evaluation.necessity import Head
from counterec.core.explainers.tolerances import BATCH_ROUNDING, TIED
from counterec.core.scorers.catalogue import Catalogue
from counterec.core.scorers.ranking import SharedScores
from counterec.core.space import AspectSpace
from counterec.randomness import generator

ENOUGH = 0.95
"""A likelihood beyond this is as good as any."""

MOST_RIVALS = 400
"""Of more candidates than this, the better half of so many is looked at, and a sample of the rest."""


@dataclass(frozen=True)
class Counts:
    """Per set: whether it holds among the candidates, and how likely it would among others drawn like them."""

    necessary: BoolVector
    sufficient: BoolVector
    likely_necessary: FloatVector
    likely_sufficient: FloatVector
    settled: BoolVector
    """Whether both verdicts are those of all candidates, whatever rounding may have done to a score."""

    @property
    def holds(self) -> IntVector:
        """How many of the two hold."""
        return self.necessary.astype(np.int64) + self.sufficient

    @property
    def likely(self) -> FloatVector:
        """The two likelihoods, added, each as far as it matters."""
        return np.minimum(self.likely_necessary, ENOUGH) + np.minimum(self.likely_sufficient, ENOUGH)


class Rivals:
    """One user's rivals, and how many of them are ahead of an item in other worlds."""

    def __init__(self, shared: SharedScores, space: AspectSpace, k: int, aspects_only: bool) -> None:
        self._shared, self._space, self._k, self._aspects_only = shared, space, k, aspects_only
        self._catalogue: Catalogue = shared.catalogue
        self._log_factorials = np.array([[lgamma(n + 1)] for n in range(k)])
        # Equal values give equal keys, and different ones hardly ever; where they do, everybody is scored.
        self._digits = generator(0, "keys of aspect values").random(len(space.aspects))

    def turn_to(self, user: int, candidates: IntVector, reserve: IntVector) -> None:
        """Turn to a user with these candidates; ``reserve`` holds further items, none of them a candidate."""
        self._user, self._items = user, np.concatenate([candidates, reserve])
        self._scores = self._shared.of(user, self._items)
        own = np.arange(len(self._items)) < len(candidates)
        best = np.lexsort((candidates, -self._scores[: len(candidates)]))[:MOST_RIVALS]
        self.head = Head(candidates[best], self._scores[best])
        """The beginning of the ranking of the candidates; mostly all of it."""
        weights = self._weighed(own)
        looked_at = weights > 0
        self._all = len(candidates) <= MOST_RIVALS
        self._items, self._scores = self._items[looked_at], self._scores[looked_at]
        self._own, self._weights = own[looked_at], weights[looked_at]
        self._describe()
        self._nothing = float(self._catalogue.scores_with_only(self._items[:1], np.empty(0, dtype=np.int64))[0])

    @contextmanager
    def looking_further(self) -> Iterator[None]:
        """Whoever is looked at in here, too, is not any more afterwards."""
        before = self._items, self._scores, self._own, self._weights
        try:
            yield
        finally:
            self._items, self._scores, self._own, self._weights = before
            self._describe()

    def look_at(self, items: IntVector) -> None:
        """Look at these candidates, too; each stands for itself."""
        new = np.setdiff1d(items, self._items)
        self._items = np.concatenate([self._items, new])
        self._scores = np.concatenate([self._scores, self._shared.of(self._user, new)])
        self._own = np.concatenate([self._own, np.ones(len(new), dtype=bool)])
        self._weights = np.concatenate([self._weights, np.ones(len(new), dtype=np.float32)])
        self._describe()

    def _describe(self) -> None:
        """What the items looked at have."""
        self._quality = self._space.item_quality[self._items]
        self._present = (self._quality != self._space.scale.absent).astype(np.float32)

    def _weighed(self, own: BoolVector) -> FloatVector:
        """For how many rivals each one stands: candidates and reserve count half each, where there is a reserve.

        So many candidates that not all are looked at need no reserve beside them.
        """
        candidates, reserve = int(own.sum()), int((~own).sum())
        if candidates <= MOST_RIVALS:
            beside = 0.5 * candidates / reserve if reserve else 0.0
            return np.where(own, 0.5 if reserve else 1.0, beside).astype(np.float32)
        best = np.argsort(-np.where(own, self._scores, -np.inf), kind="stable")[: MOST_RIVALS // 2]
        rest = np.setdiff1d(np.flatnonzero(own), best)
        sample = rest[:: max(1, len(rest) // (MOST_RIVALS // 2))]
        weights = np.zeros(len(own), dtype=np.float32)
        weights[best], weights[sample] = 1, len(rest) / len(sample)
        return weights

    def counts(self, items: IntVector, named: BoolMatrix) -> Counts:
        """Count for many sets of aspects, flags over all of them, each a set of the item beside it."""
        aspects = np.flatnonzero(named.any(axis=0))
        sets = named[:, aspects]
        has_some = self._present[:, aspects] @ sets.T.astype(np.float32) > 0
        has_some &= self._items[:, None] != items
        without = self._at_least_k(*self._ahead_without(items, aspects, sets, has_some))
        left = self._at_least_k(*self._ahead_with_only(items, aspects, sets, has_some))
        return Counts(
            necessary=without.reached,
            sufficient=~left.reached,
            likely_necessary=without.likely,
            likely_sufficient=1 - left.likely,
            # That too few are ahead is never sure without an aspect: who was behind is only taken to stay so.
            settled=without.surely & (left.surely | (left.surely_not & self._all)),
        )

    def _at_least_k(self, ahead: BoolMatrix, near: BoolMatrix) -> _Reach:
        """Whether K candidates are ahead; and how likely, were the number Poisson distributed around its mean."""
        own, doubtful = ahead[self._own], near[self._own]
        expected = np.maximum(self._weights @ ahead, 1e-9)
        # By logarithms: λⁿ and n! are beyond any float where K is large.
        exactly = np.exp(np.arange(self._k)[:, None] * np.log(expected) - expected - self._log_factorials)
        return _Reach(
            reached=own.sum(axis=0) >= self._k,
            likely=1 - exactly.sum(axis=0),
            surely=(own & ~doubtful).sum(axis=0) >= self._k,
            surely_not=(own | doubtful).sum(axis=0) < self._k,
        )

    def _ahead_without(
        self, items: IntVector, aspects: IntVector, sets: BoolMatrix, has_some: BoolMatrix
    ) -> tuple[BoolMatrix, BoolMatrix]:
        """Who is ahead without the set: who has none of it keeps its score, and who was behind is taken to stay so."""
        own = self._catalogue.scores_without_each(items, aspects, sets)
        world = np.repeat(self._scores[:, None], len(sets), axis=1)
        rival, which = np.nonzero(has_some & (world >= own))
        world[rival, which] = self._catalogue.scores_without_each(self._items[rival], aspects, sets[which])
        return self._ahead(items, world, own)

    def _ahead_with_only(
        self, items: IntVector, aspects: IntVector, sets: BoolMatrix, has_some: BoolMatrix
    ) -> tuple[BoolMatrix, BoolMatrix]:
        """Who is ahead with only the set: those alike on it share one score, and so do all that have none of it.

        Not so under a scorer that knows more of an item than its aspects: there, everybody is scored.
        """
        rival, which = np.nonzero(has_some | (not self._aspects_only))
        if self._aspects_only:
            values = np.where(sets[which], self._quality[np.ix_(rival, aspects)], 0)
            keys = values @ self._digits[aspects]
            keys += which * (1 + np.ptp(keys)) if len(keys) else 0
            _, first, group = np.unique(keys, return_index=True, return_inverse=True)
            if (values != values[first][group]).any():
                first = group = np.arange(len(rival))
        else:
            first = group = np.arange(len(rival))
        scored = np.concatenate([items, self._items[rival[first]]])
        scores = self._catalogue.scores_with_only_each(scored, aspects, np.concatenate([sets, sets[which[first]]]))
        world = np.full((len(self._items), len(sets)), self._nothing, dtype=np.float32)
        world[rival, which] = scores[len(sets) :][group]
        return self._ahead(items, world, scores[: len(sets)])

    def _ahead(self, items: IntVector, world: FloatMatrix, own: FloatVector) -> tuple[BoolMatrix, BoolMatrix]:
        """Who is ahead of the items, and who is so near that rounding may decide."""
        others = self._items[:, None] != items
        apart, scale = np.abs(world - own), np.maximum(1, np.abs(own))
        ahead = np.where(apart <= TIED * scale, self._items[:, None] < items, world > own)
        return ahead & others, (apart <= BATCH_ROUNDING * scale) & others


@dataclass(frozen=True)
class _Reach:
    """Per set: whether K are ahead, how likely elsewhere, and whether that is sure."""

    reached: BoolVector
    likely: FloatVector
    surely: BoolVector
    surely_not: BoolVector
