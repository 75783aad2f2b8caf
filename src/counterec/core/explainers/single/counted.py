"""The smallest change of one aspect where values are counted: every value on the way to the bound is tried.

For a scorer with two ReLU layers o·relu(H·relu(W·y + …)), the score changes by at most |o|·|H|·|W_a| per unit of aspect
a; values so near to the one before that this cannot flip are left out.
"""

from __future__ import annotations

import numpy as np
import torch

from counterec.core.arrays import BoolVector, FloatVector, IntVector
from counterec.core.counted_values import CountedValues
from counterec.core.explainers.answer import Alternatives, Proof, Proposal
from counterec.core.explainers.possible_values import Rungs
from counterec.core.explainers.probe import LayeredProbe, near_of, probe_of
from counterec.core.explainers.question import Direction, Question
from counterec.core.explainers.single_moves import SingleMoves, best_of_each_aspect, best_of_each_pair
from counterec.core.explainers.telling import Telling
from counterec.core.explainers.tolerances import NEAR
from counterec.core.scorers.base import Scorer, scores_of


def counted_single(scorer: Scorer, question: Question, counted: CountedValues, telling: bool) -> Proposal:
    """Propose for every pair the smallest change of one aspect that flips, or prove that there is none."""
    probe, moves = probe_of(scorer, question), SingleMoves.of(question)
    tried = steps_of(question, moves, counted)
    if isinstance(probe, LayeredProbe):
        tried = tried.part(np.flatnonzero(_may_flip(probe, tried, question)))
    gaps = probe.gaps(tried.rows, tried.aspects[:, None], tried.reach[:, None])
    flips = _flips(scorer, question, tried, gaps)
    cost = tried.cost(question)
    smallest = best_of_each_aspect(tried, flips, np.where(flips, cost, gaps))
    chosen, flips, rank = tried.part(smallest), flips[smallest], np.where(flips, cost, gaps)[smallest]
    preferred = Telling.of(question) if telling else None
    first = () if preferred is None else preferred.ranks(chosen, flips)
    best = best_of_each_pair(chosen, flips, *first, rank)
    return _proposal(question, chosen, flips, best)


def _proposal(question: Question, moves: SingleMoves, flips: BoolVector, best: IntVector) -> Proposal:
    delta = np.zeros(question.lowest.shape, dtype=np.float32)
    delta[moves.rows[best], moves.aspects[best]] = moves.reach[best]
    singles = np.zeros(delta.shape, dtype=bool)
    singles[moves.rows[flips], moves.aspects[flips]] = True
    count = singles.sum(axis=1)
    return Proposal.of(
        delta,
        np.full(len(delta), Proof.EXACT, dtype=np.int8),
        cannot_flip=count == 0,
        alternatives=Alternatives(singles & (delta == 0), np.maximum(count - 1, 0), np.ones(len(delta), dtype=bool)),
    )


def steps_of(question: Question, moves: SingleMoves, counted: CountedValues) -> SingleMoves:
    """Every change of one aspect to a value on the way to its bound, and the bound itself."""
    rungs, falls = Rungs.of(question.space, counted), question.direction is Direction.LOWER
    rows, aspects, before = moves.rows, moves.aspects, question.pairs.item_quality[moves.rows, moves.aspects]
    parts, at, items = [moves], before + moves.reach, question.items[rows]
    waiting = np.arange(len(moves))
    while len(waiting):
        back = rungs.one_up if falls else rungs.one_down
        at[waiting] = back(items[waiting], aspects[waiting], before[waiting], at[waiting])
        waiting = waiting[at[waiting] != before[waiting]]
        change = (at[waiting] - before[waiting]).astype(np.float32)
        parts.append(SingleMoves(rows[waiting], aspects[waiting], change))
    rows, aspects, reach = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("rows", "aspects", "reach")
    )
    return SingleMoves(rows, aspects, reach)


def _steepest(probe: LayeredProbe) -> FloatVector:
    """Per aspect the most that the score can change with it, |o|·|H|·|W_a|."""
    with torch.inference_mode():
        return probe.layers.steepest().cpu().numpy()


def _may_flip(probe: LayeredProbe, moves: SingleMoves, question: Question) -> BoolVector:
    """Which changes are far enough to flip; of each pair at least the changes that are furthest are kept."""
    steep = _steepest(probe)
    everyone = np.arange(len(question))
    before = probe.gaps(
        everyone, np.zeros((len(everyone), 1), dtype=np.int64), np.zeros((len(everyone), 1), np.float32)
    )
    room = before[moves.rows] - NEAR * question.margin[moves.rows]
    at_bound = (moves.reach == question.lowest[moves.rows, moves.aspects]) | (
        moves.reach == question.highest[moves.rows, moves.aspects]
    )
    return at_bound | (np.abs(moves.reach) * steep[moves.aspects] * 1.001 >= room)


def _flips(scorer: Scorer, question: Question, moves: SingleMoves, gaps: FloatVector) -> BoolVector:
    """Which changes flip: those with a gap below 0 and, of those near it, the ones that the scorer confirms."""
    flips = gaps < 0
    near = np.flatnonzero(~flips & (gaps < near_of(question)[moves.rows]))
    if len(near):
        pairs = question.rows(moves.rows[near])
        delta = np.zeros(pairs.lowest.shape, dtype=np.float32)
        delta[np.arange(len(near)), moves.aspects[near]] = moves.reach[near]
        flips[near] = pairs.crossed(scores_of(scorer, pairs.changed(delta)))
    return flips
