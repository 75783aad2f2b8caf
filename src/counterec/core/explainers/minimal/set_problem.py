"""What the search over sets of aspects searches for: the owners of the sets, and when a change is enough for them."""

from __future__ import annotations

from typing import Protocol

from counterec.core.arrays import BoolMatrix, BoolVector, FloatMatrix, FloatVector, IntMatrix, IntVector
from counterec.core.explainers.minimal.shrinking import Sets, shrunk
from counterec.core.explainers.probe import probe_of
from counterec.core.explainers.question import Question
from counterec.core.explainers.single_moves import MoveTable, SingleMoves
from counterec.core.explainers.tolerances import NEAR
from counterec.core.scorers.protocols import Scorer


class SetProblem(Protocol):
    """The owners of the sets: what may move for each of them, and when a change is enough."""

    moves: MoveTable
    """One row per owner."""
    near: FloatVector
    """Per owner: with a gap between 0 and this, a change may still be enough, and ``crossed`` decides."""
    costs: FloatVector
    most: int | None
    """At most this many aspects of an owner may move."""
    whole: bool
    """Whether an aspect that moves goes all the way to its bound."""

    def gaps(self, owners: IntVector, aspects: IntMatrix, change: FloatMatrix) -> FloatVector:
        """How far each change is from enough, below 0 where it is; row i is a change for ``owners[i]``."""
        ...

    def gaps_of_sets(self, owner: int, aspects: IntVector, reach: FloatVector, sets: BoolMatrix) -> FloatVector:
        """The gaps of many sets of one owner's aspects, those of a set all at their reach."""
        ...

    def crossed(self, owners: IntVector, delta: FloatMatrix) -> BoolVector:
        """Which of these changes are enough by the scorer's own scores; row i is a change for ``owners[i]``."""
        ...

    def shrunk(self, sets: Sets, rounds: int) -> FloatMatrix:
        """For each set, which is enough at its bounds, a small change of it that still is."""
        ...


class PairProblem:
    """Every pair of a question owns sets of its own: a change is enough if it flips."""

    def __init__(self, scorer: Scorer, question: Question) -> None:
        self._scorer, self._question = scorer, question
        self.moves: MoveTable = SingleMoves.of(question).table(len(question))
        probe = probe_of(scorer, question)
        self._probe, self.gaps, self.gaps_of_sets = probe, probe.gaps, probe.gaps_of_sets
        self.near: FloatVector = NEAR * question.clearance
        self.costs: FloatVector = question.costs
        self.most, self.whole = question.most, question.whole

    def crossed(self, owners: IntVector, delta: FloatMatrix) -> BoolVector:
        """Score the changed items."""
        pairs = self._question.rows(owners)
        return pairs.crossed(self._scorer.score(pairs.changed(delta)))

    def shrunk(self, sets: Sets, rounds: int) -> FloatMatrix:
        """Along the boundary."""
        return shrunk(self._probe, sets, rounds)
