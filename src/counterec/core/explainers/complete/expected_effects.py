"""What aspects usually do: a model's effects, as far as attention and commonness tell them.

How much one aspect does for one pair is partly the chance of a training. What the model does in general, with aspects
that the user cares about and with those that many items have, another training finds again:

    effect(u, i, a) ≈ c(u, i) + β₁ · attention(u, a) + β₂ · commonness(a)

by least squares, neither slope below 0, over pairs that are drawn from the whole space: what is found for a pair must
not depend on which others are asked about.
"""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector, require_finite
from counterec.core.failures import isolate_failures
from counterec.core.scorers.catalogue import Catalogue
from counterec.core.space import AspectSpace
from counterec.randomness import generator

PAIRS = 100
"""So many pairs are drawn."""


class ExpectedEffects:
    """What each aspect usually does for a user."""

    def __init__(self, catalogue: Catalogue, space: AspectSpace) -> None:
        self._catalogue, self._space = catalogue, space
        self._present = space.item_quality != space.scale.absent
        share = self._present.mean(axis=0, dtype=np.float32)
        self._commonness = share / max(float(share.max(initial=0)), 1e-9)
        self.slopes: FloatVector = self._fitted()
        """β₁ and β₂."""

    def of(self, user: int) -> FloatVector:
        """The effect of every aspect for a user, the largest of them being 1; all 0 where nothing can be told."""
        usual = self._told_by(user) @ self.slopes
        return usual / max(float(usual.max(initial=0)), 1e-9)

    def _told_by(self, user: int) -> FloatMatrix:
        """[aspects, 2]: attention, relative to the aspect that the user cares about most, and commonness."""
        attention = self._space.user_attention[user]
        return np.stack([attention / max(float(attention.max(initial=0)), 1e-9), self._commonness], axis=1)

    def _fitted(self) -> FloatVector:
        """Least squares around each pair's mean, over the pairs that can be scored."""
        users, items = self._drawn()
        told: list[FloatMatrix] = [np.empty((0, 2))]
        effects: list[FloatVector] = [np.empty(0)]

        def work(rows: IntVector) -> None:
            pairs = [
                (user, item, np.flatnonzero(self._present[item]))
                for user, item in zip(users[rows].tolist(), items[rows].tolist(), strict=True)
            ]
            effects.extend([_around_mean(self._effects(*pair)) for pair in pairs])
            told.extend(_around_mean(self._told_by(user)[aspects]) for user, _, aspects in pairs)

        isolate_failures(users, work, on_failure=lambda _user, _error: None)
        return _slopes(np.concatenate(told), np.concatenate(effects))

    def _drawn(self) -> tuple[IntVector, IntVector]:
        """Users and items with aspects to compare; an item as often as it has aspects: those are recommended most."""
        random = generator(0, "usual effects")
        aspects = self._present.sum(axis=1)
        chance = np.where(aspects > 1, aspects, 0).astype(np.float64)
        if not chance.any():
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
        users = random.integers(len(self._space.users), size=PAIRS)
        return users, random.choice(len(chance), PAIRS, p=chance / chance.sum())

    def _effects(self, user: int, item: int, aspects: IntVector) -> FloatVector:
        """By how much the score falls when the item loses each of these aspects."""
        self._catalogue.turn_to(user)
        lost = np.vstack([np.zeros(len(aspects), dtype=bool), np.eye(len(aspects), dtype=bool)])
        scores = self._catalogue.scores_without_each(np.full(len(lost), item), aspects, lost)
        require_finite("scores", scores)
        return scores[0] - scores[1:]


def _slopes(told: FloatMatrix, effects: FloatVector) -> FloatVector:
    """The least squares with no slope below 0: that of all, or of those that are not below 0 without the others."""
    slopes: FloatVector = np.linalg.lstsq(told, effects, rcond=None)[0]
    if (slopes < 0).any():
        alone = told.T @ effects / np.maximum((told**2).sum(axis=0), 1e-9)
        slopes = np.where(slopes < 0, 0, np.maximum(alone, 0))
    return slopes


def _around_mean(values: FloatMatrix) -> FloatMatrix:
    """What is left of each column without its mean."""
    return values - values.mean(axis=0)
