import dataclasses

import numpy as np
import pytest
import torch
from tests.contracts.explainer import ExplainerContract, question_of
from tests.worlds import BlackBox, figure_one, random_world, space_of

from counterec.core.candidates import Candidates
from counterec.core.explainers.answer import Proposal, Status, verified
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question import Direction
from counterec.core.explainers.question_builders import why
from counterec.core.explainers.relaxed.objective import Objective
from counterec.core.explainers.relaxed.settings import RelaxedSettings
from counterec.core.explainers.score_bounds import cannot_cross
from counterec.core.scale import AspectScale
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import AlignmentScorer, PopularityScorer
from counterec.errors import InvalidValueError, UsageError

CONTINUOUS = Constraints(values="continuous")


class TestRelaxed(ExplainerContract):
    def make(self, scorer):
        return CountER(scorer, goal="relaxed")


class TestSingle(ExplainerContract):
    least_share_found = 0.3  # one aspect is often not enough

    def make(self, scorer):
        return CountER(scorer, goal="single", telling=False)

    @pytest.mark.parametrize("seed", range(6))
    def test_no_smaller_single_change_flips_on_a_fine_grid(self, seed):
        world, question, answers = self.answered(seed)
        net = AspectNet(world.weights)
        for row in range(len(question)):
            found = np.abs(answers.delta[row]).sum() if answers.explained[row] else np.inf
            for aspect in np.flatnonzero(question.movable[row]):
                reach = question.lowest[row, aspect]
                changes = np.linspace(0, min(1.0, 0.998 * found / -reach), 200) * reach
                delta = np.zeros((200, question.lowest.shape[1]))
                delta[:, aspect] = changes
                repeated = question.rows(np.full(200, row))
                assert not repeated.crossed(net.score(repeated.changed(delta)) + 1e-4).any()

    def test_changes_one_aspect(self):
        for seed in range(6):
            _, _, answers = self.answered(seed)
            assert (np.count_nonzero(answers.delta, axis=1) <= 1).all()


class TestMinimal(ExplainerContract):
    least_share_found = 1.0

    def make(self, scorer):
        return CountER(scorer, goal="minimal")


class TestMinimalOfABlackBox(ExplainerContract):
    least_share_found = 1.0

    def make(self, scorer):
        return CountER(BlackBox(scorer), goal="minimal")


class TestSingleOfABlackBox(ExplainerContract):
    least_share_found = 0.3

    def make(self, scorer):
        return CountER(BlackBox(scorer), goal="single")


class TestFigureOne:
    """The paper's first figure: screen has the best match, but battery is what keeps phone A in the list."""

    @pytest.fixture
    def question(self):
        space = figure_one()
        lists = rank(AlignmentScorer(), space, Candidates.without(4, [[]]), k=1)
        assert lists.scores[0].tolist() == pytest.approx([42.0, 37.5])
        return why(space, lists, constraints=CONTINUOUS)

    def test_the_single_aspect_answer_is_battery_just_under_2_1(self, question):
        answer = CountER(AlignmentScorer(), goal="single", telling=False).explain(question)
        assert answer.status.tolist() == [Status.EXPLAINED]
        (aspect,) = np.flatnonzero(answer.delta[0])
        assert question.space.aspects.texts[aspect] == "battery"
        after = question.space.item_quality[0, aspect] + answer.delta[0, aspect]
        assert 2.09 < after < 2.1
        assert f"{after:.1f}" == "2.1"

    def test_the_relaxed_answer_moves_battery_most(self, question):
        answer = CountER(AlignmentScorer(), goal="relaxed").explain(question)
        assert answer.explained.all()
        assert np.abs(answer.delta[0]).argmax() == 0


class TestWhy:
    def test_a_category_cannot_get_worse(self):
        scale = AspectScale(low=[0], high=[10], low_is_worse=[True], absent=[-1], is_category=[True])
        space = space_of([[1.0]], [[4.0], [3.0]], scale)
        lists = rank(AlignmentScorer(), space, Candidates.without(2, [[]]), k=1)
        with pytest.raises(InvalidValueError, match="category"):
            why(space, lists)


def test_a_person_gets_minimal_answers_with_telling_aspects_at_possible_values_unless_they_ask_otherwise():
    explainer = CountER(AlignmentScorer())
    assert (explainer.goal, explainer.name, explainer.telling) == ("minimal", "minimal", True)
    assert (Constraints().values, Constraints().unreviewed_beyond) == ("reachable", 3)


