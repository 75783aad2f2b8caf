"""One aspect (Eq. 12), not relaxed at all: for each movable aspect the smallest change that flips; the best of them.

A scorer with two ReLU layers is solved exactly. For any other, a grid over the way to the bound finds the first step
that flips, and bisection the place inside it.
"""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector, row_chunks
from counterec.core.explainers.answer import Proposal
from counterec.core.explainers.question import Direction, Question
from counterec.core.explainers.single.exact import exact_single
from counterec.core.explainers.single.settings import WHOLE, SingleSettings
from counterec.core.explainers.single_moves import SingleMoves
from counterec.core.scorers.protocols import LayeredScorer, PairBatch, Scorer

ROWS_AT_ONCE = 65_536
"""Changed items scored in one call: what bounds the memory."""


def single(scorer: Scorer, question: Question, settings: SingleSettings) -> Proposal:
    """Propose for every pair the cheapest flip by one aspect or, where there is none, the nearest miss."""
    if question.whole:
        settings = WHOLE
    elif isinstance(scorer, LayeredScorer):
        return exact_single(scorer, question)
    ways = SingleMoves.of(question)
    share, flips, nearness = _first_flips(scorer, question, ways, settings.grid)
    share = _bisected(scorer, question, ways, share, flips, settings)
    cost = np.abs(share * ways.reach) * question.costs[ways.aspects]
    # Flips before misses; the cheapest flip, the nearest miss; the smaller aspect number among equals.
    order = np.lexsort((ways.aspects, np.where(flips, cost, nearness), ~flips, ways.rows))
    best = order[np.unique(ways.rows[order], return_index=True)[1]]
    delta = np.zeros(question.lowest.shape, dtype=np.float32)
    delta[ways.rows[best], ways.aspects[best]] = (share * ways.reach)[best]
    # Whole ways have all been tried; of others, only places on a grid.
    tried_out = np.bincount(ways.rows[flips], minlength=len(question)) == 0 if question.whole else None
    return Proposal.of(delta, cannot_flip=tried_out)


def _scores(scorer: Scorer, question: Question, ways: SingleMoves, shares: FloatMatrix) -> FloatMatrix:
    """The scores after going these shares of each way, one row of shares a way."""
    repeated = np.repeat(ways.rows, shares.shape[1])
    pairs = question.pairs.rows(repeated)
    quality = pairs.item_quality.copy()
    quality[np.arange(len(repeated)), np.repeat(ways.aspects, shares.shape[1])] += (
        shares * ways.reach[:, None]
    ).ravel()
    changed = PairBatch(pairs.users, pairs.items, pairs.user_attention, quality)
    return scorer.score(changed).reshape(shares.shape)


def _first_flips(
    scorer: Scorer, question: Question, ways: SingleMoves, grid: int
) -> tuple[FloatVector, np.ndarray, FloatVector]:
    """Per way: the first share of the grid that flips, or else the one that comes nearest; whether; how near."""
    places = (np.arange(1, grid + 1) / grid).astype(np.float32)
    share, nearness = np.ones(len(ways), dtype=np.float32), np.zeros(len(ways), dtype=np.float32)
    flips = np.zeros(len(ways), dtype=bool)
    sign = 1 if question.direction is Direction.LOWER else -1
    for chunk in row_chunks(len(ways), ROWS_AT_ONCE // grid):
        part = ways.part(chunk)
        scores = _scores(scorer, question, part, np.broadcast_to(places, (len(part), grid)))
        across = question.safely_crossed(scores.T, part.rows).T
        flips[chunk] = across.any(axis=1)
        at = np.where(flips[chunk], across.argmax(axis=1), (sign * scores).argmin(axis=1))
        share[chunk] = places[at]
        nearness[chunk] = sign * scores[np.arange(len(part)), at] - sign * question.target[part.rows]
    return share, flips, nearness


def _bisected(
    scorer: Scorer,
    question: Question,
    ways: SingleMoves,
    share: FloatVector,
    flips: np.ndarray,
    settings: SingleSettings,
) -> FloatVector:
    """Halve the step before the first flip, for those ways alone that can still be the cheapest of their pair."""
    unit = np.abs(ways.reach) * question.costs[ways.aspects]
    cheapest = np.full(len(question), np.inf, dtype=np.float32)
    np.minimum.at(cheapest, ways.rows[flips], (share * unit)[flips])
    low, high = share - np.float32(1 / settings.grid), share.copy()
    going = np.flatnonzero(flips & (low * unit < cheapest[ways.rows]))
    for _ in range(settings.bisections):
        for chunk in row_chunks(len(going), ROWS_AT_ONCE):
            at = going[chunk]
            middle = (low[at] + high[at]) / 2
            part = ways.part(at)
            across = question.safely_crossed(_scores(scorer, question, part, middle[:, None])[:, 0], part.rows)
            high[at] = np.where(across, middle, high[at])
            low[at] = np.where(across, low[at], middle)
    return high
