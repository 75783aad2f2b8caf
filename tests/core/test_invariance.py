"""Answers have no units: neither those of the scores nor those of an aspect change a status or an aspect.

By powers of two, single precision multiplies without rounding: every row is the same to the last bit. Other factors and
shifts round. Then those rows are judged whose status and aspects are the same with half and with twice the margin: what
changes there was decided by a few margins. Most rows are such.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.worlds import (
    ATTRIBUTES,
    BlackBox,
    World,
    asked,
    attributes_world,
    counted_world,
    full_world,
    plain_world,
    wide_world,
)

from counterec.core.explainers.answer import Explanations
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.goal_names import Goal
from counterec.core.explainers.question import Kind
from counterec.core.explainers.tolerances import MARGIN
from counterec.core.scorers.base import PairBatch, Scorer
from counterec.core.scorers.net import AspectNet, Dense
from counterec.core.scorers.ranking import rank

pytestmark = pytest.mark.slow

ASKED: tuple[tuple[Goal, bool, Kind], ...] = (
    ("relaxed", True, "why"),
    ("relaxed", True, "why_not"),
    ("single", True, "why"),
    ("single", False, "why_not"),
    ("minimal", True, "why"),
    ("minimal", False, "why_rather"),
    ("minimal", True, "why_not"),
    ("complete", True, "why"),
)
"""Goals, whether telling aspects come first, and questions; a black box has no gradients, which *relaxed* needs."""

VALUES = (Constraints(values="continuous"), Constraints(), Constraints(unreviewed_beyond=1))


class Rescaled:
    """A black box whose scores are multiplied and shifted."""

    def __init__(self, scorer: Scorer, factor: float, shift: float) -> None:
        self._scorer, self._factor, self._shift = scorer, factor, shift
        self.aspects_only = scorer.aspects_only

    def score(self, pairs: PairBatch) -> np.ndarray:
        return (self._scorer.score(pairs) * np.float64(self._factor) + self._shift).astype(np.float32)


def rescaled_net(world: World, factor: float, shift: float) -> Scorer:
    """The net with its output layer multiplied and shifted."""
    output = world.weights.output
    last = Dense(output.weight * np.float32(factor), output.bias * np.float32(factor) + np.float32(shift))
    return AspectNet(dataclasses.replace(world.weights, output=last))


def rescaled_box(world: World, factor: float, shift: float) -> Scorer:
    return Rescaled(BlackBox(AspectNet(world.weights)), factor, shift)


def answered(
    world: World, scorer: Scorer, how: tuple[Goal, bool, Kind], constraints: Constraints, margin: float = MARGIN
) -> Explanations:
    goal, telling, kind = how
    question = asked(kind, world, scorer, 0, constraints=constraints, margin=margin)
    return CountER(scorer, goal=goal, telling=telling).explain(question)


def same(one: Explanations, other: Explanations) -> np.ndarray:
    """Which rows have the same status and, if they are explained, the same aspects; a near miss may be any of many."""
    return (one.status == other.status) & (((one.delta != 0) == (other.delta != 0)).all(axis=1) | ~one.explained)


def settled(world: World, scorer: Scorer, how: tuple[Goal, bool, Kind], constraints: Constraints) -> np.ndarray:
    """Which rows are the same with half and with twice the margin."""
    here, *others = (answered(world, scorer, how, constraints, share * MARGIN) for share in (1, 0.5, 2))
    return np.logical_and.reduce([same(here, other) for other in others])


WORLDS = (full_world, counted_world, wide_world)


@pytest.mark.parametrize(
    ("how", "make"), [*((how, rescaled_net) for how in ASKED), *((how, rescaled_box) for how in ASKED[2:])]
)
def test_a_factor_that_is_a_power_of_two_changes_nothing_at_all(how, make):
    for seed, constraints in enumerate(VALUES[: 2 if how[0] == "relaxed" else 3]):
        world = (full_world if seed else counted_world)(seed)
        here = answered(world, make(world, 1, 0), how, constraints)
        for factor in (2.0**-20, 2.0**20):
            there = answered(world, make(world, factor, 0), how, constraints)
            assert same(here, there).all()
            np.testing.assert_array_equal(there.proof, here.proof)
            np.testing.assert_array_equal(there.delta, here.delta)
            np.testing.assert_array_equal(there.margin, here.margin * np.float32(factor))


@pytest.mark.parametrize(
    ("how", "make"), [*((how, rescaled_net) for how in ASKED), *((how, rescaled_box) for how in ASKED[2:])]
)
def test_no_factor_and_no_shift_by_up_to_ten_standard_deviations_changes_a_status_or_an_aspect(how, make):
    judged = []
    for seed, where in enumerate(WORLDS):
        world = where(10 + seed)
        plain = make(world, 1, 0)
        spread = float(np.median(rank(plain, world.space, world.candidates, 3).spread))
        constraints = VALUES[seed % 3]
        here = answered(world, plain, how, constraints)
        firm = settled(world, plain, how, constraints)
        for factor, shift in ((1e-6, 0), (1e6, 0), (1, 10 * spread), (1, -10 * spread)):
            there = answered(world, make(world, factor, shift), how, constraints)
            differs = np.flatnonzero(firm & ~same(here, there))
            assert not len(differs), (seed, factor, shift, differs)
        judged.append(firm)
    assert np.concatenate(judged).mean() > 0.8


def in_other_units(world: World, factor: float) -> World:
    """The world with its second aspect, a price, in other units."""
    units = np.ones(5)
    units[1] = factor
    scale = dataclasses.replace(
        ATTRIBUTES, low=ATTRIBUTES.low * units, high=ATTRIBUTES.high * units, absent=ATTRIBUTES.absent * units
    )
    space = dataclasses.replace(world.space, item_quality=world.space.item_quality * units, scale=scale)
    first = world.weights.hidden1
    weights = dataclasses.replace(
        world.weights, hidden1=Dense(first.weight / np.concatenate([np.ones(5), units]), first.bias)
    )
    return World(space, weights, world.candidates)


@pytest.mark.parametrize(("how", "box"), [*((how, False) for how in ASKED), *((how, True) for how in ASKED[2:])])
def test_a_price_in_cents_and_in_euros_gives_the_same_answer(how, box):
    def scorer(world: World) -> Scorer:
        return BlackBox(AspectNet(world.weights)) if box else AspectNet(world.weights)

    judged, price_moves = [], 0
    for seed in range(3):
        world, constraints = attributes_world(20 + seed), VALUES[seed % 3]
        here = answered(world, scorer(world), how, constraints)
        exactly = in_other_units(world, 128.0)
        there = answered(exactly, scorer(exactly), how, constraints)
        assert same(here, there).all()
        units = np.array([1, 128, 1, 1, 1], dtype=np.float32)
        np.testing.assert_array_equal(there.delta, here.delta * units)
        firm = settled(world, scorer(world), how, constraints)
        cents = in_other_units(world, 100.0)
        assert (same(here, answered(cents, scorer(cents), how, constraints)) | ~firm).all()
        judged.append(firm)
        price_moves += int((here.delta[:, 1] != 0).sum())
    assert np.concatenate(judged).mean() > 0.8
    assert price_moves >= 3


def test_an_exact_change_is_one_in_every_batch():
    """In this world, scores that differ from batch to batch by a unit in the last place would undo one of a million."""
    world, how = plain_world(39), ("single", True, "why")
    here, there = (answered(world, rescaled_net(world, factor, 0), how, VALUES[0]) for factor in (1, 1e6))
    assert same(here, there).all()
