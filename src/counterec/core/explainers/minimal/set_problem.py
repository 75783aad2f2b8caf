"""What the search over sets of aspects searches for: the owners of the sets, and when a change is enough for them."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, FloatMatrix, FloatVector, IntMatrix, IntVector
from counterec.core.counted_values import CountedValues
from counterec.core.explainers.minimal.screened_sets import ScreenedSets
from counterec.core.explainers.minimal.shrinking import Sets, shrunk, shrunk_visibly, trimmed
from counterec.core.explainers.minimal.value_grid import MOST_ASPECTS, ValueGrid
from counterec.core.explainers.probe import LayeredProbe, near_of, probe_of
from counterec.core.explainers.question import Question
from counterec.core.explainers.reachable_values import PossibleChanges
from counterec.core.explainers.root_finding import crossings, sections
from counterec.core.explainers.single_moves import MoveTable, SingleMoves
from counterec.core.explainers.telling import VISIBLE, Telling
from counterec.core.scorers.base import Scorer, scores_of


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
    worth: FloatMatrix | None
    """Per move of each owner ln of what its aspect is worth as a reason; None if smaller changes are preferred."""
    span: FloatVector
    """The span of each aspect."""
    at_once: bool
    """Whether many changes are better tried in one call than few in several: a call may be slow, whatever it asks."""

    def gaps(self, owners: IntVector, aspects: IntMatrix, change: FloatMatrix) -> FloatVector:
        """How far each change is from enough, below 0 where it is; row i is a change for ``owners[i]``."""
        ...

    def gaps_of_sets(self, owner: int, aspects: IntVector, reach: FloatVector, sets: BoolMatrix) -> FloatVector:
        """The gaps of many sets of one owner's aspects, those of a set all at their reach."""
        ...

    def screen(self, owners: IntVector, aspects: IntMatrix, reach: FloatMatrix) -> ScreenedSets | None:
        """What says at little cost which sets of these owners are not enough, from one set of each; None if nothing."""
        ...

    def crossed(self, owners: IntVector, delta: FloatMatrix) -> BoolVector:
        """Which of these changes are enough by the scorer's own scores; row i is a change for ``owners[i]``."""
        ...

    def shrunk(self, sets: Sets, rounds: int) -> FloatMatrix:
        """For each set, which is enough at its bounds, a small change of it that still is."""
        ...


class PairProblem:
    """Every pair of a question owns sets of its own: a change is enough if it flips."""

    def __init__(self, scorer: Scorer, question: Question, telling: bool = False, whole_sets: bool = False) -> None:
        self._scorer, self._question, self._whole_sets = scorer, question, whole_sets
        self.moves: MoveTable = SingleMoves.of(question).table(len(question))
        probe = probe_of(scorer, question)
        self._probe, self.gaps, self.gaps_of_sets = probe, probe.gaps, probe.gaps_of_sets
        self.at_once = not isinstance(probe, LayeredProbe)
        self.near: FloatVector = near_of(question)
        self.costs: FloatVector = question.unit_costs
        self.most, self.whole, self.span = question.most, question.whole, question.space.scale.span
        self._possible = PossibleChanges(question, whole_sets) if question.counted or question.stepped else None
        preferred = Telling.of(question) if telling else None
        owners = np.broadcast_to(np.arange(len(question))[:, None], self.moves.aspects.shape)
        self.worth: FloatMatrix | None = None if preferred is None else preferred.worth(owners, self.moves.aspects)

    def screen(self, owners: IntVector, aspects: IntMatrix, reach: FloatMatrix) -> ScreenedSets | None:
        """By the layers, if there are any to see."""
        if not isinstance(self._probe, LayeredProbe):
            return None
        return ScreenedSets.of(self._probe, self.near, owners, aspects, reach)

    def crossed(self, owners: IntVector, delta: FloatMatrix) -> BoolVector:
        """Score the changed items."""
        pairs = self._question.rows(owners)
        return pairs.crossed(scores_of(self._scorer, pairs.changed(delta)))

    def shrunk(self, sets: Sets, rounds: int) -> FloatMatrix:
        """Along the boundary; then, where only some values are possible, to the next ones that flip.

        The scores of attributes may jump, so that there is no slope to follow: there every change is shortened by
        itself, as far as the others allow.
        """
        counted = self._question.space.counted_values
        if self._possible is None:
            return self._along_the_boundary(sets, rounds)
        change = sets.reach.copy()
        on_grid = np.zeros(len(sets.rows), dtype=bool)
        if counted is not None and self.at_once and not self._whole_sets:
            on_grid = np.count_nonzero(sets.reach, axis=1) <= MOST_ASPECTS
            change[on_grid] = self._smallest_on_grid(sets.part(on_grid), counted, self._possible)
        rest = sets.part(~on_grid)
        found = self._shrunk_on_steps(rest) if self._question.stepped else self._along_the_boundary(rest, rounds)
        change[~on_grid] = self._possible.reached(self._probe, rest.rows, rest.aspects, found)
        return change

    def _along_the_boundary(self, sets: Sets, rounds: int) -> FloatMatrix:
        return shrunk(self._probe, sets, rounds, sections if self.at_once else crossings)

    def _smallest_on_grid(self, sets: Sets, counted: CountedValues, possible: PossibleChanges) -> FloatMatrix:
        change, exhausted = ValueGrid.of(self._question, sets, counted).smallest(self._probe)
        left = np.flatnonzero(~exhausted)
        change[left] = possible.stepped_back(self._probe, sets.rows[left], sets.aspects[left], change[left])
        return change

    def _shrunk_on_steps(self, sets: Sets) -> FloatMatrix:
        if self._whole_sets:
            least = VISIBLE * self.span[sets.aspects]
            return shrunk_visibly(self._probe, sets, least, sections)
        change = shrunk(self._probe, sets, 0, sections)
        several = np.flatnonzero(sets.several)
        change[several] = trimmed(self._probe, sets.part(several), change[several], sections)
        return change
