"""Trials: an item is scored with only some of its aspects present, and from the scores follows what each is worth.

The aspects that an item has are the players; a set of them keeps its values while the others are absent, and X stays
as it is. Each distinct set of a pair is scored once: float results vary with the batch. A black box is asked about the
sets of many pairs in one call; a scorer with two ReLU layers pair by pair, by the pair's own aspects alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolMatrix, FloatMatrix, FloatVector, IntVector, row_chunks
from counterec.core.attribution.present_aspects import ROWS_AT_ONCE, pair_generator, present
from counterec.core.scorers.catalogue import catalogue_of
from counterec.core.scorers.protocols import LayeredScorer, PairBatch, Scorer
from counterec.core.space import AspectSpace


@dataclass(frozen=True)
class Trial:
    """Which sets of one item's aspects are scored, and how the weights of the aspects follow from the scores."""

    sets: BoolMatrix
    """[sets, players], all different."""
    weights: Callable[[FloatVector], FloatVector]


Plan = Callable[[int, np.random.Generator], Trial]
"""Makes the trial of an item with so many aspects."""


@dataclass(frozen=True)
class _Asked:
    row: int
    aspects: IntVector
    trial: Trial


def tried(
    scorer: Scorer, space: AspectSpace, users: IntVector, items: IntVector, plan: Plan, seed: int, purpose: str
) -> FloatMatrix:
    """The weights of all pairs by trials of this plan; −∞ for aspects that the item does not have."""
    has = present(space, items)
    weights = np.full(has.shape, -np.inf)

    def asked() -> Iterator[_Asked]:
        for row in np.flatnonzero(has.any(axis=1)).tolist():
            aspects = np.flatnonzero(has[row])
            random = pair_generator(space, int(users[row]), int(items[row]), seed, purpose)
            yield _Asked(row, aspects, plan(len(aspects), random))

    by_layers = isinstance(scorer, LayeredScorer) and scorer.aspects_only
    scored = _by_layers if by_layers else _in_groups
    for one, scores in scored(scorer, space, users, items, asked()):
        weights[one.row, one.aspects] = one.trial.weights(scores)
    return weights


def _by_layers(
    scorer: Scorer, space: AspectSpace, users: IntVector, items: IntVector, asked: Iterator[_Asked]
) -> Iterator[tuple[_Asked, FloatVector]]:
    """Pair by pair, from what the pair's own aspects put into the first layer."""
    catalogue = catalogue_of(scorer, space)
    for one in asked:
        catalogue.turn_to(int(users[one.row]))
        whose = np.full(len(one.trial.sets), items[one.row])
        yield one, catalogue.scores_with_only_each(whose, one.aspects, one.trial.sets).astype(np.float64)


def _in_groups(
    scorer: Scorer, space: AspectSpace, users: IntVector, items: IntVector, asked: Iterator[_Asked]
) -> Iterator[tuple[_Asked, FloatVector]]:
    """Many pairs in one call, which is what a black box is asked in."""
    for group in _groups(asked):
        rows = np.repeat([one.row for one in group], [len(one.trial.sets) for one in group])
        kept = np.concatenate([_widened(one, len(space.aspects)) for one in group])
        scores = _scores(scorer, PairBatch.of(space, users[rows], items[rows]), kept, space.scale.absent)
        ends = np.cumsum([len(one.trial.sets) for one in group])
        yield from zip(group, np.split(scores, ends[:-1]), strict=True)


def every_set(players: int) -> BoolMatrix:
    """All sets of so many players, the empty one first and the whole one last."""
    return np.asarray((np.arange(2**players)[:, None] >> np.arange(players)) & 1, dtype=bool)


def distinct(sets: BoolMatrix) -> tuple[BoolMatrix, IntVector, IntVector]:
    """The different sets, which of them each set is, and how often each occurs."""
    packed = np.packbits(sets, axis=1)
    _, first, which, counts = np.unique(packed, axis=0, return_index=True, return_inverse=True, return_counts=True)
    return sets[first], which.reshape(-1), counts


def _groups(asked: Iterator[_Asked]) -> Iterator[list[_Asked]]:
    """Pairs whose sets fill one call; a pair stays whole."""
    group, rows = list[_Asked](), 0
    for one in asked:
        group.append(one)
        rows += len(one.trial.sets)
        if rows >= ROWS_AT_ONCE:
            yield group
            group, rows = [], 0
    if group:
        yield group


def _widened(one: _Asked, aspects: int) -> BoolMatrix:
    """The sets of a pair's own aspects as sets of all aspects."""
    wide = np.zeros((len(one.trial.sets), aspects), dtype=bool)
    wide[:, one.aspects] = one.trial.sets
    return wide


def _scores(scorer: Scorer, pairs: PairBatch, kept: BoolMatrix, absent: FloatVector) -> FloatVector:
    """The scores of the pairs, had their items the kept aspects alone."""
    scores = np.empty(len(pairs))
    for chunk in row_chunks(len(pairs), ROWS_AT_ONCE):
        part = pairs.rows(chunk)
        scores[chunk] = scorer.score(part.with_quality(np.where(kept[chunk], part.item_quality, absent)))
    return scores
