"""Slow scorers: calls are few, counted, and kept within a budget, and a search that ends early says so."""

from __future__ import annotations

import time

import numpy as np
import pytest
from tests.claims import untrue
from tests.worlds import KINDS, SCORED, asked, drawn_rules, random_world, scored_rows

from counterec.core.candidates import Candidates
from counterec.core.explainers.answer import Status
from counterec.core.explainers.budget import Budget
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question_builders import why
from counterec.core.scorers.ranking import rank
from counterec.errors import CounterecError, UsageError
from counterec.synthetic.world import WorldSize, synthetic_space, synthetic_world


class Slow:
    """A model of the built-in world that shows nothing but its scores, and counts how often it is asked."""

    aspects_only = True

    def __init__(self) -> None:
        self.calls = self.rows = 0

    def score(self, pairs):
        self.calls, self.rows = self.calls + 1, self.rows + len(pairs)
        matched = np.sqrt(pairs.user_attention) * pairs.item_quality
        return (np.tanh(matched / 6).sum(axis=1) + 0.02 * pairs.item_quality.sum(axis=1)).astype(np.float32)


@pytest.fixture(scope="module")
def phones():
    space = synthetic_space(synthetic_world(WorldSize(users=60, items=120, aspects=20), 0))
    lists = rank(Slow(), space, Candidates.without(120, [[] for _ in range(60)]), 5, users=np.arange(0, 60, 5))
    return space, lists


@pytest.mark.parametrize("values", ["reachable", "continuous"])
def test_an_explanation_costs_at_most_eight_calls_and_fewer_in_a_batch(phones, values):
    space, lists = phones
    question = why(space, lists, constraints=Constraints(values=values))
    counts = []
    for row in range(len(question)):
        slow = Slow()
        answers = CountER(slow, budget=Budget()).explain(question.rows(np.array([row])))
        counts.append(slow.calls)
        assert (answers.spent.calls[0], answers.spent.total_calls) == (slow.calls, slow.calls)
        assert (answers.spent.rows[0], answers.spent.total_rows) == (slow.rows, slow.rows)
    slow = Slow()
    together = CountER(slow, budget=Budget()).explain(question)
    assert together.explained.mean() > 0.9
    assert np.mean(counts) <= 8
    np.testing.assert_array_equal(together.spent.calls, counts)
    assert together.spent.total_calls == slow.calls < sum(counts) / 4


def answered(kind, seed, budget, goal="minimal", scorer="black box"):
    world = random_world(seed, users=3, items=12, aspects=6)
    scored = SCORED[scorer](world, seed)
    question = asked(kind, world, scored.scorer, seed)
    answers = CountER(scored.scorer, goal=goal, budget=budget).explain(question)
    return question, answers, scored_rows(question, world, scored, answers, goal), scored


@pytest.mark.parametrize("goal", ["minimal", "single"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_left_of_a_search_that_ends_early_is_true(kind, goal):
    ended = best = 0
    for seed in range(3):
        for budget in (Budget(calls=2), Budget(calls=4), Budget(rows=9), Budget(calls=9, rows=60)):
            question, answers, rows, scored = answered(kind, seed, budget, goal)
            assert budget.calls is None or answers.spent.calls.max() <= budget.calls
            assert budget.rows is None or answers.spent.rows.max() <= budget.rows
            early = answers.status == Status.OUT_OF_BUDGET
            assert not answers.proof[early].any()
            assert (answers.flips[early] == answers.delta[early].any(axis=1)).all()
            for row in rows:
                assert untrue(row) == []
            ended, best = ended + int(early.sum()), best + int(answers.flips[early].sum())
            free = CountER(scored.scorer, goal=goal).explain(question)
            np.testing.assert_array_equal(answers.status[~early], free.status[~early])
            np.testing.assert_array_equal(answers.delta[~early], free.delta[~early])
    assert ended > 10
    assert best > 0


def test_no_answer_depends_on_who_else_is_asked_about():
    for budget in (Budget(calls=3), Budget(calls=5), Budget(rows=20)):
        question, answers, _, scored = answered("why", 1, budget)
        for row in range(len(question)):
            alone = CountER(scored.scorer, budget=budget).explain(question.rows(np.array([row])))
            assert alone.status[0] == answers.status[row]
            assert alone.spent.calls[0] == answers.spent.calls[row]
            np.testing.assert_allclose(alone.delta[0], answers.delta[row], atol=1e-6)


def test_a_budget_without_limits_only_counts():
    question, answers, _, scored = answered("why", 2, Budget())
    free = CountER(scored.scorer).explain(question)
    np.testing.assert_array_equal(answers.delta, free.delta)
    assert free.spent is None
    assert answers.spent.calls.min() >= 1


def test_a_budget_works_under_rankers():
    world = random_world(2, users=3, items=12, aspects=5)
    scored = SCORED["black box"](world, 2)
    for rule in ("cap", "spread out"):
        rules = drawn_rules(world, 2)[rule]
        question = asked("why", world, scored.scorer, 2, ranker=rules.ranker)
        answers = CountER(scored.scorer, budget=Budget(calls=4)).explain(question)
        assert answers.spent.calls.max() <= 4
        for row in scored_rows(question, world, scored, answers, "minimal", rules=rules):
            assert untrue(row) == []


@pytest.mark.parametrize("limits", [{"calls": 1}, {"rows": 2}, {"calls": 0}])
def test_a_budget_that_buys_nothing_is_refused(limits):
    with pytest.raises(CounterecError, match="at least"):
        Budget(**limits)


@pytest.mark.parametrize("goal", ["relaxed", "complete"])
def test_goals_that_ask_for_more_than_scores_of_their_pairs_have_no_budget(goal):
    with pytest.raises(UsageError, match="minimal or single"):
        CountER(Slow(), goal=goal, budget=Budget(calls=5))


class TestDeadline:
    """A moment instead of a number of calls: the best that was met, verified; or that there was no time."""

    @pytest.mark.parametrize("goal", ["minimal", "single", "relaxed", "complete"])
    def test_that_has_passed_leaves_the_pairs_out_of_budget(self, goal):
        world = random_world(3, users=3, items=12, aspects=6)
        question = asked("why", world, world.scorer, 3)
        answers = CountER(world.scorer, goal=goal, budget=Budget(deadline=time.monotonic() - 1)).explain(question)
        assert set(answers.status.tolist()) <= {
            Status.OUT_OF_BUDGET,
            Status.NO_TARGET,
            Status.ALREADY_TRUE,
            Status.NOTHING_TO_CHANGE,
        }
        assert (answers.status == Status.OUT_OF_BUDGET).any()
        assert not np.isnan(answers.score_before).any()
        assert (answers.delta == 0).all()

    def test_that_comes_during_the_search_gives_the_best_so_far(self, phones, monkeypatch):
        space, lists = phones
        question = why(space, lists)
        clock = iter(range(10_000))
        monkeypatch.setattr("counterec.core.explainers.budget.time.monotonic", lambda: float(next(clock)))
        answers = CountER(Slow(), budget=Budget(deadline=3.0)).explain(question)
        ended = answers.status == Status.OUT_OF_BUDGET
        assert ended.any()
        best = ended & (answers.delta != 0).any(axis=1)
        assert best.any()
        assert answers.flips[best].all()

    def test_calls_cannot_be_limited_for_goals_that_ask_for_more(self):
        with pytest.raises(UsageError, match="budget"):
            CountER(Slow(), goal="complete", budget=Budget(calls=5, deadline=1e9))
        with pytest.raises(CounterecError, match="deadline"):
            Budget(deadline=float("nan"))
