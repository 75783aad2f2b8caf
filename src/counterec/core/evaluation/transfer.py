"""Transfer: how explanations hold where they were not searched for.

A goal that searches for necessary and sufficient aspects scores well when measured for exactly that. What it is worth
shows under other conditions: among fresh candidates, under a net that was trained again, with a list that is one item
shorter or longer. Only pairs whose item is in the list under that condition, before anything is removed, are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from counterec.core.arrays import BoolVector
from counterec.core.candidates import Candidates
from counterec.core.evaluation.judge_necessity import (
    ModelSide,
    distinct_named,
    model_side,
    verdicts_by_length,
)
from counterec.core.evaluation.verdicts import Verdicts
from counterec.core.explainers.answer import NamedAspects
from counterec.core.lists import Recommendations
from counterec.core.scorers.base import Scorer
from counterec.core.scorers.ranking import Progress, no_progress, rank
from counterec.core.space import AspectSpace


@dataclass(frozen=True)
class Condition:
    """A scorer, its ranking of some candidates, and how many of them make a list."""

    name: str
    scorer: Scorer
    ranking: Recommendations
    k: int
    rows: BoolVector | None = None
    """The pairs that it is for; None means all."""


def transfer(
    space: AspectSpace, named: NamedAspects, conditions: Iterable[Condition], progress: Progress = no_progress
) -> dict[str, ModelSide]:
    """PN, PS and F_NS per condition, over the pairs that are in its lists; conditions of one name count as one."""
    found = transferred(space, named, conditions, progress)
    return {name: model_side(verdicts) for name, verdicts in found.items()}


def transferred(
    space: AspectSpace, named: NamedAspects, conditions: Iterable[Condition], progress: Progress = no_progress
) -> dict[str, Verdicts]:
    """The verdicts per condition; those of one name are put together."""
    found: dict[str, Verdicts] = {}
    for alike in of_one_ranking(conditions):
        for condition, (part,) in zip(alike, verdicts_together(space, [named], alike, progress), strict=True):
            found[condition.name] = found[condition.name].combined_with(part) if condition.name in found else part
    return found


def of_one_ranking(conditions: Iterable[Condition]) -> Iterator[list[Condition]]:
    """Neighbours that differ in the length of the list alone, together: their rivals are counted once."""
    alike: list[Condition] = []
    for condition in conditions:
        if alike and not (condition.scorer is alike[0].scorer and condition.ranking is alike[0].ranking):
            yield alike
            alike = []
        alike.append(condition)
    if alike:
        yield alike


def fresh_conditions(
    name: str,
    scorer: Scorer,
    space: AspectSpace,
    drawn: Candidates,
    named: NamedAspects,
    k: int,
    depth: int,
) -> Iterator[Condition]:
    """The item of each pair among other candidates drawn for its user: one item per user at a time.

    If all items of a list were added together, they would compete with each other again, and little would be fresh.
    """
    order = np.argsort(named.users, kind="stable")
    turn = np.empty(len(named), dtype=np.int64)
    turn[order] = np.arange(len(named)) - np.searchsorted(named.users[order], named.users[order])
    for number in range(int(turn.max(initial=-1)) + 1):
        rows = turn == number
        users, items = named.users[rows], named.items[rows]
        ranking = rank(scorer, space, drawn.with_items(users, items), depth, users)
        yield Condition(name, scorer, ranking, k, rows)


def verdicts_together(
    space: AspectSpace, parts: Sequence[NamedAspects], alike: Sequence[Condition], progress: Progress = no_progress
) -> list[list[Verdicts]]:
    """The same for what several methods name, under conditions of one ranking: for each condition those of each part.

    What several methods name for a pair is judged once.
    """
    there = [[listed(named, condition) & named.any_named for named in parts] for condition in alike]
    anywhere = [np.any(rows, axis=0) for rows in zip(*there, strict=True)]
    wanted = [replace(named, named=named.named & rows[:, None]) for named, rows in zip(parts, anywhere, strict=True)]
    different, places = distinct_named(wanted)
    return [
        [found.rows(place).only(rows) for place, rows in zip(places, own, strict=True)]
        for found, own in zip(_judged(space, different, alike, progress), there, strict=True)
    ]


def _judged(space: AspectSpace, named: NamedAspects, alike: Sequence[Condition], progress: Progress) -> list[Verdicts]:
    scorer, ranking = alike[0].scorer, alike[0].ranking
    lengths = [condition.k for condition in alike]
    return verdicts_by_length(scorer, space, ranking.candidates, lengths, named, progress, ranking)


def listed(named: NamedAspects, condition: Condition) -> BoolVector:
    """Which of the condition's pairs have their item among the first K of their user's ranking."""
    found = np.isin(named.users, condition.ranking.users)
    if condition.rows is not None:
        found &= condition.rows
    lists = condition.ranking.items[condition.ranking.rows_of(named.users[found]), : condition.k]
    found[found] = (lists == named.items[found, None]).any(axis=1)
    return found
