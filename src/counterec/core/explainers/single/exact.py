"""The exact smallest change of one aspect, for a scorer with two ReLU layers.

Along one aspect, y + t·reach with t from 0 to 1, the first layer's input p + t·b is a straight line. Each of its units
switches on or off at most once, at t_j = −p_j/b_j, and between two such *breakpoints* the second layer's input z(t) is
a straight line too, whose slope gains |b_j|·H_j at t_j. The score o·relu(z) bends only where a unit of z crosses 0.
Of averaged nets, each has its own z; the breakpoints of all of them divide the way.

On a segment from z = a to z = e the score stays above its lower end by no less than the dent that units with positive
weight can make, which is at most a quarter of their rise, Σ o⁺|e − a| / 4. Segments that this bound cannot rule out are
resolved in double precision: all bends inside are found and the first crossing is solved for on a straight line.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import BoolVector, FloatMatrix, FloatVector, IntVector, row_chunks
from counterec.core.compute_limits import rows_at_once
from counterec.core.explainers.answer import Proof, Proposal
from counterec.core.explainers.offset_targets import for_aspect_part
from counterec.core.explainers.probe import LayeredProbe
from counterec.core.explainers.question import Question, crossed
from counterec.core.explainers.root_finding import crossings
from counterec.core.explainers.single_moves import SingleMoves, best_of_each_pair
from counterec.core.explainers.telling import Telling
from counterec.core.explainers.tolerances import (
    BARELY,
    BATCH_NOISE,
    BEYOND_A_KNOWN_FLIP,
    CLEARLY,
    EXACT_AIM,
    INEXACT_NUDGES,
    LONGER_NUDGES,
    NUDGES,
    SINGLE_PRECISION,
)
from counterec.core.scorers.base import LayeredScorer, Scorer, scores_of

NODES_AT_ONCE = 1024
"""Breakpoints in one table, to bound the memory."""


def exact_single(scorer: Scorer, part: LayeredScorer, question: Question, telling: bool = False) -> Proposal:
    """Propose for every pair the smallest change of one aspect that flips, or prove that there is none.

    ``part`` is the aspect part of the scorer. Its layers are searched; the scorer itself confirms what is found.
    """
    probe = LayeredProbe(part, for_aspect_part(scorer, question), safety=EXACT_AIM, noise=BATCH_NOISE)
    moves = SingleMoves.of(question)
    costs = moves.cost(question)
    gaps = probe.gaps(moves.rows, moves.aspects[:, None], moves.reach[:, None])
    preferred = Telling.of(question) if telling else None
    if preferred is None and moves.jumps is None:
        shares = _smallest_shares(probe, question, moves, costs, gaps)
    else:
        shares = _first_crossings(probe, moves, np.ones(len(moves), dtype=np.float32))
    flips = np.isfinite(shares)
    ends = np.where(flips, shares, 1.0)
    made = replace(moves, reach=ends * moves.reach)
    first = () if preferred is None else preferred.ranks(made, flips)
    best = best_of_each_pair(moves, flips, *first, np.where(flips, moves.cost(question, ends), gaps))
    delta = np.zeros(question.lowest.shape, dtype=np.float32)
    delta[moves.rows[best], moves.aspects[best]] = ends[best] * moves.reach[best]
    found = best[flips[best]]
    exact = _nudge(scorer, question, moves.part(found), shares[found], delta)
    proof = np.full(len(delta), Proof.FOUND, dtype=np.int8)
    proof[moves.rows[found[exact]]] = Proof.EXACT
    cannot_flip = np.ones(len(question), dtype=bool)
    cannot_flip[moves.rows[found]] = False
    return Proposal.of(delta, proof, cannot_flip=cannot_flip)


def _smallest_shares(
    probe: LayeredProbe, question: Question, moves: SingleMoves, costs: FloatVector, gaps: FloatVector
) -> FloatVector:
    """The share at which each move first crosses, infinite where it does not or where another move is cheaper."""
    limit = _known_to_flip(probe, question, moves, costs, gaps)
    ends = np.minimum(1.0, limit[moves.rows] / costs * (1 + BEYOND_A_KNOWN_FLIP)).astype(np.float32)
    shares = _first_crossings(probe, moves, ends)
    # A flip in single precision need not be one in double. Where nothing crosses up to it, search the whole moves.
    misled = np.isfinite(limit)
    misled[moves.rows[np.isfinite(shares)]] = False
    again = np.flatnonzero(misled[moves.rows])
    shares[again] = _first_crossings(probe, moves.part(again), np.ones(len(again), dtype=np.float32))
    return shares


def _known_to_flip(
    probe: LayeredProbe, question: Question, moves: SingleMoves, costs: FloatVector, gaps: FloatVector
) -> FloatVector:
    """Per pair the cost of one change of one aspect that flips, infinite where none is known.

    Of the moves that flip at their bound, the most promising is followed to its crossing. No other move has to be
    searched beyond that cost.
    """
    limit = np.full(len(question), np.inf, dtype=np.float32)
    before = probe.gaps(moves.rows, moves.aspects[:, None], np.zeros((len(moves), 1), dtype=np.float32))
    flipping = np.flatnonzero((gaps < 0) & (before > 0))
    promise = costs[flipping] * before[flipping] / (before[flipping] - gaps[flipping])
    order = flipping[np.lexsort((promise, moves.rows[flipping]))]
    first = order[np.unique(moves.rows[order], return_index=True)[1]]

    def gap_at(which: IntVector, share: FloatVector) -> FloatVector:
        part = moves.part(first[which])
        return probe.gaps(part.rows, part.aspects[:, None], (share * part.reach)[:, None])

    limit[moves.rows[first]] = crossings(gap_at, before[first], gaps[first]) * costs[first]
    return limit


def _first_crossings(probe: LayeredProbe, moves: SingleMoves, ends: FloatVector) -> FloatVector:
    """Per move the share at which it first crosses, up to its end; infinite where it does not."""
    counts = _breakpoint_counts(probe, moves, ends)
    order = np.argsort(counts, kind="stable")
    shares = np.full(len(moves), np.inf, dtype=np.float64)
    start, most = 0, rows_at_once(NODES_AT_ONCE, probe.device)
    while start < len(order):
        # Moves with about as many breakpoints share a table; the last of the chunk has the most.
        stop = start + 1
        while stop < len(order) and (stop - start) * (counts[order[stop]] + 2) < most:
            stop += 1
        chosen = order[start:stop]
        start = stop
        which, low, high = _doubtful_segments(probe, moves.part(chosen), ends[chosen], int(counts[chosen[-1]]))
        crossing = _resolved(probe, moves.part(chosen[which]), low, high)
        np.minimum.at(shares, chosen[which], crossing)
    return shares


@torch.inference_mode()
def _lines(probe: LayeredProbe, moves: SingleMoves) -> tuple[Tensor, Tensor]:
    """The first layer's input along each move: p and b of p + t·b."""
    reach = torch.from_numpy(moves.reach).to(probe.device)[:, None]
    return probe.first[moves.rows], probe.layers.item[moves.aspects] * reach


