"""Landing: an aspect that was never reviewed, once improved, has a value that a review can lead to.

Between *absent* and the worse end of its scale an aspect has no meaning. A search by scores does not know this; so
where it ends there the aspect is moved on to the worse end. A net that is not monotone may not flip there: then all
that moves goes to its bound, and if that does not flip either, the pair has no explanation.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from counterec.core.explainers.answer import Proof, Proposal
from counterec.core.explainers.question import Question
from counterec.core.scorers.protocols import Scorer


def landed(scorer: Scorer, question: Question, proposal: Proposal) -> Proposal:
    """The proposal with every improved aspect on its scale."""
    scale, quality = question.space.scale, question.pairs.item_quality
    after = quality + proposal.delta
    between = (proposal.delta != 0) & (quality == scale.absent) & ((after < scale.low) | (after > scale.high))
    if not between.any():
        return proposal
    moved = between.any(axis=1)
    at_worst = np.clip(np.where(between, scale.worst - quality, proposal.delta), question.lowest, question.highest)
    at_bounds = np.select([proposal.delta < 0, proposal.delta > 0], [question.lowest, question.highest], 0)
    flips, flips_at_bounds = (
        question.crossed(scorer.score(question.changed(delta.astype(np.float32)))) for delta in (at_worst, at_bounds)
    )
    delta = np.where((flips_at_bounds & ~flips)[:, None], at_bounds, at_worst)
    smaller_flips = moved & (proposal.proof == Proof.EXACT)  # it did, if off the scale
    return replace(
        proposal,
        delta=np.where(moved[:, None], delta, proposal.delta).astype(np.float32),
        proof=np.where(smaller_flips, Proof.FOUND, proposal.proof).astype(np.int8),
    )
