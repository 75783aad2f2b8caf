"""The bounds of a change: how far each aspect of each pair may move, by the question, its values and its constraints.

================  =============================================  ==========================================
values            an aspect may get worse down to                an aspect may get better up to
================  =============================================  ==========================================
``continuous``    absent                                         the better end of its scale
``reachable``     the worst that an item has (or n = −3); if     the best that an item has (or n = 3)
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
from counterec.core.space import AspectScale, AspectSpace

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
    require(not space.scale.is_category.any(), "an aspect that is a category has no better or worse value to move to")
    quality, counted = space.item_quality[items], space.counted_values
    if kind == "why_not":
        bounds = improving_bounds(space.scale, quality, _best(space, constraints))
    else:
        bounds = worsening_bounds(space.scale, quality, _worst(space, constraints, absent_allowed))
    if kind == "why_rather_takes" and versus is not None:
        return _taking_bounds(space, users, quality, versus, constraints, bounds, absent_allowed)
    within = constraints.within(space, users, quality, *bounds)
    if absent_allowed:
        # An aspect that must not become absent goes no further than it would otherwise.
        narrow = worsening_bounds(space.scale, quality, _worst(space, constraints, absent_allowed=False))
        narrow = constraints.within(space, users, quality, *narrow)
        below, above = (
            np.where(now == full, now, less) for now, full, less in zip(within, bounds, narrow, strict=True)
        )
        within = below, above
    if counted is None or constraints.values == "continuous":
        return within
    return _onto_rungs(space, counted, items, quality, within)


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


def worsening_bounds(scale: AspectScale, quality: FloatMatrix, worst: FloatVector) -> Bounds:
    """Down to the worst, where lower is worse, or up to it. An absent aspect cannot get worse."""
    room = np.where(quality == scale.absent, 0, worst - quality)
    return np.minimum(room, 0) * scale.low_is_worse, np.maximum(room, 0) * ~scale.low_is_worse


def improving_bounds(scale: AspectScale, quality: FloatMatrix, best: FloatVector) -> Bounds:
    """Up to the best, where higher is better, or down to it. From *absent*, it may lie in either direction."""
    room, absent = best - quality, quality == scale.absent
    return np.minimum(room, 0) * (absent | ~scale.low_is_worse), np.maximum(room, 0) * (absent | scale.low_is_worse)


def _worst(space: AspectSpace, constraints: Constraints, absent_allowed: bool) -> FloatVector:
    """The worst value that an aspect may get; *absent* only where that lies beyond the worse end of the scale."""
    scale = space.scale
    if constraints.values == "continuous":
        return np.where(_absent_is_worse(scale), scale.absent, scale.worst)
    least, greatest = space.possible
    worst = np.where(scale.low_is_worse, least, greatest)
    return np.where(_absent_is_worse(scale) & absent_allowed, scale.absent, worst)


def _absent_is_worse(scale: AspectScale) -> BoolVector:
    return np.where(scale.low_is_worse, scale.absent <= scale.low, scale.absent >= scale.high)


def _best(space: AspectSpace, constraints: Constraints) -> FloatVector:
    if constraints.values == "continuous":
        return space.scale.best
    least, greatest = space.possible
    return np.where(space.scale.low_is_worse, greatest, least)


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
