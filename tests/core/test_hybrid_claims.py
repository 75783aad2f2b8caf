"""Every claim holds on hybrids: the mean of three nets and offsets, small, as large and far larger than the nets."""

from __future__ import annotations

import dataclasses
from collections import Counter
from itertools import product

import numpy as np
import pytest
from tests import claims
from tests.varied_questions import EXPLAINERS, PROVING, asked, establish_bounds, established, seeds_of
from tests.worlds import (
    ALL_WORLDS,
    KINDS,
    SIZES,
    WORLDS,
    BlackBox,
    as_hybrid,
    members_of,
    scored_by_world,
    scored_rows,
    tied_world,
)
from tests.worlds import asked as asked_of

from counterec.core.attribution.gradient import Gradient
from counterec.core.attribution.lime import Lime
from counterec.core.attribution.shapley import Shapley
from counterec.core.evaluation.judge_necessity import verdicts
from counterec.core.explainers.answer import Explanations, Proof, Status
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.goal_names import GOALS
from counterec.core.explainers.relaxed.as_published import as_published
from counterec.core.explainers.relaxed.objective import PAPER
from counterec.core.explainers.relaxed.settings import RelaxedSettings
from counterec.core.explainers.relaxed.tensor_problem import RelaxedProblem
from counterec.core.scorers.net import NetEnsemble
from counterec.core.scorers.ranking import rank

pytestmark = pytest.mark.slow

POSSIBLE = (Constraints(values="continuous"), Constraints(), Constraints(unreviewed_beyond=1))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("explainer", EXPLAINERS)
def test_every_claim_holds(explainer, size):
    kinds = list(ALL_WORLDS)
    for number, seed in enumerate(seeds_of(explainer)):
        kind = kinds[(5 * number + list(SIZES).index(size)) % len(kinds)]
        world = as_hybrid(ALL_WORLDS[kind](seed), seed, SIZES[size])
        question = asked(world, seed)
        establish_bounds(world, established(explainer, world, question), question)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("goal", GOALS)
def test_every_question_is_answered_truly_by_every_goal(goal, size, kind):
    if (goal, kind) == ("complete", "why_not"):
        pytest.skip("complete is about items in the list")
    for seed, where in enumerate(("plain", "tied", "counted")):
        world = as_hybrid(WORLDS[where](seed), seed, SIZES[size])
        scored = scored_by_world(world)
        question = asked_of(kind, world, scored.scorer, seed, constraints=POSSIBLE[seed])
        answers = CountER(scored.scorer, goal=goal).explain(question)
        for number, row in enumerate(scored_rows(question, world, scored, answers, goal)):
            assert claims.untrue(row) == []
            establish_verdicts(row, answers, number)


def establish_verdicts(row: claims.Row, answers: Explanations, number: int) -> None:
    if answers.verdicts is None or not answers.verdicts.asked[number]:
        return
    named = answers.delta[number] != 0
    assert row.pair.necessary(named) in (bool(answers.verdicts.necessary[number]), None)
    assert row.pair.sufficient(named) in (bool(answers.verdicts.sufficient[number]), None)


def test_every_claim_is_made_many_times():
    """The tests above have cases of each sort."""
    seen: Counter[str] = Counter()
    for explainer, kind, size in product(PROVING[:2], ("plain", "wide", "full", "dead"), SIZES):
        for seed in range(0, 16, 3):
            world = as_hybrid(WORLDS[kind](seed), seed, SIZES[size])
            answers = EXPLAINERS[explainer](world.scorer).explain(asked(world, seed))
            for status, proof in zip(answers.status, answers.proof, strict=True):
                seen[f"{explainer} {size}: {Status(status).label} {Proof(proof).label}"] += 1
    for size in ("small", "as large"):
        assert seen[f"single {size}: explained exact"] > 20
        assert seen[f"single {size}: cannot_flip none"] > 20
        assert seen[f"minimal {size}: explained smallest"] > 20
        assert seen[f"minimal {size}: cannot_flip none"] > 3
    assert seen["minimal far larger: cannot_flip none"] > 50, seen


@pytest.mark.parametrize("goal", GOALS)
def test_no_offset_is_the_ensemble(goal):
    """A hybrid whose offsets are all 0 answers as its nets do."""
    for seed, where in enumerate(("plain", "tied", "full")):
        hybrid = as_hybrid(WORLDS[where](seed), seed, 1.0)
        still = dataclasses.replace(hybrid, offsets=hybrid.offsets * 0)
        alone = dataclasses.replace(hybrid, offsets=None)
        found, expected = (
            CountER(world.scorer, goal=goal).explain(asked_of("why", world, world.scorer, seed))
            for world in (still, alone)
        )
        np.testing.assert_array_equal(found.status, expected.status)
        np.testing.assert_array_equal(found.delta != 0, expected.delta != 0)
        np.testing.assert_allclose(found.delta, expected.delta, atol=1e-4)
        np.testing.assert_allclose(found.score_after, expected.score_after, atol=1e-4)


