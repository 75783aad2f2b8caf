"""Rivals under a ranker: for many sets of aspects, whether each is necessary and sufficient by lists made anew.

A rule need not count rivals ahead, so there is no likelihood to speak of: a verdict that holds counts as certain.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from counterec.core.arrays import BoolMatrix, IntVector
from counterec.core.evaluation.ranked_necessity import ItemNecessity, RankedNecessity
from counterec.core.explainers.complete.rivals_ahead import Counts


class RankedRivals:
    """The rivals of one user's items under a ranker; with ``versus``, what is asked is who comes first of the two."""

    def __init__(
        self, necessity: RankedNecessity, user: int, items: IntVector, aspects: int, versus: int | None
    ) -> None:
        self._necessity, self._user, self._versus = necessity, user, versus
        self._of_item = lru_cache(maxsize=None)(self._for_item)
        stays = [self._of_item(item).stays_without_aspects(aspects) for item in items.tolist()]
        self.anyway: IntVector = items[np.array(stays, dtype=bool)]
        """The items that stay with no aspect at all: no set of theirs is sufficient, and none is sought."""

    def _for_item(self, item: int) -> ItemNecessity:
        return self._necessity.for_item(self._user, item, self._versus)

    def counts(self, items: IntVector, named: BoolMatrix) -> Counts:
        """Decide about many sets, one row of ``named`` [sets, aspects] each; set i belongs to ``items[i]``."""
        found = [self._of_item(item) for item in items.tolist()]
        sets = list(zip(found, named, strict=True))
        necessary = np.array([not one.without(flags).rule for one, flags in sets], dtype=bool)
        anyway = np.isin(items, self.anyway)
        sufficient = anyway | np.array([one.with_only(flags).rule for one, flags in sets], dtype=bool)
        settled = np.ones(len(items), dtype=bool)
        return Counts(necessary, sufficient, necessary.astype(np.float64), sufficient.astype(np.float64), settled)
