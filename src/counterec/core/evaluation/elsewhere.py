"""The model's side on other ground: the same explanations, judged where they were not selected.

A goal that looks for necessary and sufficient aspects does well at being measured for them. What it is worth shows
elsewhere: among fresh candidates, under a net that was trained again, with a list that is one item shorter or longer.
Only pairs whose item is in that other list before anything is removed are counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from counterec.core.arrays import BoolVector
from counterec.core.evaluation.model_side import ModelSide, Verdicts, model_side, verdicts
from counterec.core.explainers.answer import NamedAspects
from counterec.core.scorers.protocols import Scorer
from counterec.core.scorers.ranking import Progress, no_progress
from counterec.core.space import AspectSpace, Recommendations


@dataclass(frozen=True)
class Ground:
    """Somewhere else: a scorer, how it ranks some candidates, and how many of them make a list."""

    name: str
    scorer: Scorer
    ranking: Recommendations
    k: int


def elsewhere(
    space: AspectSpace, named: NamedAspects, grounds: Iterable[Ground], progress: Progress = no_progress
) -> dict[str, ModelSide]:
    """PN, PS and F_NS on each ground, over the pairs that are in its lists."""
    return {ground.name: model_side(verdicts_on(space, named, ground, progress)) for ground in grounds}


def verdicts_on(space: AspectSpace, named: NamedAspects, ground: Ground, progress: Progress = no_progress) -> Verdicts:
    """Necessary? Sufficient? Asked of those rows alone whose item is in the ground's list."""
    there, candidates = listed(named, ground.ranking, ground.k), ground.ranking.candidates
    part = replace(named, named=named.named & there[:, None])
    return verdicts(ground.scorer, space, candidates, ground.k, part, progress, ground.ranking)


def listed(named: NamedAspects, ranking: Recommendations, k: int) -> BoolVector:
    """Which rows' items are among the first K of their user's ranking."""
    rows = {user: row for row, user in enumerate(ranking.users.tolist())}
    first = ranking.items[:, :k]
    pairs = zip(named.users.tolist(), named.items.tolist(), strict=True)
    return np.array([user in rows and bool((first[rows[user]] == item).any()) for user, item in pairs], dtype=bool)
