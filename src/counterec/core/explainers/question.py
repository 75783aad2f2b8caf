"""The question: within bounds on the change, what small change brings each pair's score across its target?"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Literal

import numpy as np

from counterec.core.arrays import (
    BoolMatrix,
    BoolVector,
    FloatMatrix,
    FloatVector,
    IntVector,
    freeze,
    require,
    require_finite,
    require_shape,
)
from counterec.core.scorers.protocols import PairBatch
from counterec.core.space import AspectScale, AspectSpace, Candidates, Recommendations

MARGIN = 1e-4
"""A flip clears the target by this share of max(1, |target|)."""

SAFETY = 1.2
"""Solvers aim past the margin by this factor, so that float noise between batches cannot undo a flip they found."""

Floor = Literal["absent", "worst"]


class Direction(StrEnum):
    """Which way a score has to cross its target."""

    LOWER = "lower"
    RAISE = "raise"


@dataclass(frozen=True)
class Question:
    """Many pairs, one row each: their targets, the direction, and the bounds of the change.

    ``lowest`` ≤ 0 ≤ ``highest`` bound the change of every aspect of every pair; an aspect with both at 0 may not move.
    ``target`` is NaN where a pair has none. ``costs`` weigh the aspects in what counts as a small change.
    """

    kind: str
    space: AspectSpace = field(repr=False)
    users: IntVector
    items: IntVector
    target: FloatVector
    direction: Direction
    lowest: FloatMatrix = field(repr=False)
    highest: FloatMatrix = field(repr=False)
    costs: FloatVector
    candidates: Candidates = field(repr=False)
    k: int
    margin: float = MARGIN

    def __post_init__(self) -> None:
        freeze(
            self,
            users=np.int64,
            items=np.int64,
            target=np.float32,
            lowest=np.float32,
            highest=np.float32,
            costs=np.float32,
        )
        shape = (len(self.users), len(self.space.aspects))
        require_shape("items", self.items, shape[:1])
        require_shape("target", self.target, shape[:1])
        require_shape("costs", self.costs, shape[1:])
        for name in ("lowest", "highest"):
            require_shape(name, getattr(self, name), shape)
            require_finite(name, getattr(self, name))
        require((self.lowest <= 0).all(), "lowest must be 0 or less: no change must be allowed")
        require((self.highest >= 0).all(), "highest must be 0 or more: no change must be allowed")
        require((self.costs > 0).all(), "the cost of an aspect must be above 0")
        require(self.margin >= 0, f"margin is {self.margin}; it must be 0 or more")

    def __len__(self) -> int:
        return len(self.users)

    @cached_property
    def pairs(self) -> PairBatch:
        """The pairs as they are, before any change."""
        return PairBatch.of(self.space, self.users, self.items)

    @cached_property
    def movable(self) -> BoolMatrix:
        """Which aspects of which pairs may move."""
        return (self.lowest < 0) | (self.highest > 0)

    @property
    def has_target(self) -> BoolVector:
        """Which pairs have a score to cross."""
        return ~np.isnan(self.target)

    @property
    def clearance(self) -> FloatVector:
        """m = margin · max(1, |target|): by how much a flip clears its target."""
        return clearance(self.target, self.margin)

    def crossed(self, scores: FloatVector) -> BoolVector:
        """Which of these scores, one a pair, lie across their target and clear it by the margin."""
        return crossed(scores, self.target, self.direction, self.margin)

    def safely_crossed(self, scores: FloatVector, rows: IntVector) -> BoolVector:
        """Which of these scores, one for each of the rows named, clear the target by more than a solver needs."""
        return crossed(scores, self.target[rows], self.direction, self.margin * SAFETY)

    def changed(self, delta: FloatMatrix) -> PairBatch:
        """The pairs after a change."""
        return self.pairs.with_quality(self.pairs.item_quality + delta)

    def rows(self, index: slice | IntVector | BoolVector) -> Question:
        """The question for some of the pairs."""
        return Question(
            kind=self.kind,
            space=self.space,
            users=self.users[index],
            items=self.items[index],
            target=self.target[index],
            direction=self.direction,
            lowest=self.lowest[index],
            highest=self.highest[index],
            costs=self.costs,
            candidates=self.candidates,
            k=self.k,
            margin=self.margin,
        )


def clearance(target: FloatVector, margin: float) -> FloatVector:
    """m = margin · max(1, |target|)."""
    return (margin * np.maximum(1.0, np.abs(target))).astype(np.float32)


def crossed(scores: FloatVector, target: FloatVector, direction: Direction, margin: float) -> BoolVector:
    """Strictly across the target, by more than the margin; never where there is no target."""
    m = clearance(target, margin)
    with np.errstate(invalid="ignore"):
        return scores < target - m if direction is Direction.LOWER else scores > target + m


def why(
    space: AspectSpace,
    recommendations: Recommendations,
    *,
    masked: bool = False,
    floor: Floor = "absent",
    margin: float = MARGIN,
) -> Question:
    """Why is each recommended item in its list: what worsening takes it off?

    The target is the score of the first item below the list (Eq. 8). Every aspect the item has may be worsened, down
    to *absent* or to the *worst* a present aspect can be; with the mask only those the user cares about (Eq. 16).
    """
    rows, _, items = recommendations.pairs()
    users = recommendations.users[rows]
    lowest, highest = worsening_bounds(space.scale, space.item_quality[items], floor)
    if masked:
        cared_for = space.user_attention[users] != 0
        lowest, highest = np.where(cared_for, lowest, 0), np.where(cared_for, highest, 0)
    return Question(
        kind="why",
        space=space,
        users=users,
        items=items,
        target=recommendations.target[rows],
        direction=Direction.LOWER,
        lowest=lowest,
        highest=highest,
        costs=np.ones(len(space.aspects)),
        candidates=recommendations.candidates,
        k=recommendations.k,
        margin=margin,
    )


def worsening_bounds(
    scale: AspectScale, item_quality: FloatMatrix, floor: Floor = "absent"
) -> tuple[FloatMatrix, FloatMatrix]:
    """How far each aspect may move when it may only get worse: the bounds of the change, below and above.

    An absent aspect cannot get worse. *Absent* is the end of the way only where it lies beyond the worse end.
    """
    require(not scale.is_category.any(), "an aspect that is a category has no worse value to move to")
    beyond = np.where(scale.low_is_worse, scale.absent <= scale.low, scale.absent >= scale.high)
    end = np.where(beyond & (floor == "absent"), scale.absent, scale.worst)
    room = np.where(item_quality == scale.absent, 0, end - item_quality)
    return np.minimum(room, 0) * scale.low_is_worse, np.maximum(room, 0) * ~scale.low_is_worse
