"""Attribution by subsets: score an item with only some of its aspects present; the weights follow from the scores.

The aspects that an item has are the players. The aspects of a set keep their values while the others are absent, and X
stays as it is. Each distinct set of a pair is scored once: float results vary with the batch. A black box scores the
sets of many pairs in one call. A scorer with two ReLU layers scores pair by pair, from the pair's own aspects alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolMatrix, FloatMatrix, FloatVector, IntVector, row_chunks
from counterec.core.attribution.present_aspects import ROWS_AT_ONCE, pair_generator, present
from counterec.core.scorers.base import PairBatch, Scorer, aspect_part_of, has_layers, scores_of
from counterec.core.scorers.catalogue import catalogue_of
from counterec.core.space import AspectSpace


@dataclass(frozen=True)
class SubsetPlan:
    """The sets of one item's aspects to score, and how the weights of the aspects follow from the scores."""

    sets: BoolMatrix
    """[sets, players], all different."""
    weights: Callable[[FloatVector], FloatVector]


Planner = Callable[[int, np.random.Generator], SubsetPlan]
"""Makes the plan for an item with this number of aspects."""


@dataclass(frozen=True)
class _Planned:
    """The plan of one pair."""

    row: int
    aspects: IntVector
    plan: SubsetPlan


def subset_weights(
    scorer: Scorer, space: AspectSpace, users: IntVector, items: IntVector, planner: Planner, seed: int, purpose: str
) -> FloatMatrix:
    """The weights of all pairs by this planner; −∞ for aspects that the item does not have.

    An offset is the same for every set, so that no weight depends on it: the aspect part is scored.
    """
    scorer = aspect_part_of(scorer)
    has = present(space, items)
    weights = np.full(has.shape, -np.inf)

    def planned() -> Iterator[_Planned]:
        for row in np.flatnonzero(has.any(axis=1)).tolist():
            aspects = np.flatnonzero(has[row])
            random = pair_generator(space, int(users[row]), int(items[row]), seed, purpose)
            yield _Planned(row, aspects, planner(len(aspects), random))

    by_layers = has_layers(scorer) and scorer.aspects_only
    scored = _pair_by_pair if by_layers else _in_groups
    for one, scores in scored(scorer, space, users, items, planned()):
        weights[one.row, one.aspects] = one.plan.weights(scores)
    return weights


def _pair_by_pair(
    scorer: Scorer, space: AspectSpace, users: IntVector, items: IntVector, planned: Iterator[_Planned]
) -> Iterator[tuple[_Planned, FloatVector]]:
    """From what the pair's own aspects put into the first layer."""
    catalogue = catalogue_of(scorer, space)
    for one in planned:
        view, same_item = catalogue.for_user(int(users[one.row])), np.full(len(one.plan.sets), items[one.row])
        yield one, view.scores_with_only_each(same_item, one.aspects, one.plan.sets).astype(np.float64)


def _in_groups(
    scorer: Scorer, space: AspectSpace, users: IntVector, items: IntVector, planned: Iterator[_Planned]
) -> Iterator[tuple[_Planned, FloatVector]]:
    """Many pairs per call, which suits a black box."""
    for group in _groups(planned):
        rows = np.repeat([one.row for one in group], [len(one.plan.sets) for one in group])
        kept = np.concatenate([_widened(one, len(space.aspects)) for one in group])
        scores = _scores(scorer, PairBatch.of(space, users[rows], items[rows]), kept, space.without)
        ends = np.cumsum([len(one.plan.sets) for one in group])
        yield from zip(group, np.split(scores, ends[:-1]), strict=True)


def every_set(players: int) -> BoolMatrix:
    """All sets of these players, the empty one first and the whole one last."""
    return np.asarray((np.arange(2**players)[:, None] >> np.arange(players)) & 1, dtype=bool)


def distinct(sets: BoolMatrix) -> tuple[BoolMatrix, IntVector, IntVector]:
    """The different sets, which of them each set is, and how often each occurs."""
    packed = np.packbits(sets, axis=1)
    _, first, which, counts = np.unique(packed, axis=0, return_index=True, return_inverse=True, return_counts=True)
    return sets[first], which.reshape(-1), counts


def _groups(planned: Iterator[_Planned]) -> Iterator[list[_Planned]]:
    """Pairs whose sets fill one call; a pair is never split."""
    group, rows = list[_Planned](), 0
    for one in planned:
        group.append(one)
        rows += len(one.plan.sets)
        if rows >= ROWS_AT_ONCE:
            yield group
            group, rows = [], 0
    if group:
        yield group


def _widened(one: _Planned, aspects: int) -> BoolMatrix:
    """The sets of a pair's own aspects as sets of all aspects."""
    wide = np.zeros((len(one.plan.sets), aspects), dtype=bool)
    wide[:, one.aspects] = one.plan.sets
    return wide


def _scores(scorer: Scorer, pairs: PairBatch, kept: BoolMatrix, absent: FloatVector) -> FloatVector:
    """The scores of the pairs if their items had the kept aspects alone."""
    scores = np.empty(len(pairs))
    for chunk in row_chunks(len(pairs), ROWS_AT_ONCE):
        part = pairs.rows(chunk)
        scores[chunk] = scores_of(scorer, part.with_quality(np.where(kept[chunk], part.item_quality, absent)))
    return scores