@pytest.mark.parametrize("goal", GOALS)
def test_neither_the_batch_nor_the_order_changes_an_answer(goal):
    for seed in range(3):
        world = as_hybrid(WORLDS["plain"](seed), seed, 0.5)
        question = asked_of("why", world, world.scorer, seed)
        together = CountER(world.scorer, goal=goal).explain(question)
        order = np.random.default_rng(seed).permutation(len(question))
        shuffled = CountER(world.scorer, goal=goal).explain(question.rows(order)).rows(np.argsort(order))
        apart = [CountER(world.scorer, goal=goal).explain(question.rows(np.array([row]))) for row in order]
        for other in (shuffled, Explanations.joined(apart).rows(np.argsort(order))):
            np.testing.assert_array_equal(together.status, other.status)
            np.testing.assert_array_equal(together.delta != 0, other.delta != 0)
            np.testing.assert_allclose(together.score_after, other.score_after, atol=1e-4)


def test_layers_and_scores_alone_find_the_same_sets():
    """The fast way, by layers and targets less offsets, is the slow way, by whole scores."""
    same = rows = 0
    for seed in range(4):
        world = as_hybrid(WORLDS["wide"](seed), seed, 0.5)
        question = asked_of("why", world, world.scorer, seed)
        fast, slow = (
            CountER(scorer, goal="minimal", telling=False).explain(question)
            for scorer in (world.scorer, BlackBox(world.scorer))
        )
        proven = [np.where(each.status == Status.CANNOT_FLIP, Status.NOT_FOUND, each.status) for each in (fast, slow)]
        np.testing.assert_array_equal(*proven)
        sizes = [np.count_nonzero(each.delta, axis=1)[each.explained] for each in (fast, slow)]
        np.testing.assert_array_equal(*sizes)
        rows += len(sizes[0])
        same += int(((fast.delta != 0) == (slow.delta != 0)).all(axis=1)[fast.explained].sum())
    assert rows > 10
    assert same > 0.9 * rows


class TestWhatStaysForItsOffset:
    """Offsets far larger than the nets keep items in the list whatever becomes of aspects."""

    def test_has_no_sufficient_aspects(self):
        stays = others = 0
        for seed in range(4):
            world = as_hybrid(WORLDS["full"](seed), seed, 1.5)
            scored = scored_by_world(world)
            question = asked_of("why", world, scored.scorer, seed)
            answers = CountER(scored.scorer, goal="complete").explain(question)
            found = verdicts(scored.scorer, world.space, world.candidates, 3, answers.named())
            assert not (found.sufficient & found.stays_without_aspects).any()
            for number, row in enumerate(scored_rows(question, world, scored, answers, "complete")):
                establish_verdicts(row, answers, number)
            stays += int(found.stays_without_aspects.sum())
            others += int(found.sufficient.sum())
        assert min(stays, others) >= 3, (stays, others)

    def test_is_never_said_of_a_scorer_of_aspects_alone(self):
        """All items tie without aspects: the first ones by number are no proof of anything."""
        world = tied_world(1)
        ensemble = NetEnsemble(members_of(world, 3))
        answers = CountER(ensemble, goal="complete").explain(asked_of("why", world, ensemble, 1))
        found = verdicts(ensemble, world.space, world.candidates, 3, answers.named())
        assert not found.stays_without_aspects.any()


class TestWholeScores:
    """Where the formula asks for scores, it gets the whole ones."""

    def test_as_published_puts_them_into_the_sigmoid(self):
        """Offsets at which the sigmoid is flat leave the published method with no slope to follow but the costs'."""
        world = as_hybrid(WORLDS["plain"](3), 3, 1.0)
        settings, moved = RelaxedSettings(as_published=True, steps=20), {}
        for more in (0, 100, 200):
            each = dataclasses.replace(world, offsets=world.offsets + np.float32(more))
            question = asked_of("why", each, each.scorer, 3, constraints=POSSIBLE[0])
            span = question.space.scale.span
            moved[more] = as_published(RelaxedProblem(each.scorer, question, settings, PAPER, span))
        np.testing.assert_array_equal(moved[100], moved[200])
        assert (moved[0] != moved[100]).any()


@pytest.mark.parametrize("method", [Gradient(), Shapley(), Lime()], ids=lambda method: method.name)
def test_attributions_are_those_of_the_aspect_part(method):
    """An offset, however large, is no aspect's merit."""
    world = as_hybrid(WORLDS["plain"](1), 1, SIZES["far larger"])
    lists = rank(world.scorer, world.space, world.candidates, 3)
    rows, _, items = lists.pairs()
    whole, part = (
        method.weights(scorer, world.space, lists.users[rows], items, 0)
        for scorer in (world.scorer, world.scorer.aspect_part)
    )
    np.testing.assert_array_equal(whole, part)
