"""Rivals under a ranker: for many sets of aspects, whether each is necessary and sufficient by lists made anew.

A rule need not count rivals ahead, so there is no likelihood to speak of: a verdict that holds counts as certain.
"""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, IntVector
from counterec.core.evaluation.ranked_necessity import ItemNecessity, RankedNecessity
from counterec.core.explainers.complete.likelihood import Counts
from counterec.core.explainers.question import Question
from counterec.core.remembered import remembered


class RankedRivals:
    """The rivals of a question's pairs under a ranker; with ``versus``, what is asked is who comes first of the two."""

    def __init__(self, necessity: RankedNecessity, question: Question) -> None:
        self._necessity, self._question = necessity, question
        self._of_pair = remembered(self._for_pair, None)
        self._stays = remembered(self._stays_anyway, None)

    def _for_pair(self, pair: int) -> ItemNecessity:
        question = self._question
        versus = None if question.versus is None else int(question.versus[pair])
        return self._necessity.for_item(int(question.users[pair]), int(question.items[pair]), versus)

    def _stays_anyway(self, pair: int) -> bool:
        return self._of_pair(pair).stays_without_aspects(len(self._question.space.aspects))

    def anyway(self, pairs: IntVector) -> BoolVector:
        """Which of these pairs' items stay with no aspect at all: no set of them is sufficient, and none is sought."""
        return np.array([self._stays(pair) for pair in pairs.tolist()], dtype=bool)

    def counts(self, pairs: IntVector, named: BoolMatrix) -> Counts:
        """Decide about many sets, one row of ``named`` [sets, aspects] each; set i belongs to the pair ``pairs[i]``."""
        sets = list(zip(map(self._of_pair, pairs.tolist()), named, strict=True))
        necessary = np.array([not one.without(flags).rule for one, flags in sets], dtype=bool)
        sufficient = self.anyway(pairs) | np.array([one.with_only(flags).rule for one, flags in sets], dtype=bool)
        certain = np.ones(len(pairs), dtype=bool)
        return Counts(
            necessary, sufficient, necessary.astype(np.float64), sufficient.astype(np.float64), certain, certain
        )
