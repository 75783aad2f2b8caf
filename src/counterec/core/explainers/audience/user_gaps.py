"""How far one change of an item is from the flip for each user of an audience."""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import BoolMatrix, FloatMatrix, FloatVector, IntMatrix, IntVector, row_chunks
from counterec.core.explainers.probe import ROWS_AT_ONCE, probe_of
from counterec.core.explainers.question import Question, crossed
from counterec.core.explainers.reachable_values import onto_scale
from counterec.core.explainers.tolerances import NEAR
from counterec.core.scorers.protocols import PairBatch, Scorer


class UserGaps:
    """The gaps of every user, for changes as they will be made: no improved aspect stays off its scale."""

    def __init__(self, scorer: Scorer, question: Question) -> None:
        self._scorer, self._question = scorer, question
        self._probe = probe_of(scorer, question)
        self._users = np.arange(len(question))
        self._shortest = onto_scale(question.space.scale, question.pairs.item_quality[0])
        self.near: FloatVector = NEAR * question.clearance
        """Per user: with a gap between 0 and this, the scorer decides."""

    def on_scale(self, aspects: IntMatrix, change: FloatMatrix) -> FloatMatrix:
        """The changes with every improved aspect on its scale."""
        shortest = self._shortest[aspects]
        return np.where((change != 0) & (np.abs(change) < np.abs(shortest)), shortest, change)

    def gaps(self, aspects: IntMatrix, change: FloatMatrix) -> FloatMatrix:
        """The gaps of all users, one row per change."""
        count = len(self._users)
        gaps = np.empty((len(change), count), dtype=np.float32)
        for chunk in row_chunks(len(change), max(1, ROWS_AT_ONCE // count)):
            made = self.on_scale(aspects[chunk], change[chunk]).repeat(count, axis=0)
            users = np.tile(self._users, len(made) // count)
            gaps[chunk] = self._probe.gaps(users, aspects[chunk].repeat(count, axis=0), made).reshape(-1, count)
        return gaps

    def slopes(self, users: IntVector, aspects: IntMatrix, change: FloatMatrix) -> FloatMatrix:
        """How the gap of one user per change changes with each aspect."""
        return self._probe.slopes(users, aspects, self.on_scale(aspects, change))

    def won(self, delta: FloatMatrix) -> BoolMatrix:
        """Which users each change wins, by the scorer's own scores; one row per change."""
        question, count = self._question, len(self._users)
        won = np.empty((len(delta), count), dtype=bool)
        for chunk in row_chunks(len(delta), max(1, ROWS_AT_ONCE // count)):
            pairs = question.pairs.rows(np.tile(self._users, len(delta[chunk])))
            quality = pairs.item_quality + delta[chunk].repeat(count, axis=0)
            scores = self._scorer.score(PairBatch(pairs.users, pairs.items, pairs.user_attention, quality))
            won[chunk] = crossed(scores.reshape(-1, count), question.target, question.direction, question.margin)
        return won


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
