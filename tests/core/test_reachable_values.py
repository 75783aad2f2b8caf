"""Reachable values: from what a search found to values that an item can have, step by step."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from tests import naive
from tests.blends import random_blend
from tests.varied_questions import EXPLAINERS, asked, established
from tests.worlds import SCORED, attributes_world, counted_world, full_world, plain_world, space_of, whole_world
from tests.worlds import asked as asked_about

from counterec.core.candidates import Candidates
from counterec.core.explainers.answer import Proof, Status
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question import Question
from counterec.core.explainers.question_builders import why, why_rather
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import AlignmentScorer

R = naive.reviewed
SCORER = AlignmentScorer()


def question_about(attention: list[float], quality: list[list[float]], **constraints) -> Question:
    """Why item 0 is first."""
    space = space_of([attention], quality)
    lists = rank(SCORER, space, Candidates.without(len(quality), [[]]), 1)
    assert lists.items[0, 0] == 0
    return why(space, lists, constraints=Constraints(**constraints))


@contextmanager
def within_seconds(seconds: int) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def test_stepping_back_ends_where_rungs_are_one_change_in_single_precision():
    """From 4.0 to 1.0 and to 1.0000001 are the same change: −3."""
    world = whole_world(3)
    question = asked(world, 3)
    with within_seconds(20):
        for explainer in ("relaxed", "as published", "complete"):
            established(explainer, world, question)


def test_an_exact_answer_to_why_not_stays_where_it_is():
    """Values on the scale are possible as they are: the change is not made longer for a rounding error."""
    for seed, make in ((4, plain_world), (5, plain_world), (15, attributes_world)):
        world = make(seed)
        answers = established("single", world, asked(world, seed))
        assert (answers.proof == Proof.EXACT).sum() >= 0.8 * answers.explained.sum() > 0


def test_a_complete_answer_moves_every_aspect_that_its_verdicts_are_about():
    """Aspects that are only needed for being sufficient move by their smallest step, not by none."""
    several = 0
    for seed in range(4):
        world = full_world(seed)
        scored = SCORED["net"](world, seed)
        question = asked_about("why", world, scored.scorer, seed, constraints=Constraints(unreviewed_beyond="never"))
        continuous = asked_about("why", world, scored.scorer, seed, constraints=Constraints(values="continuous"))
        named, free = (CountER(scored.scorer, goal="complete").explain(each) for each in (question, continuous))
        sizes = [np.count_nonzero(each.delta, axis=1)[each.explained].mean() for each in (named, free)]
        assert sizes[0] > 0.8 * sizes[1]
        several += int((np.count_nonzero(named.delta, axis=1) > 1).sum())
    assert several > 20


class TestUnreviewed:
    """Item 0 has five aspects at 4.52 and is ahead by 14; each can lose 3.33, or 4.52 if nobody speaks of it."""

    @staticmethod
    def asked(**constraints) -> Question:
        return question_about([1] * 6, [[R(2)] * 5 + [0], [5.0, 3.6159, 0, 0, 0, 0]], **constraints)

    @pytest.mark.parametrize("goal", ["minimal", "complete"])
    def test_where_more_than_three_would_have_to_get_worse_fewer_become_absent(self, goal):
        """Five aspects at their lowest lose 16.7, four lose 13.3; four that are absent lose 18.1."""
        question = self.asked()
        answers = CountER(SCORER, goal=goal).explain(question)
        values = question.after(answers.delta)[0]
        assert answers.status.tolist() == [Status.EXPLAINED]
        assert np.count_nonzero(answers.delta) == 4
        assert (values == 0).any()
        assert answers.proof.tolist() == [Proof.SMALLEST if goal == "minimal" else Proof.FOUND]

    @pytest.mark.parametrize(("beyond", "absent"), [(3, True), (4, True), (5, False), (9, False)])
    def test_only_where_as_many_do_not_do(self, beyond, absent):
        question = self.asked(unreviewed_beyond=beyond)
        values = question.after(CountER(SCORER).explain(question).delta)[0]
        assert (values[:5] == 0).any() == absent

    def test_at_most_two_of_them_may_move_and_none_of_these_do(self):
        """The limit is 2 then, and not 3; two absent aspects are not enough either."""
        question = self.asked(most=2)
        answers = CountER(SCORER).explain(question)
        assert answers.status.tolist() == [Status.NOT_FOUND]
        assert question.after(answers.delta)[0].tolist().count(0) == 3, "the nearest miss has two absent, and one was"

    def test_bounds_that_forbid_absent_are_kept(self):
        bounded = dict.fromkeys([f"aspect 000{number}" for number in range(5)], 1.0)
        question = self.asked(lowest=bounded)
        answers = CountER(SCORER).explain(question)
        assert np.count_nonzero(answers.delta) == 5
        assert (question.after(answers.delta)[0, :5] >= np.float32(R(-3))).all()

    def test_of_as_many_aspects_those_at_other_values_win(self):
        """With either kind it takes one aspect: the one that does not become absent is named."""
        question = question_about([1, 2], [[R(2), R(2)], [R(2), R(-2)]], unreviewed_beyond=0)
        for goal in ("minimal", "single", "relaxed", "complete"):
            answers = CountER(SCORER, goal=goal).explain(question)
            assert answers.status.tolist() == [Status.EXPLAINED]
            assert (question.after(answers.delta)[0] > 0).all()

    def test_a_comparison_takes_what_the_other_lacks_only_then(self):
        space = space_of([[1, 1, 1]], [[R(2), R(1), 3], [R(1), 0, R(2)]])
        lists = rank(SCORER, space, Candidates.without(2, [[]]), 1)
        question = why_rather(SCORER, space, lists, [0], [0], [1], takes=True)
        answers = CountER(SCORER).explain(question)
        assert question.after(answers.delta)[0].tolist() == [np.float32(R(2)), 0, 3]
        assert answers.status.tolist() == [Status.EXPLAINED]


def test_in_worlds_of_opinions_both_kinds_of_answers_occur_for_every_goal():
    """The claims about them, established elsewhere, are made often enough."""
    seen: Counter[tuple[str, str]] = Counter()
    for seed in range(4):
        world = counted_world(seed)
        net = AspectNet(world.weights)
        for name in ("relaxed", "single", "telling minimal", "complete"):
            for beyond in (1, 3):
                question = asked_about("why", world, net, seed, constraints=Constraints(unreviewed_beyond=beyond))
                answers = EXPLAINERS[name](net).explain(question)
                gone = ((question.after(answers.delta) == 0) & (answers.delta != 0)).any(axis=1)
                for explained, absent in zip(answers.explained, gone, strict=True):
                    seen[name, ("unreviewed" if absent else "reachable") if explained else "none"] += 1
    for name in ("relaxed", "single", "telling minimal", "complete"):
        assert seen[name, "unreviewed"] > 2, seen
        assert seen[name, "reachable"] > 30, seen


def test_a_bound_beyond_the_scale_by_rounding_is_not_taken_for_absent() -> None:
    """Where absent lies the other way, at −1, an item that costs 243 does not get worse by losing its price."""
    world = attributes_world(7)
    scorer = random_blend(world, 8, 0.1)
    question = asked_about("why", world, scorer, 9)
    after = question.after(CountER(scorer).explain(question).delta)
    absent = (after == world.space.scale.absent) & (question.pairs.item_quality != world.space.scale.absent)
    assert not absent[:, 1].any()
