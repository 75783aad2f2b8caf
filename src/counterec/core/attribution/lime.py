"""LIME: a linear fit of the score around the item, over random sets of its aspects (Ribeiro et al., KDD'16)."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from counterec.core.arrays import BoolMatrix, FloatMatrix, FloatVector, IntVector, require
from counterec.core.attribution.aspect_subsets import SubsetPlan, distinct, every_set, subset_weights
from counterec.core.scorers.base import Scorer
from counterec.core.space import AspectSpace

WIDTH = 0.25
"""Width of the kernel, in cosine distance, as LIME's authors use it for sets of words."""
RIDGE = 1e-6
"""The penalty on the coefficients, as a share of their mean variance: just enough to keep the fit determined."""


@dataclass(frozen=True)
class Lime:
    """The coefficient of each aspect's presence in a ridge regression of the score; near sets weigh most.

    The number of aspects that a set lacks is drawn first, from one to all, then which ones, as LIME does for words. The
    item as it is belongs to every fit. If there are no more sets than would be drawn, all are taken, each with its
    expected frequency.
    """

    samples: int = 512
    """Sets drawn per pair."""
    samples_per_aspect: int = 16
    """And at least this many per aspect of the item."""

    name = "lime"

    def __post_init__(self) -> None:
        require(self.samples >= 2, f"samples is {self.samples}; it must be at least 2")

    def weights(self, scorer: Scorer, space: AspectSpace, users: IntVector, items: IntVector, seed: int) -> FloatMatrix:
        """Return the coefficients of the aspects that the item has."""
        return subset_weights(scorer, space, users, items, self._plan, seed, "sets of aspects")

    def _plan(self, players: int, random: np.random.Generator) -> SubsetPlan:
        samples = max(self.samples, self.samples_per_aspect * players)
        sets, times = _all(players, samples) if 2**players <= samples else _drawn(players, samples, random)
        share = times * _kernel(sets)
        return SubsetPlan(sets, lambda scores: _fitted(sets, share / share.sum(), scores))


def _all(players: int, samples: int) -> tuple[BoolMatrix, FloatVector]:
    """Every set, and its expected frequency among this many draws."""
    sets = every_set(players)
    ways = np.array([comb(players, size) for size in range(players + 1)])[sets.sum(axis=1)]
    return sets, np.where(sets.all(axis=1), 1.0, (samples - 1) / (players * ways))


def _drawn(players: int, samples: int, random: np.random.Generator) -> tuple[BoolMatrix, FloatVector]:
    """The item as it is and random sets, and how often each was drawn."""
    lacking = random.integers(1, players + 1, samples - 1)
    place = random.permuted(np.tile(np.arange(players), (samples - 1, 1)), axis=1)
    sets, _, times = distinct(np.concatenate([np.ones((1, players), dtype=bool), place >= lacking[:, None]]))
    return sets, times.astype(np.float64)


def _kernel(sets: BoolMatrix) -> FloatVector:
    """√exp(−d²/w²), d the cosine distance between a set and the whole."""
    distance = 1 - np.sqrt(sets.mean(axis=1))
    return np.exp(-((distance / WIDTH) ** 2) / 2)


def _fitted(sets: BoolMatrix, share: FloatVector, scores: FloatVector) -> FloatVector:
    """The coefficients of the weighted ridge regression, with an intercept that is not penalised."""
    there = sets - share @ sets
    weighted = there * share[:, None]
    spread = weighted.T @ there
    penalty = RIDGE * np.trace(spread) / len(spread)
    return np.linalg.solve(spread + penalty * np.eye(len(spread)), weighted.T @ scores)
