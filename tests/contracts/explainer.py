"""What every explainer must do. A test class inherits this and provides ``make``."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from counterec.core.explainers.answer import Status
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.question import Question
from counterec.core.explainers.question_builders import why
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from tests import naive
from tests.worlds import World, random_world

SEEDS = range(6)


VALUES = ("continuous", "reachable")


def question_of(world: World, k: int = 3, values: str = "continuous", **constraints) -> Question:
    lists = rank(AspectNet(world.weights), world.space, world.candidates, k)
    return why(world.space, lists, constraints=Constraints(values=values, **constraints))


class ExplainerContract:
    def make(self, scorer):
        """The explainer under test, for a scorer."""
        raise NotImplementedError

    def answered(self, seed: int, **constraints):
        world = random_world(seed)
        question = question_of(world, **constraints)
        return world, question, self.make(AspectNet(world.weights)).explain(question)

    @pytest.mark.parametrize("values", VALUES)
    @pytest.mark.parametrize("masked", [False, True])
    @pytest.mark.parametrize("seed", SEEDS)
    def test_every_explained_row_flips_by_plain_arithmetic(self, seed, masked, values):
        world, question, answers = self.answered(seed, masked=masked, values=values)
        arrays, after = world.weights.named(), question.after(answers.delta)
        for row in np.flatnonzero(answers.explained):
            score = naive.net_score(arrays, world.space.user_attention[answers.users[row]], after[row])
            assert abs(score - answers.score_after[row]) < 1e-5
            margin = float(answers.margin[row])
            assert naive.beyond(score, float(question.target[row]), "lower", margin) > -0.01 * margin - 1e-5

    @pytest.mark.parametrize("values", VALUES)
    def test_it_explains_most_of_what_flips_when_everything_is_at_its_bound(self, values):
        flippable = found = 0
        for seed in SEEDS:
            world, question, answers = self.answered(seed, values=values)
            removed = AspectNet(world.weights).score(question.changed(question.lowest))
            flippable += question.crossed(removed).sum()
            found += (question.crossed(removed) & answers.explained).sum()
        assert flippable > 25
        assert found / flippable >= self.least_share_found

    least_share_found = 0.9

    @pytest.mark.parametrize("seed", SEEDS)
    def test_changes_stay_within_bounds_and_the_mask(self, seed):
        world, _, answers = self.answered(seed, masked=True)
        assert (answers.delta <= 0).all()
        assert (world.space.item_quality[answers.items] + answers.delta >= 0).all()
        outside = world.space.user_attention[answers.users] == 0
        assert (answers.delta[outside] == 0).all()

    @pytest.mark.parametrize("beyond", [0, 3, "never"])
    @pytest.mark.parametrize("seed", SEEDS)
    def test_only_values_that_opinions_give_are_reached_unless_all_are_allowed(self, seed, beyond):
        _, question, answers = self.answered(seed, values="reachable", unreviewed_beyond=beyond)
        reached = set(question.after(answers.delta)[answers.delta != 0].tolist())
        assert reached <= {*naive.balances(), *([] if beyond == "never" else [0.0])}

    @pytest.mark.parametrize("seed", SEEDS)
    def test_neither_order_nor_batch_matters(self, seed):
        world, question, answers = self.answered(seed)
        shuffled = np.random.default_rng(seed).permutation(len(question))
        again = self.make(AspectNet(world.weights)).explain(question.rows(shuffled))
        close = np.abs(answers.score_after - question.target) < 1e-3
        settled = ~close[shuffled]
        np.testing.assert_array_equal(again.status[settled], answers.status[shuffled][settled])
        np.testing.assert_allclose(again.delta, answers.delta[shuffled], atol=1e-3)
        one = self.make(AspectNet(world.weights)).explain(question.rows(slice(0, 1)))
        np.testing.assert_allclose(one.delta, answers.delta[:1], atol=1e-3)

    def test_two_runs_agree_to_the_bit(self):
        _, _, first = self.answered(3)
        _, _, second = self.answered(3)
        np.testing.assert_array_equal(first.delta, second.delta)

    def test_a_constant_scorer_is_never_explained(self):
        world = random_world(0, gain=0.0)
        answers = self.make(AspectNet(world.weights)).explain(question_of(world))
        assert not answers.explained.any()

    def test_an_item_without_aspects_has_nothing_to_change(self):
        world = random_world(2)
        question = question_of(world)
        still = dataclasses.replace(question, lowest=question.lowest * 0)
        answers = self.make(AspectNet(world.weights)).explain(still)
        assert set(answers.status) == {Status.NOTHING_TO_CHANGE}
        assert not answers.delta.any()

    def test_without_a_target_there_is_no_answer(self):
        world = random_world(1, items=4)
        lists = rank(AspectNet(world.weights), world.space, world.candidates, 4)
        answers = self.make(AspectNet(world.weights)).explain(why(world.space, lists))
        assert set(answers.status) == {Status.NO_TARGET}
        assert not answers.delta.any()

    def test_what_lies_across_already_is_said_so(self):
        world = random_world(2)
        question = question_of(world)
        easy = dataclasses.replace(question, target=question.target + 100)
        answers = self.make(AspectNet(world.weights)).explain(easy)
        assert set(answers.status) == {Status.ALREADY_TRUE}
        assert not answers.delta.any()

    def test_no_pairs_have_no_answers(self):
        world = random_world(2)
        empty = question_of(world).rows(slice(0, 0))
        assert len(self.make(AspectNet(world.weights)).explain(empty)) == 0
