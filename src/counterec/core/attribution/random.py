"""Random aspects, whether the item has them or not: what any method has to beat."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.attribution.present_aspects import pair_generator
from counterec.core.scorers.base import Scorer
from counterec.core.space import AspectSpace


@dataclass(frozen=True)
class Random:
    """Weights in [0, 1), drawn per pair by the seed."""

    name = "random"

    def weights(self, scorer: Scorer, space: AspectSpace, users: IntVector, items: IntVector, seed: int) -> FloatMatrix:
        """Draw a weight for every aspect; the scorer is not used."""
        del scorer
        weights = np.empty((len(users), len(space.aspects)))
        for row, (user, item) in enumerate(zip(users.tolist(), items.tolist(), strict=True)):
            weights[row] = pair_generator(space, user, item, seed, "random explanation").random(weights.shape[1])
        return weights
