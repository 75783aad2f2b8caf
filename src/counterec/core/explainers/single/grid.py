"""The smallest change of one aspect, for any scorer: a grid finds the first step that flips, bisection the point."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from counterec.core.arrays import BoolVector, FloatMatrix, FloatVector, row_chunks
from counterec.core.explainers.answer import Proposal
from counterec.core.explainers.probe import sign_of
from counterec.core.explainers.question import Question
from counterec.core.explainers.single.settings import SingleSettings
from counterec.core.explainers.single_moves import SingleMoves, best_of_each_pair
from counterec.core.explainers.telling import Telling
from counterec.core.scorers.checked_scores import scores_of
from counterec.core.scorers.protocols import PairBatch, Scorer

ROWS_AT_ONCE = 65_536
"""Changed items scored in one call, to bound the memory."""

HALVINGS_AT_ONCE = 4
"""Halvings of a step whose points are all tried in one call."""


def grid_single(scorer: Scorer, question: Question, settings: SingleSettings, telling: bool = False) -> Proposal:
    """Propose for every pair the cheapest flip by one aspect or, where there is none, the nearest miss."""
    moves = SingleMoves.of(question)
    found = _first_flips(scorer, question, moves, settings.grid)
    preferred = Telling.of(question) if telling else None
    share = _bisected(scorer, question, moves, found, settings, only_cheapest=preferred is None)
    cost = moves.cost(question, share)
    first = () if preferred is None else preferred.ranks(replace(moves, reach=share * moves.reach), found.flips)
    best = best_of_each_pair(moves, found.flips, *first, np.where(found.flips, cost, found.nearness))
    delta = np.zeros(question.lowest.shape, dtype=np.float32)
    delta[moves.rows[best], moves.aspects[best]] = (share * moves.reach)[best]
    # Moves that are whole have all been tried; of others, only points on a grid.
    none_flips = np.bincount(moves.rows[found.flips], minlength=len(question)) == 0 if question.whole else None
    return Proposal.of(delta, cannot_flip=none_flips)


@dataclass(frozen=True)
class _OnGrid:
    """For each move, what the grid shows."""

    share: FloatVector
    """The first share of the move that flips or, where none does, the one that comes nearest."""
    flips: BoolVector
    nearness: FloatVector
    """How far the score at that share is from the target."""


def _first_flips(scorer: Scorer, question: Question, moves: SingleMoves, grid: int) -> _OnGrid:
    points = (np.arange(1, grid + 1) / grid).astype(np.float32)
    share, nearness = np.ones(len(moves), dtype=np.float32), np.zeros(len(moves), dtype=np.float32)
    flips = np.zeros(len(moves), dtype=bool)
    sign = sign_of(question)
    for chunk in row_chunks(len(moves), ROWS_AT_ONCE // grid):
        part = moves.part(chunk)
        scores = _scores(scorer, question, part, np.broadcast_to(points, (len(part), grid)))
        across = question.safely_crossed(scores.T, part.rows).T
        flips[chunk] = across.any(axis=1)
        at = np.where(flips[chunk], across.argmax(axis=1), (sign * scores).argmin(axis=1))
        share[chunk] = points[at]
        target = np.nan_to_num(question.target[part.rows])  # under some rankers there is none; then lower is nearer
        nearness[chunk] = sign * scores[np.arange(len(part)), at] - sign * target
    return _OnGrid(share, flips, nearness)


def _bisected(
    scorer: Scorer,
    question: Question,
    moves: SingleMoves,
    found: _OnGrid,
    settings: SingleSettings,
    only_cheapest: bool,
) -> FloatVector:
    """Halve the step before the first flip; if wanted, only for moves that can still be the cheapest of their pair."""
    cheapest = np.full(len(question), np.inf, dtype=np.float32)
    np.minimum.at(cheapest, moves.rows[found.flips], moves.cost(question, found.share)[found.flips])
    low, high = found.share - np.float32(1 / settings.grid), found.share.copy()
    may_be_cheapest = moves.cost(question, low) < cheapest[moves.rows]
    going = np.flatnonzero(found.flips & (may_be_cheapest | (not only_cheapest)))
    for halvings in _in_calls(settings.bisections):
        inner = np.arange(1, 2**halvings, dtype=np.float32) / 2**halvings
        for chunk in row_chunks(len(going), max(1, ROWS_AT_ONCE // len(inner))):
            at = going[chunk]
            points = low[at, None] + (high - low)[at, None] * inner
            part = moves.part(at)
            across = question.safely_crossed(_scores(scorer, question, part, points).T, part.rows).T
            points, across = np.column_stack([low[at], points, high[at]]), np.pad(across, ((0, 0), (1, 1)))
            across[:, -1] = True  # the end of the step is known to flip
            first, rows = across.argmax(axis=1), np.arange(len(at))
            low[at], high[at] = points[rows, first - 1], points[rows, first]
    return high


def _in_calls(bisections: int) -> list[int]:
    """So many halvings, several in one call: a scorer may take as long for one row as for fifteen."""
    return [min(HALVINGS_AT_ONCE, bisections - done) for done in range(0, bisections, HALVINGS_AT_ONCE)]


def _scores(scorer: Scorer, question: Question, moves: SingleMoves, shares: FloatMatrix) -> FloatMatrix:
    """The scores after these shares of each move, one row of shares per move."""
    repeated = np.repeat(moves.rows, shares.shape[1])
    pairs = question.pairs.rows(repeated)
    quality = pairs.item_quality.copy()
    aspects = np.repeat(moves.aspects, shares.shape[1])
    quality[np.arange(len(repeated)), aspects] += (shares * moves.reach[:, None]).ravel()
    changed = PairBatch(pairs.users, pairs.items, pairs.user_attention, quality)
    return scores_of(scorer, changed).reshape(shares.shape)
