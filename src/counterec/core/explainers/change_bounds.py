"""The bounds of a change: how far each aspect of each pair may move, by the question, its values and its constraints.

================  =============================================  ==========================================
values            an aspect may get worse down to                an aspect may get better up to
================  =============================================  ==========================================
``continuous``    absent                                         the better end of its scale
``reachable``     the worst that an item has (or n = −3); if     the best that an item has (or n = 3)
                  ``absent_allowed``, also absent
of a schema       the worst that an item has, on a step; any     the best that an item has, on a step; any
                  other value if no end is worse; if             other value if no end is worse
                  ``absent_allowed``, also absent
================  =============================================  ==========================================
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from counterec.core.arrays import BoolVector, FloatMatrix, FloatVector, IntVector, require
from counterec.core.counted_values import CountedValues
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.possible_values import SAME
from counterec.core.explainers.question import Kind, Question
from counterec.core.scale import STEP_ROUNDING, AspectScale, StepRounding
from counterec.core.space import AspectSpace

Bounds = tuple[FloatMatrix, FloatMatrix]
"""The bounds of the change, below and above."""


def change_bounds(
    kind: Kind,
    space: AspectSpace,
    users: IntVector,
    items: IntVector,
    versus: IntVector | None,
    constraints: Constraints,
    absent_allowed: bool = False,
) -> Bounds:
    """How far each aspect of each pair may move."""
    known = space.schema is not None or not space.scale.is_category.any()
    require(known, "an aspect that is a category needs a schema that says what its values are")
    quality, counted = space.item_quality[items], space.counted_values
    bounds = _asked_bounds(kind, space, items, constraints, absent_allowed)
    if kind == "why_rather_takes" and versus is not None:
        return _taking_bounds(space, users, quality, versus, constraints, bounds, absent_allowed)
    within = constraints.within(space, users, quality, *bounds)
    if absent_allowed:
        # An aspect that must not become absent goes no further than it would otherwise.
        narrow = _asked_bounds(kind, space, items, constraints, absent_allowed=False)
        narrow = constraints.within(space, users, quality, *narrow)
        below, above = (
            np.where(now == full, now, less) for now, full, less in zip(within, bounds, narrow, strict=True)
        )
        within = below, above
    if space.schema is not None:
        return _onto_steps(space, quality, within)
    if counted is None or constraints.values == "continuous":
        return within
    return _onto_rungs(space, counted, items, quality, within)


def _asked_bounds(
    kind: Kind, space: AspectSpace, items: IntVector, constraints: Constraints, absent_allowed: bool
) -> Bounds:
    """How far a question lets each aspect move, whatever else constrains it."""
    quality = space.item_quality[items]
    held = space.held if kind == "why_rather_takes" else space.possible
    if kind in ("why", "why_rather"):
        held = space.lowest_possible(items), held[1]
    if kind == "why_not":
        bounds = improving_bounds(space.scale, quality, _best(space.scale, constraints, held))
    else:
        bounds = worsening_bounds(space.scale, quality, _worst(space.scale, constraints, held, absent_allowed))
    gone = space.scale.can_be_absent & absent_allowed & (space.scale.absent < held[0])
    return _either_way(space.scale, quality, bounds, (np.where(gone, space.scale.absent, held[0]), held[1]))


def with_absent_allowed(question: Question) -> Question:
    """The same question, where aspects may also become absent."""
    lowest, highest = change_bounds(
        question.kind,
        question.space,
        question.users,
        question.items,
        question.versus,
        question.constraints,
        absent_allowed=True,
    )
    return replace(question, lowest=lowest, highest=highest, absent_allowed=True)


def worsening_bounds(scale: AspectScale, quality: FloatMatrix, worst: FloatMatrix | FloatVector) -> Bounds:
    """Down to the worst, where lower is worse, or up to it. An absent aspect cannot get worse."""
    room = np.where(quality == scale.absent, 0, worst - quality)
    return np.minimum(room, 0) * scale.low_is_worse, np.maximum(room, 0) * ~scale.low_is_worse


def improving_bounds(scale: AspectScale, quality: FloatMatrix, best: FloatVector) -> Bounds:
    """Up to the best, where higher is better, or down to it. From *absent*, it may lie in either direction."""
    room, absent = best - quality, quality == scale.absent
    return np.minimum(room, 0) * (absent | ~scale.low_is_worse), np.maximum(room, 0) * (absent | scale.low_is_worse)


def _either_way(scale: AspectScale, quality: FloatMatrix, bounds: Bounds, ends: Bounds) -> Bounds:
    """The bounds, where an aspect that has no worse end may move down and up, to the least and to the greatest value.

    What is absent has bounds already: it cannot move, or it may get any value.
    """
    if not scale.either_way.any():
        return bounds
    free = scale.either_way & (quality != scale.absent)
    lowest, highest = np.minimum(ends[0] - quality, 0), np.maximum(ends[1] - quality, 0)
    return np.where(free, lowest, bounds[0]), np.where(free, highest, bounds[1])


def _worst(scale: AspectScale, constraints: Constraints, held: Bounds, absent_allowed: bool) -> FloatMatrix:
    """The worst value that an aspect may get; *absent* only where that lies beyond the worse end of the scale."""
    if constraints.values == "continuous":
        return np.where(_absent_is_worse(scale), scale.absent, scale.worst)
    worst = np.where(scale.low_is_worse, *held)
    return np.where(_absent_is_worse(scale) & scale.can_be_absent & absent_allowed, scale.absent, worst)


def _absent_is_worse(scale: AspectScale) -> BoolVector:
    return np.where(scale.low_is_worse, scale.absent <= scale.low, scale.absent >= scale.high)


def _best(scale: AspectScale, constraints: Constraints, held: tuple[FloatVector, FloatVector]) -> FloatVector:
    if constraints.values == "continuous":
        return scale.best
    return np.where(scale.low_is_worse, *held[::-1])


def _onto_steps(space: AspectSpace, quality: FloatMatrix, bounds: Bounds) -> Bounds:
    """The bounds moved inwards to the next step; an attribute that has none on its way may not move."""
    scale, aspects = space.scale, np.broadcast_to(np.arange(quality.shape[1]), quality.shape)

    def ends(bound: FloatMatrix, rounding: StepRounding) -> FloatMatrix:
        at = quality + bound
        gone = (np.abs(at - scale.absent) <= STEP_ROUNDING * scale.span) & scale.can_be_absent
        return np.where(gone, scale.absent, scale.on_steps(aspects, at, rounding))

    lowest, highest = ends(bounds[0], np.ceil), ends(bounds[1], np.floor)
    return (
        np.where((bounds[0] < 0) & (lowest < quality), lowest - quality, 0).astype(np.float32),
        np.where((bounds[1] > 0) & (highest > quality), highest - quality, 0).astype(np.float32),
    )


def _onto_rungs(
    space: AspectSpace, counted: CountedValues, items: IntVector, quality: FloatMatrix, bounds: Bounds
) -> Bounds:
    """The bounds moved inwards to the next rung; an aspect that has none on its way may not move."""
    absent, owners, aspects = space.scale.absent, items[:, None], np.arange(quality.shape[1])[None]
    below, above = quality + bounds[0], quality + bounds[1]
    rungs = np.minimum(counted.search(owners, aspects, below - SAME), counted.last)
    lowest = np.where(np.abs(below - absent) <= SAME, absent, counted.value(owners, aspects, rungs))
    rungs = np.maximum(counted.search(owners, aspects, above + SAME, "right") - 1, 0)
    highest = counted.value(owners, aspects, rungs)
    praised = counted.value(owners, aspects, counted.first_praised(owners, aspects))
    first = np.where(quality == absent, praised, quality)
    return (
        np.where((bounds[0] < 0) & (lowest < quality), lowest - quality, 0).astype(np.float32),
        np.where((bounds[1] > 0) & (highest > quality) & (highest >= first), highest - quality, 0).astype(np.float32),
    )


def _taking_bounds(
    space: AspectSpace,
    users: IntVector,
    quality: FloatMatrix,
    versus: IntVector,
    constraints: Constraints,
    worsening: Bounds,
    absent_allowed: bool,
) -> Bounds:
    """Of the changes to the other's values, those that are worse and allowed.

    A constraint that stops an aspect before the other's value rules it out. The other's *absent* is taken over only
    where aspects may become absent.
    """
    others = space.item_quality[versus]
    to_other, (lowest, highest) = others - quality, worsening
    allowed = (others != space.scale.absent) | absent_allowed | (constraints.values == "continuous")
    bounds = (
        np.where(allowed & (lowest < 0) & (to_other < 0) & (to_other >= lowest - SAME), to_other, 0),
        np.where(allowed & (highest > 0) & (to_other > 0) & (to_other <= highest + SAME), to_other, 0),
    )
    within = constraints.within(space, users, quality, *bounds)
    below, above = (np.where(now == full, full, 0) for now, full in zip(within, bounds, strict=True))
    return below.astype(np.float32), above.astype(np.float32)
