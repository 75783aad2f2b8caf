"""Expected effects: what an aspect does under a model, as far as attention and commonness predict it.

How much one aspect does for one pair is partly the chance of one training. What the model does in general, with aspects
that the user cares about and with aspects that many items have, another training finds again:

    effect(u, i, a) ≈ c(u, i) + β₁ · attention(u, a) + β₂ · commonness(a)

by least squares with no slope below 0, over pairs drawn from the whole space: the answer for a pair must not depend on
which other pairs are asked about.
"""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector, require_finite
from counterec.core.failure_isolation import isolate_failures
from counterec.core.scorers.catalogue import Catalogue
from counterec.core.space import AspectSpace
from counterec.randomness import generator

PAIRS = 100
"""How many pairs are drawn."""

TINY = 1e-30
"""Keeps a division from being one by 0, however small all scores are."""


class ExpectedEffects:
    """What each aspect is expected to do for a user."""

    def __init__(self, catalogue: Catalogue, space: AspectSpace) -> None:
        self._catalogue, self._space = catalogue, space
        self._present = space.item_quality != space.scale.absent
        share = self._present.mean(axis=0, dtype=np.float32)
        self._commonness = share / max(float(share.max(initial=0)), 1e-9)
        self.slopes: FloatVector = self._fitted()
        """β₁ and β₂."""

    def of(self, user: int) -> FloatVector:
        """The effect of every aspect for a user, scaled so that the largest is 1; all 0 if nothing predicts it."""
        effects = self._predictors(user) @ self.slopes
        return effects / max(float(effects.max(initial=0)), TINY)

    def _predictors(self, user: int) -> FloatMatrix:
        """[aspects, 2]: attention, relative to the aspect that the user cares about most, and commonness."""
        attention = self._space.user_attention[user]
        return np.stack([attention / max(float(attention.max(initial=0)), 1e-9), self._commonness], axis=1)

    def _fitted(self) -> FloatVector:
        """Least squares around each pair's mean, over the pairs that can be scored."""
        users, items = self._drawn()
        predictors: list[FloatMatrix] = [np.empty((0, 2))]
        effects: list[FloatVector] = [np.empty(0)]

        def work(rows: IntVector) -> None:
            pairs = list(zip(users[rows].tolist(), self._effects(users[rows], items[rows]), strict=True))
            effects.extend(_around_mean(fell) for _, (_, fell) in pairs)
            predictors.extend(_around_mean(self._predictors(user)[aspects]) for user, (aspects, _) in pairs)

        isolate_failures(users, work, on_failure=lambda _user, _error: None)
        return _slopes(np.concatenate(predictors), np.concatenate(effects))

    def _drawn(self) -> tuple[IntVector, IntVector]:
        """Users at random, and items with aspects to compare; an item with more aspects is recommended more often."""
        random = generator(0, "usual effects")  # another name would draw other pairs and change answers
        aspects = self._present.sum(axis=1)
        chance = np.where(aspects > 1, aspects, 0).astype(np.float64)
        if not chance.any():
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
        users = random.integers(len(self._space.users), size=PAIRS)
        return users, random.choice(len(chance), PAIRS, p=chance / chance.sum())

    def _effects(self, users: IntVector, items: IntVector) -> list[tuple[IntVector, FloatVector]]:
        """The aspects of each item, and by how much its score falls when it loses each; an offset stays as it is."""
        which, aspects = np.nonzero(self._present[items])
        everyone = np.arange(len(items))
        lost = np.zeros((len(everyone) + len(which), self._present.shape[1]), dtype=bool)
        lost[len(everyone) + np.arange(len(which)), aspects] = True
        rows = np.concatenate([everyone, which])
        scores = self._catalogue.for_users(users).scores_without(rows, items[rows], lost)
        require_finite("scores", scores)
        fell = scores[which] - scores[len(everyone) :]
        ends = np.searchsorted(which, everyone[1:])
        return list(zip(np.split(aspects, ends), np.split(fell, ends), strict=True))


def _slopes(predictors: FloatMatrix, effects: FloatVector) -> FloatVector:
    """Least squares of both predictors; if a slope is below 0 it becomes 0, and the other is fitted alone."""
    slopes: FloatVector = np.linalg.lstsq(predictors, effects, rcond=None)[0]
    if (slopes < 0).any():
        alone = predictors.T @ effects / np.maximum((predictors**2).sum(axis=0), 1e-9)
        slopes = np.where(slopes < 0, 0, np.maximum(alone, 0))
    return slopes


def _around_mean(values: FloatMatrix) -> FloatMatrix:
    """Each column less its mean."""
    return values - values.mean(axis=0)
