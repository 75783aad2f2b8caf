"""What aspects usually do: a model's effects, as far as attention and commonness tell them.

How much one aspect does for one pair is partly the chance of a training. What the model does in general, with aspects
that the user cares about and with those that many items have, another training finds again:

    effect(u, i, a) ≈ c(u, i) + β₁ · attention(u, a) + β₂ · commonness(a)

by least squares, neither slope below 0, over pairs that are drawn from the whole space: what is found for a pair must
not depend on which others are asked about.
"""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector
from counterec.core.halving import by_halves
from counterec.core.scorers.protocols import PairBatch, Scorer
from counterec.core.space import AspectSpace
from counterec.randomness import generator

PAIRS = 100
"""So many pairs are drawn."""


class UsualEffects:
    """What each aspect usually does for a user."""

    def __init__(self, scorer: Scorer, space: AspectSpace) -> None:
        self._space = space
        self._present = space.item_quality != space.scale.absent
        share = self._present.mean(axis=0, dtype=np.float32)
        self._commonness = share / max(float(share.max(initial=0)), 1e-9)
        self.slopes: FloatVector = self._fitted(scorer)
        """β₁ and β₂."""

    def of(self, user: int) -> FloatVector:
        """The effect of every aspect for a user, the largest of them being 1 or −1; all 0 where nothing can be told."""
        usual = self._told_by(np.array([user]))[0] @ self.slopes
        return usual / max(float(np.abs(usual).max(initial=0)), 1e-9)

    def _told_by(self, users: IntVector) -> FloatMatrix:
        """[users, aspects, 2]: attention, relative to the aspect that the user cares about most, and commonness."""
        attention = self._space.user_attention[users]
        attention = attention / np.maximum(attention.max(axis=1, keepdims=True, initial=0), 1e-9)
        return np.stack([attention, np.broadcast_to(self._commonness, attention.shape)], axis=2)

    def _fitted(self, scorer: Scorer) -> FloatVector:
        """Least squares around each pair's mean, over the pairs that can be scored."""
        users, items = self._drawn()
        told: list[FloatMatrix] = [np.empty((0, 2))]
        effects: list[FloatVector] = [np.empty(0)]

        def work(rows: IntVector) -> None:
            pair, aspect = np.nonzero(self._present[items[rows]])
            found = self._effects(scorer, users[rows], items[rows], pair, aspect)
            told.append(_around_means(self._told_by(users[rows])[pair, aspect], pair))
            effects.append(_around_means(found[:, None], pair)[:, 0])

        by_halves(users, work, on_failure=lambda _user, _error: None)
        return _slopes(np.concatenate(told), np.concatenate(effects))

    def _drawn(self) -> tuple[IntVector, IntVector]:
        """Users and items with aspects to compare; an item as often as it has aspects: those are recommended most."""
        random = generator(0, "usual effects")
        aspects = self._present.sum(axis=1)
        chance = np.where(aspects > 1, aspects, 0).astype(np.float64)
        pairs = PAIRS if chance.any() else 0
        users = random.integers(len(self._space.users), size=pairs)
        return users, random.choice(len(chance), pairs, p=chance / chance.sum()) if pairs else users

    def _effects(
        self, scorer: Scorer, users: IntVector, items: IntVector, pair: IntVector, aspect: IntVector
    ) -> FloatVector:
        """By how much the score falls when a pair's item loses an aspect."""
        pairs = PairBatch.of(self._space, users, items)
        quality = pairs.item_quality[pair]
        quality[np.arange(len(pair)), aspect] = self._space.scale.absent[aspect]
        return scorer.score(pairs)[pair] - scorer.score(pairs.rows(pair).with_quality(quality))


def _slopes(told: FloatMatrix, effects: FloatVector) -> FloatVector:
    """The least squares with no slope below 0: that of all, or of those that are not below 0 without the others."""
    slopes: FloatVector = np.linalg.lstsq(told, effects, rcond=None)[0]
    if (slopes < 0).any():
        alone = told.T @ effects / np.maximum((told**2).sum(axis=0), 1e-9)
        slopes = np.where(slopes < 0, 0, np.maximum(alone, 0))
    return slopes


def _around_means(values: FloatMatrix, group: IntVector) -> FloatMatrix:
    """Values less the mean of their group; groups are numbered from 0."""
    sums = np.zeros((int(group.max(initial=-1)) + 1, values.shape[1]))
    np.add.at(sums, group, values)
    return values - (sums / np.maximum(np.bincount(group), 1)[:, None])[group]
