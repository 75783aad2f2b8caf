"""How far lists hang on aspects: which recommended items leave when all their own aspects are absent."""

from __future__ import annotations

import numpy as np

from counterec.core.evaluation.measure import Measure, mean
from counterec.core.lists import Recommendations
from counterec.core.rankers.ranked_lists import RankedLists
from counterec.core.scorers.checked_scores import scores_of
from counterec.core.scorers.protocols import PairBatch, Scorer
from counterec.core.space import AspectSpace


def leave_without_aspects(scorer: Scorer, space: AspectSpace, lists: Recommendations) -> Measure:
    """The share of recommended items that fall below the first item under their list when they have no aspect.

    Other items stay as they are. A list without an item under it has nothing to fall below, and is no case. Where a
    ranker made the lists, it makes them anew, and the share is of all recommended items.
    """
    rows, _, items = lists.pairs()
    users, targets = lists.users[rows], lists.target[rows]
    absent = np.broadcast_to(space.without, (len(items), len(space.aspects)))
    scores = scores_of(scorer, PairBatch(users, items, space.user_attention[users], absent))
    if lists.ranker is not None:
        made = RankedLists(scorer, space, lists.ranker, lists.candidates, lists.k)
        stays = [made.stands(*case) for case in zip(users.tolist(), items.tolist(), scores.tolist(), strict=True)]
        return mean(1.0 - np.array(stays, dtype=np.float64), users)
    return mean(np.where(np.isnan(targets), np.nan, scores < targets), users)
