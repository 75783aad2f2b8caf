"""What an attribution is: a method that gives each aspect of each pair a weight."""

from __future__ import annotations

from typing import Protocol

from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.scorers.base import Scorer
from counterec.core.space import AspectSpace


class Attribution(Protocol):
    """Weighs how much each aspect speaks for an item; nothing has to flip."""

    @property
    def name(self) -> str:
        """The name of the method."""
        ...

    def weights(self, scorer: Scorer, space: AspectSpace, users: IntVector, items: IntVector, seed: int) -> FloatMatrix:
        """Return the weight of each aspect [pairs, aspects], −∞ if it cannot be named.

        Random draws depend on the seed and on the two ids of a pair, never on the other pairs.
        """
        ...
