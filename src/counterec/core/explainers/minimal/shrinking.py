"""Shrinking: the smallest change of given aspects that still flips, ‖c ⊙ Δ‖₂ → min."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, FloatMatrix, FloatVector, IntMatrix, IntVector
from counterec.core.explainers.change_costs import Jumps, priced
from counterec.core.explainers.probe import SlopeProbe
from counterec.core.explainers.root_finding import RootFinder, crossings
from counterec.core.explainers.tolerances import WORTHWHILE

TINY = np.float32(1e-30)
"""A gap of exactly 0 does not flip; root finding needs one above 0."""


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
    fixed: BoolMatrix | None = None
    """Which changes are made whole or not at all; None if none is."""

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
            None if self.fixed is None else self.fixed[index],
        )

    def clipped(self, change: FloatMatrix, rows: slice | IntVector = slice(None)) -> FloatMatrix:
        """The changes no further than their bounds, each of which lies on one side of 0; fixed ones at their bounds."""
        reach = self.reach[rows]
        inside = np.where(np.abs(change) < np.abs(reach), change, reach)
        return inside if self.fixed is None else np.where(self.fixed[rows], reach, inside)

    @property
    def free(self) -> BoolMatrix:
        """Which changes may shrink."""
        used = self.reach != 0
        return used if self.fixed is None else used & ~self.fixed

    @property
    def several(self) -> BoolVector:
        """Which sets have more than one change that may shrink, or one beside others that may not."""
        return np.asarray(self.free.any(axis=1) & (np.count_nonzero(self.reach, axis=1) > 1))

    def is_fixed(self, columns: IntVector) -> BoolVector:
        """Whether the change in this column of each row is fixed."""
        rows = np.arange(len(columns))
        return np.zeros(len(columns), dtype=bool) if self.fixed is None else self.fixed[rows, columns]

    def norm(self, change: FloatMatrix) -> FloatVector:
        """‖c ⊙ Δ‖₂, where a change to or from absent counts as one span."""
        return np.linalg.norm(priced(np.abs(change), self.costs, self.jumps), axis=1)


def shrunk(probe: SlopeProbe, sets: Sets, rounds: int, find: RootFinder = crossings) -> FloatMatrix:
    """Return for each set a small change of it that flips.

    First the straight line to the bounds is cut where it crosses. Then sets of several aspects move along the boundary:
    where the score falls with slope g, the smallest change that crosses lies on the ray −g/c², clipped to the bounds.
    Each round takes the slope at the best change so far and follows its ray to the crossing. Fixed changes stay whole,
    and the others shrink beside them, to nothing where the fixed ones flip alone.
    """
    if sets.fixed is None:
        return _shrunk(probe, sets, rounds, find)
    best, gaps = np.where(sets.fixed, sets.reach, 0).astype(np.float32), sets.gap_before.copy()
    mixed = np.flatnonzero(sets.fixed.any(axis=1) & sets.free.any(axis=1))
    gaps[mixed] = probe.gaps(sets.rows[mixed], sets.aspects[mixed], best[mixed])
    going = np.flatnonzero((gaps >= 0) & sets.free.any(axis=1))
    part = replace(sets.part(going), gap_before=np.maximum(gaps[going], TINY))
    best[going] = _shrunk(probe, part, rounds, find)
    return best


def _shrunk(probe: SlopeProbe, sets: Sets, rounds: int, find: RootFinder) -> FloatMatrix:
    free = sets.free
    best: FloatMatrix = _cut(probe, sets, sets.reach, sets.gap_at_bounds, find)
    several = np.flatnonzero(np.count_nonzero(free, axis=1) > 1)
    for _ in range(rounds):
        if not len(several):
            break
        part = sets.part(several)
        slope = probe.slopes(part.rows, part.aspects, best[several])
        downhill = -slope / part.costs**2
        downhill = np.where((downhill * part.reach > 0) & free[several], downhill, 0)
        end_gap, ray = _ray_to_the_end(probe, part, downhill)
        usable = np.flatnonzero(end_gap < 0)
        kept = part.part(usable)
        tried = _cut(probe, kept, ray[usable], end_gap[usable], find)
        smaller = kept.norm(tried) < WORTHWHILE * kept.norm(best[several[usable]])
        several = several[usable[smaller]]
        best[several] = tried[smaller]
    return best


def shrunk_visibly(probe: SlopeProbe, sets: Sets, least: FloatMatrix, find: RootFinder) -> FloatMatrix:
    """Return for each set a small change of it that flips, in which every aspect moves by at least this much.

    What cannot move as far moves to its bound.
    """

    def at(which: IntVector, share: FloatVector) -> FloatMatrix:
        reach = sets.reach[which]
        size = np.maximum(share[:, None] * np.abs(reach), least[which])
        return sets.clipped(np.sign(reach) * size, which).astype(np.float32)

    def gap_at(which: IntVector, share: FloatVector) -> FloatVector:
        return probe.gaps(sets.rows[which], sets.aspects[which], at(which, share))

    everything, share = np.arange(len(sets.rows)), np.zeros(len(sets.rows), dtype=np.float32)
    gaps = gap_at(everything, share)
    going = np.flatnonzero(gaps >= 0)
    share[going] = find(lambda which, s: gap_at(going[which], s), gaps[going], sets.gap_at_bounds[going])
    return at(everything, share)


def trimmed(probe: SlopeProbe, sets: Sets, change: FloatMatrix, find: RootFinder = crossings) -> FloatMatrix:
    """Shorten each aspect of a change by itself as far as the rest allows, the dearest first."""
    best, rows = change.copy(), np.arange(len(change))
    dearest = np.argsort(-np.abs(sets.costs * change), axis=1, kind="stable")
    for columns in dearest.T:
        without = best.copy()
        without[rows, columns] = 0
        gaps, gaps_without = _gaps_of_both(probe, sets, best, without)
        best = np.where((gaps_without < 0)[:, None], without, best)
        going = np.flatnonzero((gaps_without > 0) & (gaps < 0) & ~sets.is_fixed(columns))
        cut = _Shortening(probe, sets.part(going), best[going], columns[going])
        best[going] = cut.by(np.arange(len(going)), find(cut.gap_at, gaps_without[going], gaps[going]))
    return best


def _gaps_of_both(
    probe: SlopeProbe, sets: Sets, one: FloatMatrix, other: FloatMatrix
) -> tuple[FloatVector, FloatVector]:
    """The gaps of two changes of each set, in one call: a black box may take as long for one row as for a thousand."""
    rows, aspects = np.tile(sets.rows, 2), np.tile(sets.aspects, (2, 1))
    return tuple(np.split(probe.gaps(rows, aspects, np.concatenate([one, other])), 2))  # type: ignore[return-value]


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
    return probe.gaps(sets.rows, sets.aspects, sets.clipped(longest)), longest


def _cut(probe: SlopeProbe, sets: Sets, ray: FloatMatrix, end_gap: FloatVector, find: RootFinder) -> FloatMatrix:
    """Cut the rays, clipped to the bounds, just beyond where they cross."""

    def gap_at(which: IntVector, share: FloatVector) -> FloatVector:
        change = sets.clipped(share[:, None] * ray[which], which)
        return probe.gaps(sets.rows[which], sets.aspects[which], change)

    share = find(gap_at, sets.gap_before, end_gap)
    return sets.clipped(share[:, None] * ray)