class TestVerified:
    def test_a_claim_that_does_not_flip_is_not_an_explanation(self):
        world = random_world(2)
        question = question_of(world)
        answers = verified(AspectNet(world.weights), question, Proposal.of(np.zeros_like(question.lowest)))
        assert not answers.explained.any()

    def test_a_solver_that_leaves_the_bounds_is_caught(self):
        world = random_world(2)
        question = question_of(world)
        with pytest.raises(InvalidValueError, match="bounds"):
            verified(AspectNet(world.weights), question, Proposal.of(question.lowest - 1))

    def test_a_row_cannot_say_explained_without_a_flip(self):
        world = random_world(2)
        answers = CountER(AspectNet(world.weights)).explain(question_of(world))
        assert answers.explained.any()
        with pytest.raises(InvalidValueError, match="does not flip"):
            dataclasses.replace(answers, score_after=answers.target)

    def test_raising_a_score_crosses_the_other_way(self):
        world = random_world(4)
        question = question_of(world)
        net = AspectNet(world.weights)
        before = net.score(question.pairs)
        highest = 5 - question.pairs.item_quality
        up = dataclasses.replace(question, direction=Direction.RAISE, target=before + 0.05, highest=highest)
        for goal in ("relaxed", "single"):
            answers = CountER(net, goal=goal).explain(up)
            assert answers.explained.any()
            assert (answers.score_after > up.target)[answers.explained].all()


class TestProvenMisses:
    @pytest.mark.parametrize("goal", ["relaxed", "minimal"])
    def test_a_constant_scorer_cannot_flip_and_this_is_proven(self, goal):
        world = random_world(0, gain=0.0)
        question = question_of(world)
        answers = CountER(AspectNet(world.weights), goal=goal).explain(question)
        movable = question.movable.any(axis=1)
        assert set(answers.status[movable]) == {Status.CANNOT_FLIP}

    def test_a_black_box_proves_nothing(self):
        world = random_world(0, gain=0.0)
        assert not cannot_cross(BlackBox(AspectNet(world.weights)), question_of(world)).any()


class TestAsPublished:
    """λ and α fixed, sigmoid scores, gradient steps."""

    as_published = RelaxedSettings(as_published=True)

    def test_explains_with_a_large_lambda_and_never_claims_what_does_not_flip(self):
        world = random_world(6, gain=3.0)
        question = question_of(world)
        settings = RelaxedSettings(as_published=True, lam=1000.0, alpha=0.05)
        answers = CountER(AspectNet(world.weights), goal="relaxed", relaxed=settings).explain(question)
        assert answers.explained.mean() > 0.3

    def test_collapses_where_staying_put_is_the_cheapest_point(self):
        # The slope of σ(s) by any aspect is so small that λ times it stays under γ: Δ = 0 beats every flip.
        world = random_world(6, gain=0.3)
        question = question_of(world)
        net = AspectNet(world.weights)
        as_published = CountER(net, goal="relaxed", relaxed=self.as_published).explain(question)
        adaptive = CountER(net, goal="relaxed").explain(question)
        assert as_published.explained.mean() < 0.1
        assert adaptive.explained.mean() > 0.9


class TestOwnObjective:
    """The paper says, after Eq. 3, that complexity and strength may be defined differently."""

    def answered(self, objective: Objective):
        space = figure_one()
        lists = rank(AlignmentScorer(), space, Candidates.without(4, [[]]), k=1)
        question = why(space, lists, constraints=CONTINUOUS)
        return CountER(AlignmentScorer(), goal="relaxed", objective=objective).explain(question)

    def test_a_complexity_that_shuns_battery_finds_another_aspect(self):
        dear = torch.tensor([50.0, 1.0, 1.0])
        answer = self.answered(Objective(complexity=lambda delta: (delta.abs() * dear).sum(dim=1)))
        assert answer.explained.all()
        assert abs(answer.delta[0, 0]) < 0.1
        assert np.abs(answer.delta[0, 1:]).max() > 0.5

    def test_a_relative_strength_flips_as_well(self):
        answer = self.answered(Objective(strength=lambda before, after: (before - after) / before.abs()))
        assert answer.explained.all()


def test_relaxed_says_that_it_needs_gradients():
    world = random_world(2)
    black_box = PopularityScorer(np.arange(5), len(world.space.items))
    with pytest.raises(UsageError, match="gradients"):
        CountER(black_box, goal="relaxed").explain(question_of(world))


def test_an_unknown_goal_is_named():
    with pytest.raises(InvalidValueError, match="tidy"):
        CountER(AlignmentScorer(), goal="tidy")
