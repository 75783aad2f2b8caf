"""The choice among weights: NDCG within one standard error first, then short reasons, then NDCG again."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from counterec.core.arrays import FloatVector
from counterec.pipeline.hybrid_model import MOST_USERS, WeightedModel, try_weights


class Known:
    """A model whose gains and short reasons are given per weight."""

    def __init__(self, of: dict[float, tuple[float, float]]) -> None:
        self._of = of

    def gains(self, weight: float) -> FloatVector:
        """A hundred users with a mean as given and a standard deviation of 0.2: the standard error is 0.02."""
        return self._of[weight][0] + 0.2 * np.tile([1.0, -1.0], 50)

    def short_reasons(self, weight: float, k: int, users: int) -> tuple[float, ...]:
        assert (k, users) == (5, MOST_USERS)
        return 0.0, 0.0, self._of[weight][1]


def choose(*models: dict[float, tuple[float, float]]) -> tuple[int, float]:
    known = cast("list[WeightedModel]", [Known(of) for of in models])
    tried, best = try_weights(known, list(models[0]), 5)
    assert len(tried) == sum(map(len, models))
    return best.model, best.weight


@pytest.mark.parametrize(
    ("points", "weight"),
    [
        ({0.0: (0.40, 0.99), 0.1: (0.49, 0.7), 0.2: (0.50, 0.6)}, 0.1),  # clearly worse ones do not compete
        ({0.0: (0.485, 0.99), 0.1: (0.49, 0.81), 0.2: (0.50, 0.6)}, 0.1),  # enough is enough
        ({0.0: (0.49, 0.5), 0.1: (0.495, 0.5), 0.2: (0.50, 0.5)}, 0.2),
    ],
)
def test_the_most_short_reasons_among_equally_good_rankings(points: dict, weight: float) -> None:
    assert choose(points) == (0, weight)
