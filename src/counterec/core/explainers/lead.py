"""Aspects and history, side by side: where an item's lead over the item of its target comes from.

The lead is score − target. A scorer with an offset is s = f(X, Y) + offset(user, item), so the lead is a sum of two
signed parts that no choice of ours enters:

history = offset(user, item) − offset(user, item of the target)
aspects = lead − history

Where the offset is a sum over the user's own past items j, the history part is the sum of what each of them adds to the
one item rather than to the other, and those that add most of it carry it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import FloatVector, IntVector, freeze, require, require_shape, row_chunks
from counterec.core.explainers.answer import Explanations
from counterec.core.explainers.question import Direction, Question
from counterec.core.lists import ABSENT_ITEM
from counterec.core.scorers.base import Scorer, has_history, has_offset, scores_of

CARRIES = 0.1
"""A past item carries the history part if it adds at least this share of all that is added with the same sign."""

MOST_CARRIERS = 3
"""At most this many past items are named, those that add most."""

ROWS_AT_ONCE = 4096
"""Pairs scored in one call, to bound the memory of a whole run."""


@dataclass(frozen=True)
class Leads:
    """Per pair, the two signed parts of its lead, what carries the second, and what is left without aspects."""

    aspects: FloatVector
    """NaN where nobody knows how much of the score is due to aspects."""
    history: FloatVector
    """NaN where the scorer has no offset."""
    carriers: Sequence[IntVector | None]
    """The past items that carry the history part, the strongest first; None where the offset is no sum over them."""
    without_aspects: FloatVector
    """The score of the item with all its aspects absent; NaN where it is not to get worse."""

    def __post_init__(self) -> None:
        freeze(self, aspects=np.float64, history=np.float64, without_aspects=np.float32)
        object.__setattr__(self, "carriers", tuple(self.carriers))
        for name in ("history", "without_aspects"):
            require_shape(name, getattr(self, name), self.aspects.shape)
        require(len(self.carriers) == len(self), f"there are carriers for {len(self.carriers)} of {len(self)} pairs")

    def __len__(self) -> int:
        return len(self.aspects)

    def rows(self, index: IntVector) -> Leads:
        """Some of the rows, in this order."""
        carriers = [self.carriers[row] for row in index.tolist()]
        return Leads(self.aspects[index], self.history[index], carriers, self.without_aspects[index])


def leads(scorer: Scorer, question: Question, answers: Explanations) -> Leads:
    """Split the lead of every pair; only the pairs themselves are scored, never the catalogue."""
    rows = np.flatnonzero(_has_lead(question, answers))
    lead = np.full(len(question), np.nan)
    lead[rows] = answers.score_before[rows].astype(np.float64) - answers.target[rows]
    history = _history(scorer, question, rows)
    known = lead if scorer.aspects_only else np.full(len(question), np.nan)
    aspects = lead - history if has_offset(scorer) else known
    carriers = _carriers(scorer, question, rows, history)
    return Leads(aspects, history, carriers, _without_aspects(scorer, question, rows))


def carrying(parts: FloatVector, total: float) -> IntVector:
    """The places of the parts that carry their total: they have its sign, and the largest share of all that do."""
    signed = parts.astype(np.float64) * np.sign(total)
    largest = np.argsort(-signed, kind="stable")[:MOST_CARRIERS]
    least = CARRIES * signed[signed > 0].sum()
    return largest[(signed[largest] > 0) & (signed[largest] >= least)]


def _has_lead(question: Question, answers: Explanations) -> np.ndarray:
    """Which pairs have a target whose item is known, and a score: one that failed has none, and is not tried again."""
    if question.target_item is None:
        return np.zeros(len(question), dtype=bool)
    scored = ~np.isnan(answers.score_before)
    return question.has_target & scored & (question.target_item != ABSENT_ITEM)


def _history(scorer: Scorer, question: Question, rows: IntVector) -> FloatVector:
    found = np.full(len(question), np.nan)
    if has_offset(scorer) and question.target_item is not None and len(rows):
        users = question.users[rows]
        own, other = (scorer.offset(users, items[rows]) for items in (question.items, question.target_item))
        found[rows] = own.astype(np.float64) - other
    return found


def _carriers(scorer: Scorer, question: Question, rows: IntVector, history: FloatVector) -> list[IntVector | None]:
    found: list[IntVector | None] = [None] * len(question)
    if not has_history(scorer) or question.target_item is None:
        return found
    for own in _by_user(question.users, rows):
        items, others = question.items[own], question.target_item[own]
        asked = np.unique(np.concatenate([items, others]))
        past, parts = scorer.history(int(question.users[own[0]]), asked)
        order = np.argsort(past, kind="stable")  # of equal parts, that of the smaller number comes first
        past, parts = past[order], parts[order]
        added = parts[:, np.searchsorted(asked, items)] - parts[:, np.searchsorted(asked, others)]
        for place, row in enumerate(own.tolist()):
            found[row] = past[carrying(added[:, place], float(history[row]))]
    return found


def _by_user(users: IntVector, rows: IntVector) -> Iterator[IntVector]:
    """The rows, one array per user."""
    rows = rows[np.argsort(users[rows], kind="stable")]
    if len(rows):
        yield from np.split(rows, np.flatnonzero(np.diff(users[rows])) + 1)


def _without_aspects(scorer: Scorer, question: Question, rows: IntVector) -> FloatVector:
    """The scores of the items with every aspect absent, whatever the constraints allow."""
    found = np.full(len(question), np.nan, dtype=np.float32)
    if question.direction is Direction.RAISE:
        return found
    for chunk in row_chunks(len(rows), ROWS_AT_ONCE):
        pairs = question.pairs.rows(rows[chunk])
        absent = np.broadcast_to(question.space.without, pairs.item_quality.shape)
        found[rows[chunk]] = scores_of(scorer, pairs.with_quality(absent))
    return found
