"""What an attribution is: a weight per aspect of each pair, by whatever the scorer shows."""

from __future__ import annotations

from typing import Protocol

from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.scorers.protocols import Scorer
from counterec.core.space import AspectSpace


class Attribution(Protocol):
    """Says how much each aspect speaks for an item; nothing is changed, and nothing has to flip."""

    @property
    def name(self) -> str:
        """What the method is called."""
        ...

    def weights(self, scorer: Scorer, space: AspectSpace, users: IntVector, items: IntVector, seed: int) -> FloatMatrix:
        """Return the weight of each aspect [pairs, aspects], −∞ where it cannot be named.

        What is drawn depends on the seed and on the two ids of a pair, never on the other pairs.
        """
        ...
