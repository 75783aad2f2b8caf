"""Popularity, what a trained model is held against: items by how often the training part has them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector, require_shape
from counterec.core.interactions import Interactions
from counterec.core.scorers.catalogue_validation import CatalogueValidation

NORMAL_95 = 1.959964
"""Standard errors on either side of a mean that make a 95% interval."""


def popularity_scores(train: Interactions) -> FloatVector:
    """How many users have each item in the training part."""
    return np.bincount(train.items, minlength=train.n_items).astype(np.float32)


def popularity_gains(train: Interactions, validation: CatalogueValidation) -> FloatVector:
    """The validation gains of popularity, in the order of the validation's users."""
    scores = popularity_scores(train)

    def everybody_alike(users: IntVector) -> FloatMatrix:
        return np.tile(scores, (len(users), 1))

    return validation.gains(everybody_alike)


@dataclass(frozen=True)
class PairedDifference:
    """By how much one model gains more than another on the same users, with its 95% interval."""

    model: float
    other: float
    difference: float
    low: float
    high: float
    users: int

    @property
    def interval(self) -> tuple[float | None, float | None]:
        """Its ends as plain values; None where one user is all there is, and nothing is known of the noise."""
        return (self.low, self.high) if math.isfinite(self.low) else (None, None)

    @property
    def clearly_below(self) -> bool:
        """Whether the model is below the other one beyond the noise of the users."""
        return self.high < 0


def compared_with_popularity(gains: FloatVector, popular: FloatVector) -> PairedDifference:
    """The mean of gain − popularity's gain, ± 1.96 standard errors over users."""
    require_shape("popular", popular, gains.shape)
    difference = np.asarray(gains, dtype=np.float64) - popular
    users, mean = len(difference), float(difference.mean())
    error = float(difference.std(ddof=1)) / math.sqrt(users) if users > 1 else math.inf
    low, high = mean - NORMAL_95 * error, mean + NORMAL_95 * error
    return PairedDifference(float(np.mean(gains)), float(np.mean(popular)), mean, low, high, users)
