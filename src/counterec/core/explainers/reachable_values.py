"""Reachable values: a change that a search found, moved to values that an item can have, and still flipping.

A search moves aspects freely within their bounds. Here each aspect goes on to the next possible value; if that does not
flip, all that move go to their bounds; if that does not flip either, the pair has no explanation. Counted values are
then stepped back one by one, possibly to no change, while the rest flips.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector, IntMatrix, IntVector
from counterec.core.explainers.answer import Proof, Proposal
from counterec.core.explainers.possible_values import Rungs, values_on_steps
from counterec.core.explainers.probe import SlopeProbe, probe_of
from counterec.core.explainers.question import Direction, Question
from counterec.core.explainers.telling import too_small_to_see
from counterec.core.scorers.base import Scorer


def made_reachable(scorer: Scorer, question: Question, proposal: Proposal) -> Proposal:
    """The proposal with every changed aspect at a value that an item can have."""
    if question.whole or (question.constraints.values == "continuous" and question.direction is Direction.LOWER):
        return proposal
    rows = np.flatnonzero(proposal.delta.any(axis=1))
    aspects, change = _columns(proposal.delta[rows])
    values = PossibleChanges(question, whole_sets=proposal.verdicts is not None)
    off = (values.next_further(rows, aspects, change) != change).any(axis=1)
    off |= question.counted & (proposal.proof[rows] == Proof.FOUND)  # what nobody has stepped back yet
    rows, aspects, change = rows[off], aspects[off], change[off]
    if not len(rows):
        return proposal
    moved = values.reached(probe_of(scorer, question), rows, aspects, change)
    delta, proof = proposal.delta.copy(), proposal.proof.copy()
    delta[rows] = 0
    which, column = np.nonzero(moved)
    delta[rows[which], aspects[which, column]] = moved[which, column]
    proof[rows[proof[rows] == Proof.EXACT]] = Proof.FOUND  # a smaller change flips, if to a value that is not possible
    return replace(proposal, delta=delta, proof=proof)


class PossibleChanges:
    """Which changes of a question's pairs lead to values that an item can have.

    Changes of a few aspects are given as columns: ``aspects`` [B, s] and ``change`` [B, s], 0 in unused columns. With
    ``whole_sets`` no aspect of them is stepped back to what cannot be seen: what is known of them is known of them all.
    """

    def __init__(self, question: Question, whole_sets: bool = False) -> None:
        self._question, self._space, self._whole_sets = question, question.space, whole_sets
        self._falls = question.direction is Direction.LOWER
        counted = question.space.counted_values
        self._rungs = Rungs.of(question.space, counted) if question.counted and counted is not None else None

    def reached(self, probe: SlopeProbe, rows: IntVector, aspects: IntMatrix, change: FloatMatrix) -> FloatMatrix:
        """The changes moved to possible values, those that flip before those that do not."""
        moved, ends = self.next_further(rows, aspects, change), self._bounds(rows, aspects, change)
        flips = probe.gaps(rows, aspects, moved) < 0
        missed = np.flatnonzero(~flips)
        flips[missed] = probe.gaps(rows[missed], aspects[missed], ends[missed]) < 0
        moved[missed[flips[missed]]] = ends[missed[flips[missed]]]
        if self._rungs is not None:
            going = np.flatnonzero(flips)
            moved[going] = self.stepped_back(probe, rows[going], aspects[going], moved[going])
        return moved

    def next_further(self, rows: IntVector, aspects: IntMatrix, change: FloatMatrix) -> FloatMatrix:
        """Each change, or the next one beyond it that leads to a possible value; no further than the bound."""
        which = np.nonzero(change)
        owners, chosen = rows[which[0]], aspects[which]
        before, given = self._before(owners, chosen), change[which]
        values = self._values(self._question.items[owners], chosen, before, before + given)
        bounds = self._bounds(rows, aspects, change)[which]
        further = np.where(values == before + given, given, values - before).astype(np.float32)
        result = np.zeros_like(change, dtype=np.float32)
        # A bound that rounding puts beyond the scale must not be taken for absent, which may lie the other way.
        within = (np.abs(further) < np.abs(bounds)) & (np.sign(further) == np.sign(given))
        result[which] = np.where(within, further, bounds)
        return result

    def _values(self, items: IntVector, aspects: IntVector, before: FloatVector, values: FloatVector) -> FloatVector:
        """The first possible values at or beyond these."""
        space, scale = self._space, self._space.scale
        if space.schema is not None:
            return values_on_steps(space, aspects, values, values > before)
        if self._rungs is not None:
            find = self._rungs.at_or_below if self._falls else self._rungs.at_or_above
            return self._rungs.values(items, aspects, find(items, aspects, before, values))
        continuous = self._question.constraints.values == "continuous"
        least, greatest = (scale.low, scale.high) if continuous else space.possible
        inside = np.clip(values, least[aspects], greatest[aspects])
        # What gets worse beyond the worst that is possible becomes absent, where its bound allows that.
        return np.where((inside != values) & self._falls, scale.absent[aspects], inside)

    def stepped_back(self, probe: SlopeProbe, rows: IntVector, aspects: IntMatrix, change: FloatMatrix) -> FloatMatrix:
        """Take back one step after another, each time the one that saves most, while the rest flips."""
        best, going = change.copy(), np.arange(len(change))
        costs = self._question.unit_costs[aspects]
        while len(going):
            which, column = np.nonzero(best[going])
            owners = going[which]
            tried = best[owners]
            tried[np.arange(len(owners)), column] = self._one_back(
                rows[owners], aspects[owners, column], best[owners, column]
            )
            gaps = probe.gaps(rows[owners], aspects[owners], tried)
            saved = np.abs(best[owners, column] - tried[np.arange(len(owners)), column]) * costs[owners, column]
            kept = tried.any(axis=1)
            if self._whole_sets:
                spans = self._space.scale.span[aspects[owners, column]]
                kept = ~too_small_to_see(tried[np.arange(len(owners)), column], spans)
            flips = np.flatnonzero((gaps < 0) & kept)
            order = flips[np.lexsort((-saved[flips], owners[flips]))]
            first = order[np.unique(owners[order], return_index=True)[1]]
            going = owners[first]
            best[going] = tried[first]
        return best

    def _one_back(self, rows: IntVector, aspects: IntVector, change: FloatVector) -> FloatVector:
        """One step back; the last one leads to no change."""
        if self._rungs is None:
            return change
        before, items = self._before(rows, aspects), self._question.items[rows]
        at = before + change
        back = self._rungs.one_up if self._falls else self._rungs.one_down
        same = np.arange(len(change))
        while len(same):  # near the ends of the ladder, several rungs are one change in single precision
            at[same] = back(items[same], aspects[same], before[same], at[same])
            same = same[(at - before)[same] == change[same]]
        return (at - before).astype(np.float32)

    def _before(self, rows: IntVector, aspects: IntVector) -> FloatVector:
        return self._question.pairs.item_quality[rows, aspects]

    def _bounds(self, rows: IntVector, aspects: IntMatrix, change: FloatMatrix) -> FloatMatrix:
        """The bounds of the changes, in their direction."""
        question = self._question
        lowest, highest = (bound[rows[:, None], aspects] for bound in (question.lowest, question.highest))
        whole = question.stepped & self._space.scale.is_category[aspects]  # another category is no bound of this move
        return np.select([whole, change < 0, change > 0], [change, lowest, highest], 0).astype(np.float32)


def _columns(delta: FloatMatrix) -> tuple[IntMatrix, FloatMatrix]:
    """Dense changes as a few columns: the aspects that move, and by how much."""
    sizes = np.count_nonzero(delta, axis=1)
    which, moved = np.nonzero(delta)
    column = np.arange(len(which)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    aspects = np.zeros((len(delta), max(1, int(sizes.max(initial=0)))), dtype=np.int64)
    change = np.zeros(aspects.shape, dtype=np.float32)
    aspects[which, column], change[which, column] = moved, delta[which, moved]
    return aspects, change
