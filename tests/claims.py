"""The claims of a row, each established again by slow NumPy in double precision (``tests/naive.py``)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import product

import numpy as np

from counterec.core.explainers.answer import Explanations, Proof, Status
from counterec.core.explainers.question import Question
from tests import naive
from tests.worlds import World

NOT_ASKED = (Status.NO_TARGET, Status.ALREADY_TRUE, Status.NOTHING_TO_CHANGE)


class Row:
    """One pair of a question and the answer to it, in double precision."""

    def __init__(self, world: World, question: Question, answers: Explanations, row: int) -> None:
        self.arrays = world.weights.named()
        self.attention = world.space.user_attention[question.users[row]].astype(np.float64)
        self.quality = world.space.item_quality[question.items[row]].astype(np.float64)
        self.cared_for = self.attention != 0
        self.lowest, self.highest = question.lowest[row].astype(np.float64), question.highest[row].astype(np.float64)
        self.costs = question.costs.astype(np.float64)
        self.target, self.direction, self.margin = float(question.target[row]), str(question.direction), question.margin
        self.delta = answers.delta[row].astype(np.float64)
        self.before, self.after = float(answers.score_before[row]), float(answers.score_after[row])
        self.status, self.proof = Status(answers.status[row]), Proof(answers.proof[row])

    @cached_property
    def movable(self) -> list[int]:
        return [a for a in range(len(self.lowest)) if self.lowest[a] < 0 or self.highest[a] > 0]

    @cached_property
    def named(self) -> list[int]:
        return [int(aspect) for aspect in np.flatnonzero(self.delta)]

    @cached_property
    def noise(self) -> float:
        """What single precision may be off by, anywhere in the bounds."""
        largest = np.maximum(np.abs(self.quality + self.lowest), np.abs(self.quality + self.highest))
        return naive.rounding(self.arrays, self.attention, np.maximum(largest, np.abs(self.quality)))

    @cached_property
    def slack(self) -> float:
        """One hundredth of the margin; more only where single precision cannot tell a hundredth of it."""
        return max(0.01 * self.margin * max(1.0, abs(self.target)), self.noise)

    @property
    def landed(self) -> bool:
        """Whether an aspect that nobody had reviewed was given the worst value that a review leads to."""
        return bool(((self.quality == 0) & (self.delta == 1)).any())

    def score(self, delta: np.ndarray) -> float:
        return naive.net_score(self.arrays, self.attention, self.quality + delta)

    def beyond(self, delta: np.ndarray) -> float:
        return self.beyond_score(self.score(delta))

    def beyond_score(self, score: float) -> float:
        return naive.beyond(score, self.target, self.direction, self.margin)

    def flips_at_bounds(self, aspects: tuple[int, ...] | list[int]) -> bool:
        """Whether these aspects at their bounds flip, beyond all doubt."""
        changes = naive.changes_at_bounds(self.lowest, self.highest, aspects)
        return any(self.beyond(change) > self.slack for change in changes)

    def fewest_at_bounds(self) -> float:
        """The size of the smallest set that flips at its bounds, beyond all doubt."""
        for size in range(1, len(self.movable) + 1):
            if any(self.flips_at_bounds(chosen) for chosen in naive.sets_of(self.movable, size)):
                return size
        return np.inf

    def smallest_on_a_grid(self, aspects: list[int], steps: int) -> float:
        """The least ‖c ⊙ Δ‖₂ of the changes of these aspects, in so many steps to their bounds each, that flip."""
        bounds, least = self.lowest + self.highest, np.inf
        for shares in product(np.linspace(0, 1, steps + 1), repeat=len(aspects)):
            change = np.zeros_like(bounds)
            change[aspects] = bounds[aspects] * shares
            norm = float(np.linalg.norm(self.costs * change))
            if norm < least and self.beyond(change) > 0:
                least = norm
        return least

    def cheapest_single(self, slack: float) -> float:
        """The least cost of a change of one aspect that flips by so much."""
        costs = [np.inf]
        for aspect, reach in naive.ways(self.lowest, self.highest):
            way = naive.Way(self.arrays, self.attention, self.quality, aspect, reach)
            share = way.first_crossing(lambda score: self.beyond_score(score) - slack)
            costs.append(share * abs(reach) * self.costs[aspect])
        return min(costs)


def rows_of(world: World, question: Question, answers: Explanations) -> Iterator[Row]:
    assert len(answers) == len(question)
    np.testing.assert_array_equal(answers.users, question.users)
    np.testing.assert_array_equal(answers.items, question.items)
    for row in range(len(question)):
        yield Row(world, question, answers, row)


def establish(row: Row, singly: bool) -> None:
    """What every row claims, whatever explained it; ``singly``: of changes of one aspect alone."""
    assert (row.delta >= row.lowest).all()
    assert (row.delta <= row.highest).all()
    assert set(row.named) <= set(row.movable)
    nothing = np.zeros_like(row.delta)
    assert abs(row.before - row.score(nothing)) < max(1e-4, 10 * row.noise)
    assert abs(row.after - row.score(row.delta)) < max(1e-4, 10 * row.noise)
    if row.status in (Status.EXPLAINED, Status.NOT_FOUND, Status.CANNOT_FLIP):
        assert not np.isnan(row.target)
        assert row.movable
        assert row.beyond(nothing) < row.slack
        assert (
            (row.beyond(row.delta) > -row.slack)
            if row.status is Status.EXPLAINED
            else (row.beyond(row.delta) < row.slack)
        )
    else:
        assert not row.named
    assert (row.proof is Proof.NONE) == (row.status is not Status.EXPLAINED)
    assert (row.status is Status.NO_TARGET) == np.isnan(row.target)
    if row.status is Status.NOTHING_TO_CHANGE:
        assert not row.movable
    if row.status is Status.ALREADY_TRUE:
        assert row.beyond(nothing) > -row.slack
    if row.status is Status.CANNOT_FLIP:
        establish_cannot_flip(row, singly)
    if row.proof is Proof.EXACT:
        establish_exact(row)
    if row.proof is Proof.SMALLEST:
        establish_smallest(row)
    if row.proof is Proof.IRREDUCIBLE:
        establish_irreducible(row)


def establish_cannot_flip(row: Row, singly: bool) -> None:
    """No single aspect crosses anywhere on its way; nor, unless only those count, does anything within the bounds."""
    assert row.cheapest_single(row.slack) == np.inf
    if not singly:
        random = np.random.default_rng(0)
        corners = [
            np.where(chosen, row.lowest, row.highest) for chosen in product([True, False], repeat=len(row.delta))
        ]
        inside = random.uniform(row.lowest, row.highest, (100, len(row.delta)))
        assert not any(row.beyond(change) > row.slack for change in [*corners, *inside])


def establish_exact(row: Row) -> None:
    """No smaller change of one aspect flips, and this one is no smaller than it can be."""
    (aspect,) = row.named
    cost = abs(row.delta[aspect]) * row.costs[aspect]
    # What flips by the slack more, or less, is what single precision may take for the first flip.
    assert cost <= row.cheapest_single(row.slack) * (1 + 1e-3) + 1e-5
    assert cost >= row.cheapest_single(-row.slack) * (1 - 1e-5) - 1e-6


def establish_smallest(row: Row) -> None:
    """No set of fewer aspects flips with all of them at their bounds."""
    for size in range(1, len(row.named)):
        for chosen in naive.sets_of(row.movable, size):
            assert not row.flips_at_bounds(chosen)


def establish_irreducible(row: Row) -> None:
    """Without any one of its aspects, the others at their bounds do not flip."""
    for left_out in row.named:
        assert not row.flips_at_bounds([aspect for aspect in row.named if aspect != left_out])


def establish_found_what_flips_at_bounds(row: Row) -> None:
    """Of the minimal goal: whatever flips with everything at its bound is explained, by the fewest if so proven."""
    if row.status in NOT_ASKED:
        return
    one_way = not ((row.lowest < 0) & (row.highest > 0)).any()
    if one_way and row.flips_at_bounds(row.movable):
        assert row.status is Status.EXPLAINED
    if row.proof is Proof.SMALLEST:
        assert len(row.named) <= row.fewest_at_bounds()


def establish_found_what_one_aspect_flips(row: Row) -> None:
    """Of the exact single goal: whatever one aspect flips is explained, and what is not is proven impossible."""
    if row.status not in NOT_ASKED:
        assert len(row.named) == 1
        # From one batch to another, the scores of a saturated net may differ by a good part of the margin.
        drowned = row.noise > 0.02 * row.margin * max(1.0, abs(row.target))
        if row.cheapest_single(row.slack) < np.inf:
            assert row.status is Status.EXPLAINED or (drowned and row.status is Status.NOT_FOUND)
        if row.status is Status.EXPLAINED:
            assert row.proof is Proof.EXACT or ((drowned or row.landed) and row.proof is Proof.FOUND)
        if row.cheapest_single(-row.slack) == np.inf:
            assert row.status is Status.CANNOT_FLIP
