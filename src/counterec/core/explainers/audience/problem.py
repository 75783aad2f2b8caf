"""An audience as the one owner of sets: a change is enough if it brings the item into enough lists."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, FloatMatrix, FloatVector, IntMatrix, IntVector
from counterec.core.explainers.audience.user_gaps import BoundaryProbe, UserGaps
from counterec.core.explainers.change_costs import jumps_of
from counterec.core.explainers.minimal.shrinking import Sets, shrunk, trimmed
from counterec.core.explainers.question import Question
from counterec.core.explainers.root_finding import halvings
from counterec.core.explainers.single_moves import MoveTable, SingleMoves
from counterec.core.scorers.base import Scorer


class AudienceProblem:
    """One item and the users whose lists it is to enter: at least ``wanted`` of them, by the same change for all.

    The gap of a change is the ``wanted``-th smallest of its users' gaps: below 0 where enough users are won. Growing
    needs to see progress before that: as long as users are missing for sure, the gap is how many, plus what all users
    lack as a share of 1.
    """

    def __init__(self, scorer: Scorer, question: Question, wanted: int) -> None:
        self._users, self._wanted = UserGaps(scorer, question), wanted
        self._boundary = BoundaryProbe(self._users, wanted)
        self.moves: MoveTable = _moves(self._users.shared).table(1)
        self.near: FloatVector = self._users.near.max(keepdims=True)
        self.costs: FloatVector = question.unit_costs
        self.most: int | None = question.most
        self.whole, self.span = False, question.space.scale.span
        self.at_once = False
        self.worth: FloatMatrix | None = None
        unchanged = np.zeros((1, 1), dtype=np.float32)
        self._lack_before = _lack(self._users.gaps(unchanged.astype(np.int64), unchanged))

    def gaps(self, owners: IntVector, aspects: IntMatrix, change: FloatMatrix) -> FloatVector:  # noqa: ARG002
        """Probe every user; there is one owner."""
        gaps = self._users.gaps(aspects, change)
        missing = self._wanted - (gaps < self._users.near).sum(axis=1)
        lack = _lack(gaps)
        share = np.divide(lack, lack + self._lack_before, out=np.zeros_like(lack), where=lack > 0)
        last = np.partition(gaps, self._wanted - 1, axis=1)[:, self._wanted - 1]
        return np.where(missing > 0, self.near + missing + share, last)

    def gaps_of_sets(self, owner: int, aspects: IntVector, reach: FloatVector, sets: BoolMatrix) -> FloatVector:
        """Probe every user."""
        return self.gaps(np.full(len(sets), owner), np.broadcast_to(aspects, sets.shape), sets * reach)

    def screen(self, owners: IntVector, aspects: IntMatrix, reach: FloatMatrix) -> None:
        """Nothing: the users would each need a bound."""

    def crossed(self, owners: IntVector, delta: FloatMatrix) -> BoolVector:  # noqa: ARG002
        """Score the changed item for every user; there is one owner."""
        return self._users.won(delta).sum(axis=1) >= self._wanted

    def shrunk(self, sets: Sets, rounds: int) -> FloatMatrix:
        """Along the boundary or straight, then each aspect by itself, since some users may need less of it than others.

        The boundary is that of one user, which need not lead to the smallest change for all: the smaller one is kept.
        """
        before = self._boundary.gaps(sets.rows, sets.aspects, np.zeros_like(sets.reach))
        straight, along = (self._trimmed(replace(sets, gap_before=before), some) for some in (0, rounds))
        return np.where((sets.norm(along) < sets.norm(straight))[:, None], along, straight)

    def _trimmed(self, sets: Sets, rounds: int) -> FloatMatrix:
        change = self._users.possible(sets.aspects, shrunk(self._boundary, sets, rounds, halvings))
        return self._users.possible(sets.aspects, trimmed(self._boundary, sets, change, halvings))


def _moves(question: Question) -> SingleMoves:
    if question.stepped:
        return SingleMoves.of(question)
    below, above = question.lowest[0], question.highest[0]
    reach = np.where(above > 0, above, below)
    aspects = np.flatnonzero(reach)
    rows, reach = np.zeros_like(aspects), reach[aspects]
    return SingleMoves(rows, aspects, reach, jumps_of(question, rows, aspects, reach))


def _lack(gaps: FloatMatrix) -> FloatVector:
    """What the users who are not won lack in all."""
    return np.maximum(gaps, 0).sum(axis=1, dtype=np.float64)
