"""Landing: an aspect that was never reviewed, once improved, has a value that a review can lead to.

Between *absent* and the worse end of its scale an aspect has no meaning. A search by scores does not know this; so
where it ends there the aspect is moved on to the worse end, if the pair flips all the same.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from counterec.core.explainers.answer import Proof, Proposal
from counterec.core.explainers.question import Question
from counterec.core.scorers.protocols import Scorer


def landed(scorer: Scorer, question: Question, proposal: Proposal) -> Proposal:
    """The proposal with every improved aspect on its scale, where this does not undo the flip."""
    scale, quality = question.space.scale, question.pairs.item_quality
    after = quality + proposal.delta
    between = (proposal.delta != 0) & (quality == scale.absent) & ((after < scale.low) | (after > scale.high))
    if not between.any():
        return proposal
    delta = np.where(between, scale.worst - quality, proposal.delta)
    delta = np.clip(delta, question.lowest, question.highest).astype(np.float32)
    flips = question.crossed(scorer.score(question.changed(delta)))
    moved = between.any(axis=1) & (flips | ~question.crossed(scorer.score(question.changed(proposal.delta))))
    smaller_flips = moved & (proposal.proof == Proof.EXACT)  # it did, if off the scale
    return replace(
        proposal,
        delta=np.where(moved[:, None], delta, proposal.delta),
        proof=np.where(smaller_flips, Proof.FOUND, proposal.proof).astype(np.int8),
    )
