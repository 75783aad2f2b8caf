"""Shrinking: the smallest change of given aspects that still flips, ‖c ⊙ Δ‖₂ → min."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolVector, FloatMatrix, FloatVector, IntMatrix, IntVector
from counterec.core.explainers.change_costs import Jumps, priced
from counterec.core.explainers.probe import SlopeProbe
from counterec.core.explainers.root_finding import RootFinder, crossings
from counterec.core.explainers.tolerances import WORTHWHILE


@dataclass(frozen=True)
class Sets:
    """For each row a set of aspects that flips with all of them at their bounds; unused columns have reach 0."""

    rows: IntVector
    aspects: IntMatrix
    reach: FloatMatrix
    costs: FloatMatrix
    gap_before: FloatVector
    """The gap without any change, above 0."""
    gap_at_bounds: FloatVector
    """The gap with every aspect of the set at its bound, below 0."""
    jumps: Jumps | None = None
    """Which of the changes lead to or from absent; None if none does."""

    def part(self, index: IntVector | BoolVector) -> Sets:
        """Some of the rows."""
        return Sets(
            self.rows[index],
            self.aspects[index],
            self.reach[index],
            self.costs[index],
            self.gap_before[index],
            self.gap_at_bounds[index],
            None if self.jumps is None else self.jumps.part(index),
        )

    def norm(self, change: FloatMatrix) -> FloatVector:
        """‖c ⊙ Δ‖₂, where a change to or from absent counts as one span."""
        return np.linalg.norm(priced(np.abs(change), self.costs, self.jumps), axis=1)


def shrunk(probe: SlopeProbe, sets: Sets, rounds: int, find: RootFinder = crossings) -> FloatMatrix:
    """Return for each set a small change of it that flips.

    First the straight line to the bounds is cut where it crosses. Then sets of several aspects move along the boundary:
    where the score falls with slope g, the smallest change that crosses lies on the ray −g/c², clipped to the bounds.
    Each round takes the slope at the best change so far and follows its ray to the crossing.
    """
    best: FloatMatrix = _cut(probe, sets, sets.reach, sets.gap_at_bounds, find)
    several = np.flatnonzero(np.count_nonzero(sets.reach, axis=1) > 1)
    for _ in range(rounds):
        if not len(several):
            break
        part = sets.part(several)
        slope = probe.slopes(part.rows, part.aspects, best[several])
        downhill = -slope / part.costs**2
        end_gap, ray = _ray_to_the_end(probe, part, np.where(downhill * part.reach > 0, downhill, 0))
        usable = np.flatnonzero(end_gap < 0)
        kept = part.part(usable)
        tried = _cut(probe, kept, ray[usable], end_gap[usable], find)
        smaller = kept.norm(tried) < WORTHWHILE * kept.norm(best[several[usable]])
        several = several[usable[smaller]]
        best[several] = tried[smaller]
    return best


def trimmed(probe: SlopeProbe, sets: Sets, change: FloatMatrix, find: RootFinder = crossings) -> FloatMatrix:
    """Shorten each aspect of a change by itself as far as the rest allows, the dearest first."""
    best, rows = change.copy(), np.arange(len(change))
    dearest = np.argsort(-np.abs(sets.costs * change), axis=1, kind="stable")
    for columns in dearest.T:
        without = best.copy()
        without[rows, columns] = 0
        gaps, gaps_without = (probe.gaps(sets.rows, sets.aspects, change) for change in (best, without))
        best = np.where((gaps_without < 0)[:, None], without, best)
        going = np.flatnonzero((gaps_without > 0) & (gaps < 0))
        cut = _Shortening(probe, sets.part(going), best[going], columns[going])
        best[going] = cut.by(np.arange(len(going)), find(cut.gap_at, gaps_without[going], gaps[going]))
    return best


@dataclass(frozen=True)
class _Shortening:
    """Changes of which one column each is shortened."""

    probe: SlopeProbe
    sets: Sets
    change: FloatMatrix
    columns: IntVector

    def by(self, which: IntVector, share: FloatVector) -> FloatMatrix:
        """Some of the changes with their column at this share."""
        shorter = self.change[which]
        shorter[np.arange(len(which)), self.columns[which]] *= share
        return shorter

    def gap_at(self, which: IntVector, share: FloatVector) -> FloatVector:
        """The gaps of these."""
        return self.probe.gaps(self.sets.rows[which], self.sets.aspects[which], self.by(which, share))


def _ray_to_the_end(probe: SlopeProbe, sets: Sets, ray: FloatMatrix) -> tuple[FloatVector, FloatMatrix]:
    """Lengthen the rays until the last of their aspects has reached its bound; return the gaps there and the rays."""
    stretch = np.divide(sets.reach, ray, out=np.zeros_like(ray), where=ray != 0).max(axis=1, keepdims=True)
    longest = np.asarray(ray * stretch, dtype=np.float32)
    return probe.gaps(sets.rows, sets.aspects, _clipped(longest, sets.reach)), longest


def _cut(probe: SlopeProbe, sets: Sets, ray: FloatMatrix, end_gap: FloatVector, find: RootFinder) -> FloatMatrix:
    """Cut the rays, clipped to the bounds, just beyond where they cross."""

    def gap_at(which: IntVector, share: FloatVector) -> FloatVector:
        change = _clipped(share[:, None] * ray[which], sets.reach[which])
        return probe.gaps(sets.rows[which], sets.aspects[which], change)

    share = find(gap_at, sets.gap_before, end_gap)
    return _clipped(share[:, None] * ray, sets.reach)


def _clipped(change: FloatMatrix, reach: FloatMatrix) -> FloatMatrix:
    """No further than the bounds, each of which lies on one side of 0."""
    return np.where(np.abs(change) < np.abs(reach), change, reach)
