"""Whether changes that were found for one model do the same to another: one trained again, from another seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolVector, freeze, require_shape, row_chunks
from counterec.core.explainers.answer import Explanations
from counterec.core.explainers.probe import ROWS_AT_ONCE
from counterec.core.lists import Recommendations, off_the_list
from counterec.core.scorers.checked_scores import scores_of
from counterec.core.scorers.protocols import PairBatch, Scorer
from counterec.core.space import AspectSpace


@dataclass(frozen=True)
class ChangesUnder:
    """One row per answer."""

    listed: BoolVector
    """Whether the item is in the other model's list for the user."""
    holds: BoolVector
    """Whether it is, and the same change takes it off."""

    def __post_init__(self) -> None:
        freeze(self, listed=np.bool_, holds=np.bool_)
        require_shape("holds", self.holds, self.listed.shape)


def changes_under(scorer: Scorer, space: AspectSpace, lists: Recommendations, answers: Explanations) -> ChangesUnder:
    """Apply every change to the same item under another scorer, whose lists these are; without a margin."""
    rows = lists.rows_of(answers.users)
    listed = (lists.items[rows, : lists.k] == answers.items[:, None]).any(axis=1)
    target, below = lists.target[rows], lists.items[rows, lists.k]
    holds = np.zeros(len(answers), dtype=bool)
    for chunk in row_chunks(len(answers), ROWS_AT_ONCE):
        pairs = PairBatch.of(space, answers.users[chunk], answers.items[chunk])
        scores = scores_of(scorer, pairs.with_quality(pairs.item_quality + answers.delta[chunk]))
        holds[chunk] = listed[chunk] & off_the_list(scores, answers.items[chunk], target[chunk], below[chunk])
    return ChangesUnder(listed, holds)
