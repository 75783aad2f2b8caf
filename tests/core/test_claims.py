"""Every claim of every row holds for every variant of a question (``tests/claims.py`` defines each claim)."""

from __future__ import annotations

import dataclasses
from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests import naive
from tests.varied_questions import (
    EXPLAINERS,
    PROVING,
    SEEDS,
    Variant,
    asked,
    establish_bounds,
    established,
    raised,
    raises,
    seeds_of,
)
from tests.worlds import ALL_WORLDS, WORLDS, World, plain_world, random_net, random_space, world_of

from counterec.core.explainers.answer import Proof, Status
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.question import Direction, Question
from counterec.core.explainers.question_builders import why
from counterec.core.scorers.base import Scorer
from counterec.core.scorers.net import Dense, NetWeights
from counterec.core.scorers.ranking import rank

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kind", ALL_WORLDS)
@pytest.mark.parametrize("explainer", EXPLAINERS)
def test_every_claim_holds(explainer, kind):
    for seed in seeds_of(explainer, list(ALL_WORLDS).index(kind)):
        world = ALL_WORLDS[kind](seed)
        question = asked(world, seed)
        establish_bounds(world, established(explainer, world, question), question)


def on_the_edge(question: Question, net: Scorer, random: np.random.Generator) -> Question:
    """Targets that a random set of aspects at its bounds crosses by 0.9 to 1.3 margins."""
    chosen = random.random(question.lowest.shape) < random.uniform(0.2, 1, (len(question), 1))
    ends = net.score(question.changed((question.lowest + question.highest) * chosen))
    margins = question.margin * random.choice([0.9, 0.95, 1.05, 1.1, 1.15, 1.3], len(question))
    return dataclasses.replace(question, target=ends + (1 if question.direction is Direction.LOWER else -1) * margins)


@pytest.mark.parametrize("explainer", EXPLAINERS)
@pytest.mark.parametrize("kind", ["plain", "whole", "wide", "counted"])
def test_claims_hold_where_targets_lie_on_the_edge_of_what_sets_reach(explainer, kind):
    """Each target is put where some set of aspects, at its bounds, just clears the margin or just does not."""
    for seed in seeds_of(explainer)[:: 1 if explainer in PROVING else 2]:
        world, random = WORLDS[kind](100 + seed), np.random.default_rng(seed)
        established(explainer, world, on_the_edge(asked(world, seed), world.scorer, random))


@pytest.mark.parametrize("explainer", EXPLAINERS)
def test_claims_hold_where_aspects_may_fall_and_rise(explainer):
    """Any value is allowed: where only some are possible, every aspect has one direction. So it has where the most
    telling aspect is named."""
    if explainer == "telling single":
        return
    for seed in [seed for seed in seeds_of(explainer) if not Variant(seed).reachable][:8]:
        world = plain_world(200 + seed)
        question = asked(world, seed)
        net, quality = world.scorer, question.pairs.item_quality
        established(explainer, world, dataclasses.replace(question, highest=(5 - quality) * (quality != 0)))
        if raises(explainer):
            established(explainer, world, dataclasses.replace(raised(question, net, masked=False), lowest=-quality))


@pytest.mark.parametrize("explainer", EXPLAINERS)
def test_claims_hold_for_other_margins(explainer):
    for seed in seeds_of(explainer):
        world = plain_world(300 + seed)
        margin = [0.3, 0.05, 1e-3][seed % 3]
        established(explainer, world, asked(world, seed, margin=margin), margin=margin)


@pytest.mark.parametrize("explainer", ["relaxed", "single", "minimal"])
def test_claims_hold_for_many_pairs_at_once_and_for_larger_nets(explainer):
    random = np.random.default_rng(0)
    space = random_space(random, 150, 40, 6)
    net = random_net(random, 6, hidden=(40, 20))
    world = world_of(random, space.user_attention, space.item_quality, net, 12)
    question = asked(world, 0)
    answers = EXPLAINERS[explainer](world.scorer).explain(question)
    some = np.arange(0, len(question), 5)
    established(explainer, world, question.rows(some), answers.rows(some))


