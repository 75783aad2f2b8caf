"""Whom a search looks at: the rivals of each user of a question, from its candidates and from a reserve."""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import IntVector
from counterec.core.candidates import Candidates
from counterec.core.evaluation.necessity import NO_ITEMS
from counterec.core.explainers.complete import rivals
from counterec.core.explainers.complete.rivals import Rivals
from counterec.core.explainers.question import Question
from counterec.core.scorers.catalogue import UserCatalogue
from counterec.randomness import generator


class RivalLists:
    """The rivals of a question's pairs. ``reserve`` holds the items that could as well have been candidates."""

    def __init__(self, question: Question, reserve: Candidates | None, most: int) -> None:
        self._question, self._reserve, self._most = question, reserve, most

    def of(self, pair: int, candidates: IntVector, view: UserCatalogue) -> Rivals:
        """The rivals of a pair, which are those of its user unless each pair has its own."""
        if len(candidates) > rivals.MOST_RIVALS:
            return Rivals.of_many(view, candidates)
        return Rivals.of(view, candidates, self._reserve_of(int(self._question.users[pair]), candidates))

    def _reserve_of(self, user: int, candidates: IntVector) -> IntVector:
        if self._reserve is None or self._question.versus is not None:
            return NO_ITEMS
        further, free = self._reserve.of(user), np.ones(len(self._question.space.items), dtype=bool)
        free[candidates] = False
        further = further[free[further]]
        if len(further) <= self._most:
            return further
        random = generator(0, "reserve", self._question.space.users.texts[user])
        return np.sort(random.choice(further, self._most, replace=False))
