"""Reachable values: an aspect that was never reviewed, once improved, gets a value that reviews can lead to.

Between *absent* and its scale an aspect has no meaning. A search by scores does not know this; where it ends there, the
aspect is moved on to the end of its scale. A net that is not monotone may not flip there: then all that moves goes to
its bound, and if that does not flip either, the pair has no explanation.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector
from counterec.core.explainers.answer import Proof, Proposal
from counterec.core.explainers.question import Question
from counterec.core.scorers.protocols import Scorer
from counterec.core.space import AspectScale


def onto_scale(scale: AspectScale, quality: FloatMatrix | FloatVector) -> FloatMatrix | FloatVector:
    """The shortest change that puts each value on its scale; 0 where it is there already."""
    return (np.clip(quality, scale.low, scale.high) - quality).astype(np.float32)


def made_reachable(scorer: Scorer, question: Question, proposal: Proposal) -> Proposal:
    """The proposal with every improved aspect on its scale."""
    shortest = onto_scale(question.space.scale, question.pairs.item_quality)
    short = (proposal.delta != 0) & (np.abs(proposal.delta) < np.abs(shortest))
    if not short.any():
        return proposal
    moved = short.any(axis=1)
    on_scale = np.clip(np.where(short, shortest, proposal.delta), question.lowest, question.highest)
    at_bounds = np.select([proposal.delta < 0, proposal.delta > 0], [question.lowest, question.highest], 0)
    flips, flips_at_bounds = (
        question.crossed(scorer.score(question.changed(delta.astype(np.float32)))) for delta in (on_scale, at_bounds)
    )
    delta = np.where((flips_at_bounds & ~flips)[:, None], at_bounds, on_scale)
    no_longer_exact = moved & (proposal.proof == Proof.EXACT)  # a smaller change flips, if off the scale
    return replace(
        proposal,
        delta=np.where(moved[:, None], delta, proposal.delta).astype(np.float32),
        proof=np.where(no_longer_exact, Proof.FOUND, proposal.proof).astype(np.int8),
    )