@pytest.mark.parametrize("explainer", EXPLAINERS)
class TestFewCandidates:
    K = 3

    def test_one_candidate_more_than_the_list_is_the_target(self, explainer):
        for seed in seeds_of(explainer):
            world = plain_world(seed, candidates=self.K + 1)
            question = asked(world, seed & 3)
            for row in range(len(question)):
                user = int(question.users[row])
                own = world.candidates.of(user)
                scores = naive.net_scores(
                    world.weights.named(), world.space.user_attention[user], world.space.item_quality[own]
                )
                assert question.target[row] == pytest.approx(scores.min(), abs=1e-4)
            answers = established(explainer, world, question)
            assert Status.NO_TARGET not in answers.status

    @pytest.mark.parametrize("candidates", [1, K])
    def test_none_below_the_list_is_no_target(self, explainer, candidates):
        for seed in seeds_of(explainer)[:8]:
            world = plain_world(seed, candidates=candidates)
            answers = established(explainer, world, asked(world, seed))
            assert set(answers.status) == {Status.NO_TARGET}
            assert not answers.delta.any()

    def test_some_users_may_have_a_target_and_others_none(self, explainer):
        world = plain_world(3)
        question = asked(world, 0)
        some = np.arange(len(question)) % 3 == 0
        answers = established(
            explainer, world, dataclasses.replace(question, target=np.where(some, np.nan, question.target))
        )
        np.testing.assert_array_equal(answers.status == Status.NO_TARGET, some)


@pytest.mark.parametrize("explainer", EXPLAINERS)
def test_where_nothing_may_move_this_is_said(explainer):
    for seed in range(2):
        world = plain_world(seed)
        question = asked(world, seed)
        still = dataclasses.replace(question, lowest=question.lowest * 0, highest=question.highest * 0)
        assert set(established(explainer, world, still).status) == {Status.NOTHING_TO_CHANGE}


@pytest.mark.parametrize("explainer", EXPLAINERS)
def test_where_values_are_not_possible_nothing_is_to_change(explainer):
    """Every aspect is at its only value: bounded there, or on the lowest rung with no word on it being ruled out."""
    for seed in (2, 10):
        world = WORLDS["counted"](seed)
        names = world.space.aspects.texts
        lists = rank(world.scorer, world.space, world.candidates, 3)
        for tight in ({"lowest": dict.fromkeys(names, 5.0)}, {"highest": dict.fromkeys(names, 0.0)}):
            question = why(world.space, lists, constraints=Constraints(**tight))
            at_it = (question.pairs.item_quality < 5).all(axis=1) | ("highest" in tight)
            answers = established(explainer, world, question.rows(at_it))
            assert set(answers.status) == {Status.NOTHING_TO_CHANGE}


WHOLE = st.integers(-2, 2)


@st.composite
def whole_worlds(draw: st.DrawFn) -> tuple[World, int]:
    """Tiny nets of small whole numbers: inputs of exactly 0, kinks that coincide, ties, flat parts."""
    aspects, first, second = draw(st.integers(1, 3)), draw(st.integers(1, 4)), draw(st.integers(1, 3))

    def dense(inputs: int, outputs: int) -> Dense:
        return Dense(
            draw(arrays(np.int64, (outputs, inputs), elements=WHOLE)), draw(arrays(np.int64, outputs, elements=WHOLE))
        )

    attention = draw(arrays(np.int64, (1, aspects), elements=st.integers(0, 2)))
    quality = draw(arrays(np.int64, (4, aspects), elements=st.integers(0, 5)))
    net = NetWeights(dense(2 * aspects, first), dense(first, second), dense(second, 1))
    world = world_of(np.random.default_rng(0), attention, quality, net, 4)
    return world, draw(st.integers(0, 15))


@pytest.mark.parametrize("explainer", PROVING)
@settings(max_examples=60, deadline=None, derandomize=True)
@given(whole_worlds())
def test_claims_hold_for_any_net_of_whole_numbers(explainer, drawn):
    world, seed = drawn
    established(explainer, world, asked(world, seed, k=2))


def test_the_worlds_make_every_claim_many_times():
    """The tests above have enough cases of each kind."""
    claims: Counter[str] = Counter()
    for explainer, kind, seed in product(PROVING, ("dead", "wide", "full"), SEEDS):
        world = WORLDS[kind](seed)
        answers = EXPLAINERS[explainer](world.scorer).explain(asked(world, seed))
        named = np.count_nonzero(answers.delta, axis=1)
        for status, proof, size in zip(answers.status, answers.proof, named, strict=True):
            claims[f"{explainer}: {Status(status).label} {Proof(proof).label} {min(size, 3)}"] += 1
    assert claims["single: explained exact 1"] > 100
    assert claims["single: cannot_flip none 1"] > 100
    for size in (1, 2, 3):
        assert claims[f"minimal: explained smallest {size}"] > 20
        assert claims[f"minimal of a black box: explained smallest {size}"] > 20
    assert claims["minimal without budget: explained irreducible 3"] > 20
    assert sum(count for claim, count in claims.items() if claim.startswith("minimal: cannot_flip")) > 30
    assert sum(count for claim, count in claims.items() if claim.startswith("minimal: not_found")) > 30