@torch.inference_mode()
def _breakpoint_counts(probe: LayeredProbe, moves: SingleMoves, ends: FloatVector) -> IntVector:
    counts = np.empty(len(moves), dtype=np.int64)
    for part in row_chunks(len(moves), rows_at_once(NODES_AT_ONCE, probe.device)):
        p, b = _lines(probe, moves.part(part))
        end = torch.from_numpy(ends[part]).to(probe.device)[:, None]
        # A unit switches if its input has opposite signs at the two ends.
        counts[part] = ((p > 0) != (p + end * b > 0)).sum(dim=1).cpu().numpy()
    return counts


@torch.inference_mode()
def _doubtful_segments(
    probe: LayeredProbe, moves: SingleMoves, ends: FloatVector, most: int
) -> tuple[IntVector, FloatVector, FloatVector]:
    """The segments that may cross: of which move, from which share, to which."""
    layers, rows = probe.layers, torch.from_numpy(moves.rows).to(probe.device)
    p, b = _lines(probe, moves)
    end = torch.from_numpy(ends).to(probe.device)[:, None]
    switches = (p > 0) != (p + end * b > 0)
    at = torch.where(switches, (-p / b).clamp(min=0).minimum(end), torch.inf)
    blocks = layers.blocks_of(at)
    switched = [_first_switches(block, most if len(blocks) == 1 else _most_switches(block)) for block in blocks]
    times = switched[0][0]  # in order, if there is one net
    if len(switched) > 1:
        times = torch.topk(torch.cat([times for times, _ in switched], dim=1), most, dim=1, largest=False).values
    nodes = torch.cat([torch.zeros_like(end), times.minimum(end), end], dim=1)
    slopes, gap = layers.through(b * (p > 0)), probe.sign * layers.output_bias - probe.goal[rows][:, None]
    dent = torch.zeros_like(gap)
    for block, its_b in enumerate(layers.blocks_of(b)):
        z = _second_at(nodes, *switched[block], its_b, layers.hidden[block])
        z += probe.second[block, rows][:, None, :]
        z.addcmul_(nodes[:, :, None], slopes[block][:, None, :])
        output = probe.sign * layers.output[block]
        dent = dent + 0.25 * (z.diff(dim=1).abs_() @ output.clamp(min=0))
        gap = gap + z.relu_() @ output
    doubtful = torch.minimum(gap[:, :-1], gap[:, 1:]) - dent < SINGLE_PRECISION * probe.largest[rows][:, None]
    which, place = torch.nonzero(doubtful, as_tuple=True)
    low, high = nodes[which, place], nodes[which, place + 1]
    return which.cpu().numpy(), low.cpu().numpy(), high.cpu().numpy()


