"""The search behind the claims: what it must not take for a flip, and how close its changes come to the smallest."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.claims import NOT_ASKED, rows_of, smallest_on_a_grid, untrue
from tests.varied_questions import SEEDS, Variant, asked, established
from tests.worlds import ALL_WORLDS, WORLDS, plain_world, world_of

from counterec.core.explainers.answer import Proof, Proposal, Status, verified
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question import Question
from counterec.core.explainers.score_bounds import cannot_cross
from counterec.core.explainers.tolerances import OVERSHOOT
from counterec.core.scorers.net import AspectNet, Dense, NetWeights

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("explainer", ["minimal", "minimal of a black box"])
def test_no_set_moves_an_aspect_down_and_up_at_once(explainer):
    """The score is 4·|a − 3| + b + c + d. Neither bound of a helps; both together would bring it to its minimum."""
    first = np.zeros((5, 8))
    first[[0, 1, 2, 3, 4], [4, 4, 5, 6, 7]] = [1, -1, 1, 1, 1]
    net = NetWeights(
        Dense(first, np.array([-3, 3, 0, 0, 0])),
        Dense(np.array([[4, 4, 1, 1, 1]]), np.zeros(1)),
        Dense(np.ones((1, 1)), np.zeros(1)),
    )
    world = world_of(np.random.default_rng(0), np.ones((1, 4)), np.array([[2, 1, 1, 1]] * 2), net, 2)
    question = asked(world, 0, k=1)
    both_directions = dataclasses.replace(question, highest=[[3, 0, 0, 0]], target=[4.5], costs=np.ones(4))
    answers = established(explainer, world, both_directions)
    assert answers.status.tolist() == [Status.EXPLAINED]
    assert answers.proof.tolist() == [Proof.SMALLEST]
    assert (answers.delta != 0).tolist() == [[False, True, True, True]]


@pytest.mark.parametrize(("kind", "seed"), [("tied", 98), ("tied", 210), ("plain", 387), ("narrow", 307)])
def test_what_only_single_precision_takes_for_a_flip_misleads_nobody(kind, seed):
    """In these worlds, single precision shows a flip that double precision does not."""
    world = WORLDS[kind](seed)
    established("single", world, asked(world, seed))


def never_absent(question: Question) -> Question:
    """The question within its bounds: no aspect becomes absent as an exception."""
    return dataclasses.replace(
        question, constraints=dataclasses.replace(question.constraints, unreviewed_beyond="never")
    )


@pytest.mark.parametrize("kind", ALL_WORLDS)
def test_the_bound_over_the_box_never_excludes_what_flips(kind):
    """Also for a net whose second layer has only active units, where every part of the bound counts."""
    for seed in SEEDS[:8]:
        asleep, random = ALL_WORLDS[kind](seed), np.random.default_rng(seed)
        second = asleep.weights.hidden2
        awake = Dense(second.weight, np.abs(second.bias) + random.uniform(0, 6, len(second.bias)))
        for world in (asleep, dataclasses.replace(asleep, weights=dataclasses.replace(asleep.weights, hidden2=awake))):
            question, net = never_absent(asked(world, seed)), AspectNet(world.weights)
            proven = cannot_cross(net, question)
            for goal in ("single", "minimal"):
                assert not (proven & CountER(net, goal=goal).explain(question).explained).any()


class TestVerified:
    """Whatever a solver claims, its row says what re-scoring its change says."""

    def test_a_solver_that_lies_is_found_out(self):
        for seed in [seed for seed in SEEDS if not Variant(seed).reachable]:
            world, random = plain_world(seed), np.random.default_rng(seed)
            question = asked(world, seed)
            anything = random.random(question.lowest.shape).astype(np.float32)
            delta = np.where(anything < 0.3, 0, question.lowest + question.highest) * anything
            lie = Proposal.of(delta.astype(np.float32), np.full(len(question), Proof.FOUND, dtype=np.int8))
            answers = verified(AspectNet(world.weights), question, lie)
            for row in rows_of(world, question, answers):
                assert untrue(row) == []
                if row.status not in NOT_ASKED:
                    assert (row.status == "explained") == (row.beyond > 0) or abs(row.beyond) < row.pair.slack


def test_a_change_of_the_minimal_goal_ends_where_it_crosses():
    """The rows do not claim this, but shrinking is for it: a change goes hardly further than it must."""
    tight = explained = 0
    for seed in range(40):
        world = plain_world(seed)
        question = asked(world, seed & 5)
        answers = CountER(AspectNet(world.weights), goal="minimal").explain(question)
        for row in rows_of(world, question, answers):
            if row.status == "explained" and not row.put_on_scale:
                gap = -row.pair.beyond(np.zeros_like(row.delta))
                explained += 1
                tight += row.beyond < 0.21 * row.pair.clearance + 1.01 * OVERSHOOT * gap
    assert explained > 200
    assert tight > 0.98 * explained


def test_a_change_of_two_aspects_is_about_the_smallest_of_these_two():
    """The rows do not claim this either: compared with a grid over both aspects, with different costs."""
    ratios = []
    for seed in range(12):
        world, random = WORLDS["full"](seed), np.random.default_rng(seed)
        question = dataclasses.replace(asked(world, (seed | 8) & 13), costs=random.uniform(0.2, 5, 7))
        answers = CountER(AspectNet(world.weights), goal="minimal").explain(question)
        for row in rows_of(world, question, answers):
            if row.status == "explained" and len(row.named) == 2:
                ratios.append(np.linalg.norm(row.pair.costs * row.delta) / smallest_on_a_grid(row, 25))
    assert len(ratios) > 30
    assert np.mean(ratios) < 1.03
    assert np.mean(np.array(ratios) < 1.02) > 0.85
