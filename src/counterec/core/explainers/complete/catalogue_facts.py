"""What the search needs of a scorer and a catalogue, each fact made once, whatever is asked."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from counterec.core.evaluation.necessity import Necessity
from counterec.core.explainers.complete.expected_effects import ExpectedEffects
from counterec.core.explainers.complete.rivals_ahead import packed
from counterec.core.explainers.complete.shared_scores import AspectMarks
from counterec.core.scorers.base import Scorer
from counterec.core.space import AspectSpace


class CatalogueFacts:
    """Facts for lists of K; nothing is made before it is needed."""

    def __init__(self, scorer: Scorer, space: AspectSpace, k: int) -> None:
        self._scorer, self._space, self._k = scorer, space, k

    @cached_property
    def necessity(self) -> Necessity:
        """Decides exactly."""
        return Necessity(self._scorer, self._space, self._k)

    @cached_property
    def expected(self) -> ExpectedEffects:
        """What each aspect is expected to do for a user."""
        return ExpectedEffects(self.necessity.catalogue, self._space)

    @cached_property
    def marks(self) -> AspectMarks:
        """What changed items are recognised by."""
        return AspectMarks(self._space)

    @cached_property
    def present(self) -> NDArray[np.uint64]:
        """Which items have which aspects, as bits."""
        return packed(self._space.item_quality != self._space.scale.absent)
