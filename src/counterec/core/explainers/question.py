"""The question: within bounds on the change, what small change brings each pair's score across its target?"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Literal, get_args

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
from counterec.core.candidates import Candidates
from counterec.core.explainers.tolerances import MARGIN, SAFETY
from counterec.core.scorers.protocols import PairBatch
from counterec.core.space import AspectSpace

Kind = Literal["why", "why_not", "why_rather", "why_rather_takes"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""What is asked; ``question_builders.py`` builds each of them."""


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

    kind: Kind
    space: AspectSpace = field(repr=False)
    users: IntVector
    items: IntVector
    target: FloatVector
    settled: BoolVector
    """Which pairs need no change: what is asked for is already true."""
    direction: Direction
    lowest: FloatMatrix = field(repr=False)
    highest: FloatMatrix = field(repr=False)
    costs: FloatVector
    candidates: Candidates = field(repr=False)
    k: int
    margin: float = MARGIN
    most: int | None = None
    """At most this many aspects of a pair may move."""
    whole: bool = False
    """Whether an aspect that moves goes all the way to its bound."""
    versus: IntVector | None = None
    """The items that the pairs are compared with; None where a list decides."""

    def __post_init__(self) -> None:
        freeze(
            self,
            users=np.int64,
            items=np.int64,
            target=np.float32,
            settled=np.bool_,
            lowest=np.float32,
            highest=np.float32,
            costs=np.float32,
        )
        shape = (len(self.users), len(self.space.aspects))
        require_shape("items", self.items, shape[:1])
        require_shape("target", self.target, shape[:1])
        require_shape("settled", self.settled, shape[:1])
        require_shape("costs", self.costs, shape[1:])
        for name in ("lowest", "highest"):
            require_shape(name, getattr(self, name), shape)
            require_finite(name, getattr(self, name))
        require((self.lowest <= 0).all(), "lowest must be 0 or less: no change must be allowed")
        require((self.highest >= 0).all(), "highest must be 0 or more: no change must be allowed")
        require((self.costs > 0).all(), "the cost of an aspect must be above 0")
        if self.versus is not None:
            freeze(self, versus=np.int64)
            require_shape("versus", self.versus, shape[:1])
        require(self.most is None or self.most >= 1, f"most is {self.most}; at least 1 aspect must be allowed to move")
        require(self.margin >= 0, f"margin is {self.margin}; it must be 0 or more")

    def __len__(self) -> int:
        return len(self.users)

    @cached_property
    def pairs(self) -> PairBatch:
        """The pairs before any change."""
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
        """Which of these scores, one per pair, lie across their target and clear it by the margin."""
        return crossed(scores, self.target, self.direction, self.margin)

    def safely_crossed(self, scores: FloatVector, rows: IntVector) -> BoolVector:
        """Which of these scores, one for each of these rows, clear the target by what a solver aims at.

        Where an aspect moves all the way or not at all, no solution lies on the boundary, and no safety is needed.
        """
        return crossed(scores, self.target[rows], self.direction, self.margin * (1 if self.whole else SAFETY))

    def changed(self, delta: FloatMatrix) -> PairBatch:
        """The pairs after a change."""
        return self.pairs.with_quality(self.pairs.item_quality + delta)

    def rows(self, index: slice | IntVector | BoolVector) -> Question:
        """The question for some of the pairs."""
        return replace(
            self,
            users=self.users[index],
            items=self.items[index],
            target=self.target[index],
            settled=self.settled[index],
            lowest=self.lowest[index],
            highest=self.highest[index],
            versus=None if self.versus is None else self.versus[index],
        )

    def rivals(self, row: int) -> IntVector:
        """The items that the pair is ranked among, itself included, sorted; the list is the first ``k`` in rank."""
        if self.versus is None:
            return self.candidates.of(int(self.users[row]))
        return np.sort(np.array([self.items[row], self.versus[row]]))


def clearance(target: FloatVector, margin: float) -> FloatVector:
    """m = margin · max(1, |target|)."""
    return (margin * np.maximum(1.0, np.abs(target))).astype(np.float32)


def crossed(scores: FloatVector, target: FloatVector, direction: Direction, margin: float) -> BoolVector:
    """Strictly across the target, by more than the margin; never where there is no target."""
    m = clearance(target, margin)
    with np.errstate(invalid="ignore"):
        return scores < target - m if direction is Direction.LOWER else scores > target + m
