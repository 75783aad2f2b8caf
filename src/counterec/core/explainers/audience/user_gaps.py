"""How far one change of an item is from the flip for each user of an audience."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from counterec.core.arrays import BoolMatrix, FloatMatrix, FloatVector, IntMatrix, IntVector, row_chunks
from counterec.core.explainers.probe import ROWS_AT_ONCE, probe_of
from counterec.core.explainers.question import Question, crossed
from counterec.core.explainers.reachable_values import PossibleChanges
from counterec.core.explainers.tolerances import NEAR
from counterec.core.scorers.base import PairBatch, Scorer, scores_of


class UserGaps:
    """The gaps of every user, for changes as they will be made: to possible values only."""

    def __init__(self, scorer: Scorer, question: Question) -> None:
        self._scorer, self._question = scorer, question
        self._probe = probe_of(scorer, question)
        self._users = np.arange(len(question))
        self.shared = _shared(question)
        self._possible = PossibleChanges(self.shared)
        self.near: FloatVector = NEAR * question.margin
        """Per user: with a gap between 0 and this, the scorer decides."""

    def possible(self, aspects: IntMatrix, change: FloatMatrix) -> FloatMatrix:
        """The changes, each aspect at the next possible value."""
        return self._possible.next_further(np.zeros(len(change), dtype=np.int64), aspects, change)

    def gaps(self, aspects: IntMatrix, change: FloatMatrix) -> FloatMatrix:
        """The gaps of all users, one row per change."""
        count = len(self._users)
        gaps = np.empty((len(change), count), dtype=np.float32)
        for chunk in row_chunks(len(change), max(1, ROWS_AT_ONCE // count)):
            made = self.possible(aspects[chunk], change[chunk]).repeat(count, axis=0)
            users = np.tile(self._users, len(made) // count)
            gaps[chunk] = self._probe.gaps(users, aspects[chunk].repeat(count, axis=0), made).reshape(-1, count)
        return gaps

    def slopes(self, users: IntVector, aspects: IntMatrix, change: FloatMatrix) -> FloatMatrix:
        """How the gap of one user per change changes with each aspect."""
        return self._probe.slopes(users, aspects, self.possible(aspects, change))

    def won(self, delta: FloatMatrix) -> BoolMatrix:
        """Which users each change wins, by the scorer's own scores; one row per change."""
        question, count = self._question, len(self._users)
        won = np.empty((len(delta), count), dtype=bool)
        for chunk in row_chunks(len(delta), max(1, ROWS_AT_ONCE // count)):
            pairs = question.pairs.rows(np.tile(self._users, len(delta[chunk])))
            quality = after_shared_change(self.shared, delta[chunk]).repeat(count, axis=0)
            scores = scores_of(self._scorer, PairBatch(pairs.users, pairs.items, pairs.user_attention, quality))
            won[chunk] = crossed(scores.reshape(-1, count), question.target, question.direction, question.margin)
        return won


def _shared(question: Question) -> Question:
    """The first pair alone, with the widest bounds that any user allows: the change is the same for all."""
    lowest, highest = question.lowest.min(axis=0, keepdims=True), question.highest.max(axis=0, keepdims=True)
    return replace(question.rows(slice(0, 1)), lowest=lowest, highest=highest)


def after_shared_change(question: Question, delta: FloatMatrix) -> FloatMatrix:
    """The item's qualities after each of these changes, by the rules of a question about one pair."""
    return question.rows(np.zeros(len(delta), dtype=np.int64)).after(delta)


class BoundaryProbe:
    """Probes the user on whom it depends whether a change wins enough: the ``wanted``-th nearest."""

    def __init__(self, users: UserGaps, wanted: int) -> None:
        self._users, self._wanted = users, wanted

    def gaps(self, rows: IntVector, aspects: IntMatrix, change: FloatMatrix) -> FloatVector:  # noqa: ARG002
        """The gap of that user."""
        return np.partition(self._users.gaps(aspects, change), self._wanted - 1, axis=1)[:, self._wanted - 1]

    def slopes(self, rows: IntVector, aspects: IntMatrix, change: FloatMatrix) -> FloatMatrix:  # noqa: ARG002
        """The slopes of that user's gap."""
        nearest = np.argsort(self._users.gaps(aspects, change), axis=1, kind="stable")
        return self._users.slopes(nearest[:, self._wanted - 1], aspects, change)
