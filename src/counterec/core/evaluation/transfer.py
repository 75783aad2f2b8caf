"""The model's side on other ground: the same explanations, judged where they were not selected.

A goal that looks for necessary and sufficient aspects does well at being measured for them. What it is worth shows
elsewhere: among fresh candidates, under a net that was trained again, with a list that is one item shorter or longer.
Only pairs whose item is in that other list before anything is removed are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from counterec.core.arrays import BoolVector
from counterec.core.candidates import Candidates
from counterec.core.evaluation.model_side import ModelSide, model_side, verdicts
from counterec.core.evaluation.verdicts import VERDICTS, Verdicts
from counterec.core.explainers.answer import NamedAspects
from counterec.core.lists import Recommendations
from counterec.core.scorers.protocols import Scorer
from counterec.core.scorers.ranking import Progress, no_progress, rank
from counterec.core.space import AspectSpace


@dataclass(frozen=True)
class Ground:
    """Somewhere else: a scorer, how it ranks some candidates, and how many of them make a list."""

    name: str
    scorer: Scorer
    ranking: Recommendations
    k: int
    rows: BoolVector | None = None
    """Which pairs it is for; all where not given."""


def elsewhere(
    space: AspectSpace, named: NamedAspects, grounds: Iterable[Ground], progress: Progress = no_progress
) -> dict[str, ModelSide]:
    """PN, PS and F_NS on each ground, over the pairs that are in its lists; grounds of one name are one."""
    found: dict[str, Verdicts] = {}
    for ground in grounds:
        part = verdicts_on(space, named, ground, progress)
        found[ground.name] = _joined(found[ground.name], part) if ground.name in found else part
    return {name: model_side(verdicts) for name, verdicts in found.items()}


def fresh_grounds(
    name: str, scorer: Scorer, space: AspectSpace, drawn: Candidates, named: NamedAspects, k: int, depth: int
) -> Iterator[Ground]:
    """Each pair's item among other candidates that were drawn for its user: one item at a time.

    Were all items of an old list added together, they would be each other's rivals again, and little would be fresh.
    """
    order = np.argsort(named.users, kind="stable")
    turn = np.empty(len(named), dtype=np.int64)
    turn[order] = np.arange(len(named)) - np.searchsorted(named.users[order], named.users[order])
    for number in range(int(turn.max(initial=-1)) + 1):
        rows = turn == number
        users, items = named.users[rows], named.items[rows]
        yield Ground(name, scorer, rank(scorer, space, drawn.with_items(users, items), depth, users), k, rows)


def verdicts_on(space: AspectSpace, named: NamedAspects, ground: Ground, progress: Progress = no_progress) -> Verdicts:
    """Necessary? Sufficient? Asked of those rows alone whose item is in the ground's list."""
    candidates = ground.ranking.candidates
    part = replace(named, named=named.named & listed(named, ground)[:, None])
    return verdicts(ground.scorer, space, candidates, ground.k, part, progress, ground.ranking)


def listed(named: NamedAspects, ground: Ground) -> BoolVector:
    """Which of the ground's pairs have their item among the first K of their user's ranking."""
    found = np.isin(named.users, ground.ranking.users)
    if ground.rows is not None:
        found &= ground.rows
    lists = ground.ranking.items[ground.ranking.rows_of(named.users[found]), : ground.k]
    found[found] = (lists == named.items[found, None]).any(axis=1)
    return found


def _joined(one: Verdicts, other: Verdicts) -> Verdicts:
    """The verdicts of different rows as one."""
    columns = {name: getattr(one, name) | getattr(other, name) for name in VERDICTS}
    return Verdicts(users=one.users, asked=one.asked | other.asked, **columns)
