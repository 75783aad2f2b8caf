"""The smallest change of one aspect, for any scorer: a grid finds the first step that flips, bisection the point."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from counterec.core.arrays import BoolVector, FloatMatrix, FloatVector, row_chunks
from counterec.core.explainers.answer import Proof, Proposal
from counterec.core.explainers.probe import sign_of
from counterec.core.explainers.question import Question
from counterec.core.explainers.reachable_values import PossibleChanges
from counterec.core.explainers.single.move_points import MovePoints
from counterec.core.explainers.single.settings import SingleSettings
from counterec.core.explainers.single_moves import SingleMoves, best_of_each_aspect, best_of_each_pair
from counterec.core.explainers.telling import Telling
from counterec.core.scorers.base import Scorer, scores_of

ROWS_AT_ONCE = 65_536
"""Changed items scored in one call, to bound the memory."""

HALVINGS_AT_ONCE = 4
"""Halvings of a step whose points are all tried in one call."""


def grid_single(scorer: Scorer, question: Question, settings: SingleSettings, telling: bool = False) -> Proposal:
    """Propose for every pair the cheapest flip by one aspect or, where there is none, the nearest miss.

    Where an attribute has no more values than the grid has points, all of them are tried.
    """
    moves = SingleMoves.of(question)
    points = MovePoints.of(question, moves, settings.grid)
    found = _first_flips(scorer, question, moves, points)
    preferred = Telling.of(question) if telling else None
    share = _bisected(scorer, question, moves, found, settings, points, only_cheapest=preferred is None)
    cost = moves.cost(question, share)
    rank = np.where(found.flips, cost, found.nearness)
    chosen = best_of_each_aspect(moves, found.flips, rank)
    made, flips = replace(moves, reach=share * moves.reach).part(chosen), found.flips[chosen]
    first = () if preferred is None else preferred.ranks(made, flips)
    best = best_of_each_pair(made, flips, *first, rank[chosen])
    delta = np.zeros(question.lowest.shape, dtype=np.float32)
    delta[made.rows[best], made.aspects[best]] = made.reach[best]
    none_flips = np.bincount(moves.rows[found.flips], minlength=len(question)) == 0
    all_tried = points.all_tried_of(moves.rows, len(question))
    proof = None
    if question.stepped:
        proof = _proof(question, moves, points, delta, one=preferred is not None)
        delta = _on_steps(question, delta)
    return Proposal.of(delta, proof, cannot_flip=none_flips & all_tried)


def _proof(
    question: Question, moves: SingleMoves, points: MovePoints, delta: FloatMatrix, *, one: bool
) -> NDArray[np.int8]:
    """*Exact* where all values were tried: of the named attribute, where the most telling one is named, else of all."""
    exact = points.all_tried_of(moves.rows, len(question))
    if one:
        places = moves.rows * delta.shape[1] + moves.aspects
        by_aspect = points.all_tried_of(places, delta.size).reshape(delta.shape)
        exact = (by_aspect | (delta == 0)).all(axis=1)
    return np.where(exact, Proof.EXACT, Proof.FOUND).astype(np.int8)


def _on_steps(question: Question, delta: FloatMatrix) -> FloatMatrix:
    """The changes as they were scored: each at the next value that its attribute can have."""
    rows, aspects = np.nonzero(delta)
    moved = PossibleChanges(question).next_further(rows, aspects[:, None], delta[rows, aspects][:, None])
    result = np.zeros_like(delta)
    result[rows, aspects] = moved[:, 0]
    return result


@dataclass(frozen=True)
class _OnGrid:
    """For each move, what the grid shows."""

    share: FloatVector
    """The first share of the move that flips or, where none does, the one that comes nearest."""
    flips: BoolVector
    nearness: FloatVector
    """How far the score at that share is from the target."""


def _first_flips(scorer: Scorer, question: Question, moves: SingleMoves, points: MovePoints) -> _OnGrid:
    share, nearness = np.ones(len(moves), dtype=np.float32), np.zeros(len(moves), dtype=np.float32)
    flips = np.zeros(len(moves), dtype=bool)
    sign = sign_of(question)
    for chunk in points.chunks(ROWS_AT_ONCE):
        part, (owner, shares) = moves.part(chunk), points.points(chunk)
        rows = part.rows[owner]
        scores = _scores(scorer, question, part.part(owner), shares)
        safely, exactly = question.safely_crossed(scores, rows), question.just_crossed(scores, rows)
        across = np.where(points.all_tried[chunk][owner], exactly, safely)
        # The first point that flips or, where none does, the one that comes nearest.
        order = np.lexsort((np.where(across, 0, sign * scores), ~across, owner))
        at = order[np.unique(owner[order], return_index=True)[1]]
        flips[chunk], share[chunk] = across[at], shares[at]
        target = np.nan_to_num(question.target[part.rows])  # under some rankers there is none; then lower is nearer
        nearness[chunk] = sign * scores[at] - sign * target
    return _OnGrid(share, flips, nearness)


def _bisected(
    scorer: Scorer,
    question: Question,
    moves: SingleMoves,
    found: _OnGrid,
    settings: SingleSettings,
    points: MovePoints,
    only_cheapest: bool,
) -> FloatVector:
    """Halve the step before the first flip; if wanted, only for moves that can still be the cheapest of their pair."""
    cheapest = np.full(len(question), np.inf, dtype=np.float32)
    np.minimum.at(cheapest, moves.rows[found.flips], moves.cost(question, found.share)[found.flips])
    low, high = found.share - np.float32(1 / settings.grid), found.share.copy()
    may_be_cheapest = moves.cost(question, low) < cheapest[moves.rows]
    going = np.flatnonzero(found.flips & (may_be_cheapest | (not only_cheapest)) & ~points.all_tried)
    for halvings in _in_calls(settings.bisections):
        inner = np.arange(1, 2**halvings, dtype=np.float32) / 2**halvings
        for chunk in row_chunks(len(going), max(1, ROWS_AT_ONCE // len(inner))):
            at = going[chunk]
            tried = low[at, None] + (high - low)[at, None] * inner
            part = moves.part(np.repeat(at, len(inner)))
            across = question.safely_crossed(_scores(scorer, question, part, tried.ravel()), part.rows)
            across = np.pad(across.reshape(tried.shape), ((0, 0), (1, 1)))
            across[:, -1] = True  # the end of the step is known to flip
            ends = np.column_stack([low[at], tried, high[at]])
            first, rows = across.argmax(axis=1), np.arange(len(at))
            low[at], high[at] = ends[rows, first - 1], ends[rows, first]
    return high


def _in_calls(bisections: int) -> list[int]:
    """So many halvings, several in one call: a scorer may take as long for one row as for fifteen."""
    return [min(HALVINGS_AT_ONCE, bisections - done) for done in range(0, bisections, HALVINGS_AT_ONCE)]


def _scores(scorer: Scorer, question: Question, moves: SingleMoves, shares: FloatVector) -> FloatVector:
    """The scores after a share of each move."""
    change = (shares * moves.reach)[:, None]
    quality = question.qualities_after(moves.rows, moves.aspects[:, None], change)
    return scores_of(scorer, question.pairs.rows(moves.rows).with_quality(quality))