def _most_switches(at: Tensor) -> int:
    return int(at.isfinite().sum(dim=1).max()) if len(at) else 0


def _first_switches(at: Tensor, most: int) -> tuple[Tensor, Tensor]:
    """When the units of one net switch, in order, and which these are; infinite in unused columns."""
    return torch.topk(at, most, dim=1, largest=False) if most else (at[:, :0], at[:, :0].long())


def _second_at(nodes: Tensor, times: Tensor, units: Tensor, b: Tensor, hidden: Tensor) -> Tensor:
    """What the units of one net that switch add to its z at these nodes [moves, nodes, second].

    z(t) = z(0) + t·slope(0) + Σ_j relu(t − t_j)·|b_j|·H_j; the sum.
    """
    since = (nodes[:, :, None] - times[:, None, :]).relu_()  # 0 for units that never switch
    return torch.bmm(since.mul_(torch.gather(b, 1, units).abs()[:, None, :]), hidden[units])


@torch.inference_mode()
def _resolved(probe: LayeredProbe, moves: SingleMoves, low: FloatVector, high: FloatVector) -> FloatVector:
    """The share at which each of these segments first crosses, infinite where none does; in double precision."""
    result = np.full(len(moves), np.inf)
    for part in row_chunks(len(moves), rows_at_once(NODES_AT_ONCE // 4, probe.device)):
        result[part] = _resolved_part(probe, moves.part(part), low[part], high[part])
    return result


def _resolved_part(probe: LayeredProbe, moves: SingleMoves, low: FloatVector, high: FloatVector) -> FloatVector:
    layers = probe.doubled_layers
    p, b = (line.double() for line in _lines(probe, moves))
    t0, t1 = (torch.from_numpy(t).to(probe.device).double()[:, None] for t in (low, high))
    a, e = (layers.side_by_side(layers.second((p + t * b).relu())) for t in (t0, t1))
    crosses = (a > 0) != (e > 0)
    bends = torch.where(crosses, a / (a - e), torch.inf)
    most = int(crosses.sum(dim=1).max()) if len(moves) else 0
    inside = torch.topk(bends, most, dim=1, largest=False).values.clamp(max=1.0)
    share = torch.cat([torch.zeros_like(t0), inside, torch.ones_like(t0)], dim=1)
    z = a[:, None, :] + share[:, :, None] * (e - a)[:, None, :]
    score = probe.sign * (z.relu() @ layers.output.flatten() + layers.output_bias)
    gap = score - probe.goal[torch.from_numpy(moves.rows).to(probe.device)].double()[:, None]
    below = gap < 0
    first = below.int().argmax(dim=1)
    before = (first - 1).clamp(min=0)

    def at(values: Tensor, place: Tensor) -> Tensor:
        return values.gather(1, place[:, None])[:, 0]

    gap_before, gap_after = at(gap, before), at(gap, first)
    step = torch.where(first > 0, gap_before / (gap_before - gap_after).clamp(min=1e-300), 0.0)
    inner = at(share, before) + step * (at(share, first) - at(share, before))
    crossing = t0[:, 0] + inner * (t1 - t0)[:, 0]
    return torch.where(below.any(dim=1), crossing, torch.inf).cpu().numpy()


def _nudge(
    scorer: Scorer, question: Question, moves: SingleMoves, shares: FloatVector, delta: FloatMatrix
) -> BoolVector:
    """Lengthen each change by as little as it takes for the scorer itself to confirm the flip.

    Return which of them are still exact.
    """
    exact, waiting = np.zeros(len(moves), dtype=bool), np.arange(len(moves))
    for clear, nudges in ((CLEARLY, NUDGES), (BARELY, NUDGES + LONGER_NUDGES), (CLEARLY, INEXACT_NUDGES)):
        for nudge in nudges:
            part = moves.part(waiting)
            moved = np.minimum(shares[waiting] * (1 + nudge), 1.0) * part.reach
            delta[part.rows, part.aspects] = moved.astype(np.float32)
            some = question.rows(part.rows)
            scores = scores_of(scorer, some.changed(delta[part.rows]))
            aim = np.maximum(some.margin * clear, some.margin + BATCH_NOISE * some.largest).astype(np.float32)
            agreed = crossed(scores, some.target, some.direction, aim)
            exact[waiting[agreed]] = nudges is not INEXACT_NUDGES
            waiting = waiting[~agreed]
            if not len(waiting):
                return exact
    part = moves.part(waiting)
    delta[part.rows, part.aspects] = (shares[waiting] * part.reach).astype(np.float32)
    return exact
