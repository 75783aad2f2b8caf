"""The question: within bounds on the change, what small change brings each pair's score across its target?"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from counterec.core.arrays import (
    BoolMatrix,
    BoolVector,
    FloatMatrix,
    FloatVector,
    IntMatrix,
    IntVector,
    freeze,
    require,
    require_finite,
    require_shape,
)
from counterec.core.candidates import Candidates
from counterec.core.explainers.constraints import NONE, Constraints
from counterec.core.explainers.possible_values import SAME, possible_values, values_on_steps
from counterec.core.explainers.tolerances import SAFETY
from counterec.core.scorers.base import PairBatch
from counterec.core.space import AspectSpace
from counterec.errors import InvalidValueError

if TYPE_CHECKING:  # a question is read without PyTorch
    from counterec.core.list_rules import RankedLists, Ranker

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
    ``target`` is NaN where a pair has none. ``costs`` weigh the aspects in what counts as a small change: each is the
    cost of a change by the whole span of its aspect.
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
    spread: FloatVector
    """The standard deviation of the scores of the user's candidates."""
    largest: FloatVector
    """Their largest absolute value."""
    margin: FloatVector
    """By how much a flip clears its target."""
    constraints: Constraints = NONE
    """The constraints that the bounds follow from."""
    absent_allowed: bool = False
    """Whether an aspect may also become absent where only possible values are allowed."""
    most: int | None = None
    """At most this many aspects of a pair may move."""
    whole: bool = False
    """Whether an aspect that moves goes all the way to its bound."""
    versus: IntVector | None = None
    """The items that the pairs are compared with; None where a list decides."""
    target_item: IntVector | None = None
    """The items whose scores are the targets, −1 where there is none; None where nobody says."""
    list_length: int | None = None
    """The length of a user's list, also where two items are compared and ``k`` is 1; None where nobody says."""
    ranker: Ranker | None = None
    """What makes the lists; None: they are the first K in the order of ranking."""
    lists: RankedLists | None = field(default=None, repr=False)
    """The lists that the ranker makes, once a scorer is known (``under_ranker``)."""
    whatever_score: BoolVector | None = None
    """Under a ranker: which pairs no score of the item would flip."""

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
            spread=np.float32,
            largest=np.float32,
            margin=np.float32,
        )
        shape = (len(self.users), len(self.space.aspects))
        for name in ("items", "target", "settled", "spread", "largest", "margin"):
            require_shape(name, getattr(self, name), shape[:1])
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
        if self.target_item is not None:
            freeze(self, target_item=np.int64)
            require_shape("target_item", self.target_item, shape[:1])
        if self.whatever_score is not None:
            freeze(self, whatever_score=np.bool_)
            require_shape("whatever_score", self.whatever_score, shape[:1])
        require(self.most is None or self.most >= 1, f"most is {self.most}; at least 1 aspect must be allowed to move")
        require((self.margin >= 0).all(), "a margin is below 0, or not known; it must be 0 or more")

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
        """Which pairs have a score to cross; where a ranker decides by membership, all have something to cross."""
        return np.ones(len(self), dtype=bool) if self.by_membership else ~np.isnan(self.target)

    @property
    def by_membership(self) -> bool:
        """Whether lists made anew decide about a flip: under a ranker that is not monotone, no single score does."""
        return self.lists is not None and not self.lists.ranker.monotone

    @cached_property
    def unit_costs(self) -> FloatVector:
        """The cost of changing each aspect by 1, in the units of its scale."""
        return self.costs / self.space.scale.span

    def crossed(self, scores: FloatVector) -> BoolVector:
        """Which of these scores, one per pair, lie across their target and clear it by the margin."""
        if self.by_membership:
            return self._moved(scores, np.arange(len(self)), self.margin)
        return crossed(scores, self.target, self.direction, self.margin)

    def safely_crossed(self, scores: FloatVector, rows: IntVector) -> BoolVector:
        """Which of these scores, one for each of these rows, clear the target by what a solver aims at.

        Where an aspect moves all the way or not at all, no solution lies on the boundary, and no safety is needed.
        """
        aim = self.margin[rows] * (1 if self.whole else SAFETY)
        if self.by_membership:
            return self._moved(scores, rows, aim)
        return crossed(scores, self.target[rows], self.direction, aim)

    def just_crossed(self, scores: FloatVector, rows: IntVector) -> BoolVector:
        """Which of these scores, one for each of these rows, clear the target by the margin."""
        if self.by_membership:
            return self._moved(scores, rows, self.margin[rows])
        return crossed(scores, self.target[rows], self.direction, self.margin[rows])

    def _moved(self, scores: FloatVector, rows: IntVector, margin: FloatVector) -> BoolVector:
        """Which of these scores of these rows put the item where it is asked to be, and so they do a margin away."""
        found = np.zeros(scores.shape, dtype=bool)
        places, room = np.broadcast_to(rows, scores.shape), np.broadcast_to(margin, scores.shape)
        for at in np.ndindex(scores.shape):
            near = (scores[at] + away * room[at] for away in (0, -1, 1))
            found[at] = all(self.stands(int(places[at]), float(score)) is not self._standing for score in near)
        return found

    @property
    def _standing(self) -> bool:
        """Whether the items stand where they do, in the list or ahead, before any change."""
        return self.direction is Direction.LOWER

    def stands(self, row: int, score: float | np.float32) -> bool:
        """Under a ranker: whether the item of a pair, with this score, is in the list or ahead of the other item."""
        versus = None if self.versus is None else int(self.versus[row])
        return self.require_lists().stands(int(self.users[row]), int(self.items[row]), score, versus)

    def require_monotone(self, flips: BoolVector, scores: FloatVector) -> None:
        """Refuse a ranker that calls itself monotone and disagrees with the targets about scores that cross them."""
        if self.lists is None or self.by_membership:
            return
        for row in np.flatnonzero(flips).tolist():
            if self.stands(row, scores[row]) is self._standing:
                raise InvalidValueError(
                    f"{type(self.ranker).__name__} calls itself monotone, but is not for user {self.users[row]} and "
                    f"item {self.items[row]}: {self.target[row]:g} decides about the item, and yet at "
                    f"{scores[row]:g} it is where it was; set monotone to False"
                )

    def require_lists(self) -> RankedLists:
        """The lists that the ranker makes; raise where no scorer has made them yet."""
        if self.lists is None:
            raise InvalidValueError("the lists of a ranker need a scorer; decide with under_ranker(scorer, question)")
        return self.lists

    def changed(self, delta: FloatMatrix) -> PairBatch:
        """The pairs after a change."""
        return self.pairs.with_quality(self.after(delta))

    def after(self, delta: FloatMatrix) -> FloatMatrix:
        """The qualities after a change; where only some values are possible, exactly these."""
        after = self.pairs.item_quality + delta
        if self.versus is not None and self.whole:
            return np.where(delta != 0, self.space.item_quality[self.versus], after)
        if self.constraints.values == "continuous":
            at_bound = np.nonzero((delta != 0) & ((delta == self.lowest) | (delta == self.highest)))
            after[at_bound] = self._at_ends(at_bound[1], after[at_bound])
            return after
        moved = np.nonzero(delta)
        after[moved] = possible_values(self.space, self.items[moved[0]], moved[1], after[moved])
        return after

    def _at_ends(self, aspects: IntVector, values: FloatVector) -> FloatVector:
        """These values at bounds; where they miss an end of the scale by rounding, that end, which *whatif* accepts."""
        scale = self.space.scale
        room = SAME * np.maximum(np.abs(scale.low), np.maximum(np.abs(scale.high), np.abs(scale.absent)))[aspects]
        for end in (scale.low[aspects], scale.high[aspects]):
            values = np.where(np.abs(values - end) <= room, end, values)
        return values

    def between_bounds(self) -> Question:
        """The same question with any value between its bounds: what a search moves through before it settles."""
        return replace(self, constraints=replace(self.constraints, values="continuous"))

    def qualities_after(self, rows: IntVector, aspects: IntMatrix, change: FloatMatrix) -> FloatMatrix:
        """The qualities of some pairs after changes of a few aspects each, as a search scores them.

        Row i changes ``aspects[i]`` of pair ``rows[i]`` by ``change[i]``, 0 in unused columns. An attribute of a schema
        goes on to the next value that it can have: the scores of trees jump between two values, however near.
        """
        quality = self.pairs.item_quality[rows]
        places = np.broadcast_to(np.arange(len(rows))[:, None], aspects.shape)
        if self.space.schema is None or self.constraints.values == "continuous":
            for column in range(aspects.shape[1]):
                quality[places[:, column], aspects[:, column]] += change[:, column]
            return quality
        used = change != 0
        where, moved, by = (places[used], aspects[used]), aspects[used], change[used]
        if self.versus is not None and self.whole:
            quality[where] = self.space.item_quality[self.versus[rows[where[0]]], moved]
        else:
            quality[where] = values_on_steps(self.space, moved, quality[where] + by, by > 0)
        return quality

    @property
    def stepped(self) -> bool:
        """Whether aspects are attributes of a schema, which move on their steps and between their values."""
        return self.space.schema is not None and self.constraints.values == "reachable" and not self.whole

    @property
    def counted(self) -> bool:
        """Whether an aspect can only have the values that a number of opinions gives it."""
        return self.constraints.values == "reachable" and self.space.counted_values is not None and not self.whole

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
            spread=self.spread[index],
            largest=self.largest[index],
            margin=self.margin[index],
            versus=None if self.versus is None else self.versus[index],
            target_item=None if self.target_item is None else self.target_item[index],
            whatever_score=None if self.whatever_score is None else self.whatever_score[index],
        )

    def rivals(self, row: int) -> IntVector:
        """The items that the pair is ranked among, itself included, sorted; the list is the first ``k`` in rank."""
        if self.versus is None:
            return self.candidates.of(int(self.users[row]))
        return np.sort(np.array([self.items[row], self.versus[row]]))


def crossed(scores: FloatVector, target: FloatVector, direction: Direction, margin: FloatVector) -> BoolVector:
    """Strictly across the target, by more than the margin; never where there is no target."""
    with np.errstate(invalid="ignore"):
        return scores < target - margin if direction is Direction.LOWER else scores > target + margin
