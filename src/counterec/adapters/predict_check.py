"""A model is tried once on a few pairs before it is trusted: shape, finite numbers, and the same ones every time."""

from __future__ import annotations

import numpy as np

from counterec.adapters.row_scorer import RowScorer
from counterec.core.arrays import FloatVector, require
from counterec.core.candidates import Candidates
from counterec.core.scorers.base import PairBatch

PAIRS_TRIED = 16
"""Pairs of the batch that a model is tried on."""

TOLERANCE = 1e-4
"""How far two answers about one pair may lie apart, as a share of the largest score or of 1: float32 and threads."""


def check_model(scorer: RowScorer, candidates: Candidates) -> None:
    """Ask about a few pairs three times: again, and in the opposite order; raise in one line at the first fault."""
    pairs = _some_pairs(scorer, candidates)
    if not len(pairs):
        return
    first = scorer.score(pairs)
    require_same(scorer, pairs, first, scorer.score(pairs), "in another call")
    turned = np.arange(len(pairs))[::-1]
    require_same(scorer, pairs, first, scorer.score(pairs.rows(turned))[turned], "in a batch of another order")
    alone = np.concatenate([scorer.score(pairs.rows(np.array([row]))) for row in range(min(2, len(pairs)))])
    require_same(scorer, pairs.rows(np.arange(len(alone))), first[: len(alone)], alone, "by itself")


def require_same(
    scorer: RowScorer, pairs: PairBatch, before: FloatVector, after: FloatVector, when: str = "in another call"
) -> None:
    """Raise if a score has changed, naming the pair and both values."""
    room = TOLERANCE * max(1e-6, float(np.abs(before).max(initial=0)))
    for place in np.flatnonzero(np.abs(before - after) > room)[:1].tolist():
        require(
            False,
            f"{scorer.model.said} returned {before[place]:g} for {scorer.pair(pairs, place)}, and {after[place]:g} "
            f"{when}; a score must not change between calls (a torch module needs eval(), a random part a fixed seed)",
        )


def _some_pairs(scorer: RowScorer, candidates: Candidates) -> PairBatch:
    """The first candidates of the first and of the last user."""
    space = scorer.tables.space
    users = sorted({0, len(space.users) - 1})
    found = [(user, item) for user in users for item in candidates.of(user)[: PAIRS_TRIED // len(users)].tolist()]
    numbers = np.array(found, dtype=np.int64).reshape(-1, 2)
    return PairBatch.of(space, numbers[:, 0], numbers[:, 1])
