"""Why, why not, why rather: hand-made worlds with known answers, and every claim of random ones by ranking anew."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from tests import claims
from tests.worlds import (
    ALL_WORLDS,
    KINDS,
    SCORED,
    WORLDS,
    BlackBox,
    Unsteady,
    asked,
    figure_one,
    plain_world,
    scored_rows,
    space_of,
    tied_world,
)

from counterec.core.candidates import Candidates
from counterec.core.explainers.answer import Explanations, Proof, Status
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.goal_names import Goal
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.question import Direction, Question
from counterec.core.explainers.question_builders import why, why_not, why_rather
from counterec.core.scale import AspectScale
from counterec.core.scorers.base import Scorer
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import AlignmentScorer
from counterec.core.space import AspectSpace
from counterec.errors import InvalidValueError

pytestmark = pytest.mark.slow

A, B, C, D = range(4)
BATTERY, PRICE, SCREEN = range(3)
GOALS: tuple[Goal, ...] = ("relaxed", "single", "minimal", "complete")
LOWERING: tuple[Goal, ...] = GOALS
RAISING: tuple[Goal, ...] = ("relaxed", "single", "minimal")
SCORER = AlignmentScorer()
CONTINUOUS = Constraints(values="continuous")
"""Any value, as in the paper: the answers are easily computed by hand."""


def continuous(**constraints) -> Constraints:
    return Constraints(values="continuous", **constraints)


def everyone(space: AspectSpace) -> Candidates:
    return Candidates.without(len(space.items), [[] for _ in space.users.texts])


def asked_why_not(
    space: AspectSpace, item: int, k: int = 1, user: int = 0, constraints: Constraints = CONTINUOUS
) -> Question:
    lists = rank(SCORER, space, everyone(space), k)
    return why_not(space, lists, np.array([user]), np.array([item]), constraints=constraints)


def asked_why_rather(
    space: AspectSpace, item: int, other: int, takes: bool = False, constraints: Constraints = CONTINUOUS
) -> Question:
    pair = np.array([0]), np.array([item]), np.array([other])
    lists = rank(SCORER, space, everyone(space), 1)
    return why_rather(SCORER, space, lists, *pair, takes=takes, constraints=constraints)


def answered(question: Question, goal: Goal = "minimal", scorer: Scorer = SCORER) -> Explanations:
    """The smallest change of the fewest aspects, telling or not."""
    return CountER(scorer, goal=goal, telling=False).explain(question)


def after(question: Question, answers: Explanations) -> np.ndarray:
    """The values of the first pair's item after the change."""
    return question.after(answers.delta)[0]


def moved(answers: Explanations) -> list[int]:
    return np.flatnonzero(answers.delta[0]).tolist()


class TestWhyNotOnThePhones:
    """A scores 42, B 37.5, C 35.7, D 35.4; somebody cares 5 for battery, 3 for price, 4 for screen."""

    @pytest.mark.parametrize("goal", RAISING)
    @pytest.mark.parametrize(("item", "value"), [(B, 2.0 + 4.5 / 5), (C, 1.5 + 6.3 / 5), (D, 1.0 + 6.6 / 5)])
    def test_the_first_place_takes_a_better_battery(self, item, value, goal):
        question = asked_why_not(figure_one(), item)
        answers = answered(question, goal)
        assert question.target.tolist() == [42.0]
        assert question.direction is Direction.RAISE
        assert answers.status.tolist() == [Status.EXPLAINED]
        if goal != "relaxed":
            assert moved(answers) == [BATTERY]
            assert value < after(question, answers)[BATTERY] < value + 0.004

    @pytest.mark.parametrize("goal", RAISING)
    def test_where_all_the_rest_at_the_ceiling_is_not_enough_the_miss_stays_in_bounds(self, goal):
        question = asked_why_not(figure_one(), D, constraints=continuous(keep=("battery",)))
        answers = answered(question, goal)
        assert answers.status.tolist() == [Status.NOT_FOUND]
        assert answers.proof.tolist() == [Proof.NONE]
        assert after(question, answers)[BATTERY] == 1
        assert (after(question, answers) <= 5).all()
        if goal == "minimal":  # the nearest miss: everything that may move, at the ceiling
            assert after(question, answers).tolist() == [1, 5, 5]

    @pytest.mark.parametrize("goal", RAISING)
    def test_an_improvement_lands_on_the_scale(self, goal):
        """0.2 would be enough, but no review leads to 0.2: the least value is 1."""
        space = space_of([[1, 1]], [[1.3, 0], [1.2, 0], [1, 0]])
        question = asked_why_not(space, 2, k=2, constraints=continuous(keep=("aspect 0000",)))
        answers = answered(question, goal)
        assert answers.status.tolist() == [Status.EXPLAINED]
        assert after(question, answers).tolist() == [1, 1]
        assert answers.proof.tolist() == [Proof.SMALLEST if goal == "minimal" else Proof.FOUND]


class TestTheMask:
    """The user cares for the second aspect alone."""

    @pytest.mark.parametrize(
        ("kind", "goal"), [*product(KINDS, RAISING), ("why", "complete"), ("why_rather", "complete")]
    )
    def test_who_cares_for_nothing_has_nothing_to_change(self, kind, goal):
        space = space_of([[0, 0]], [[3, 3], [2, 2]])
        scorer = _Sum()
        lists = rank(scorer, space, everyone(space), 1)
        masked = continuous(masked=True)
        one, first, second = np.array([0]), np.array([0]), np.array([1])
        question = {
            "why": lambda: why(space, lists, constraints=masked),
            "why_not": lambda: why_not(space, lists, one, second, constraints=masked),
            "why_rather": lambda: why_rather(scorer, space, lists, one, first, second, constraints=masked),
            "why_rather_takes": lambda: why_rather(
                scorer, space, lists, one, first, second, takes=True, constraints=masked
            ),
        }[kind]()
        answers = answered(question, goal, scorer)
        assert answers.status.tolist() == [Status.NOTHING_TO_CHANGE]
        assert not answers.delta.any()


class _Sum(AlignmentScorer):
    """The sum of an item's qualities, the same for every user."""

    def score(self, pairs):
        return pairs.item_quality.sum(axis=1)

    def score_tensor(self, users, items, user_attention, item_quality):
        return item_quality.sum(dim=1)


class TestWhyRatherOnThePhones:
    @pytest.mark.parametrize("goal", LOWERING)
    @pytest.mark.parametrize(("other", "value"), [(B, 3 - 4.5 / 5), (C, 3 - 6.3 / 5), (D, 3 - 6.6 / 5)])
    def test_the_battery_falls_until_the_other_is_ahead(self, other, value, goal):
        question = asked_why_rather(figure_one(), A, other)
        answers = answered(question, goal)
        assert question.k == 1
        assert question.rivals(0).tolist() == [A, other]
        assert answers.status.tolist() == [Status.EXPLAINED]
        if goal in ("single", "minimal"):
            assert moved(answers) == [BATTERY]
            assert value - 0.004 < after(question, answers)[BATTERY] < value

    @pytest.mark.parametrize("goal", LOWERING)
    @pytest.mark.parametrize(("other", "value"), [(B, 2.0), (C, 1.5), (D, 1.0)])
    def test_the_item_takes_the_other_battery_and_no_part_of_the_way(self, other, value, goal):
        question = asked_why_rather(figure_one(), A, other, takes=True)
        answers = answered(question, goal)
        assert answers.status.tolist() == [Status.EXPLAINED]
        assert after(question, answers)[BATTERY] == value
        if goal != "relaxed":  # which names whatever its optimum moves
            assert moved(answers) == [BATTERY]

    def test_equals_tie_even_where_scores_vary_with_the_batch(self):
        space = space_of([[1, 1]], [[3, 2], [3, 2]])
        for item, already in [(0, False), (1, True)]:
            pair = np.array([0]), np.array([item]), np.array([1 - item])
            question = why_rather(Unsteady(), space, rank(SCORER, space, everyone(space), 1), *pair)
            assert question.settled.tolist() == [already]

    def test_whole_moves_are_found_by_the_relaxed_goal_too(self):
        """Where the moves it chose do not flip when made whole, it takes the fewest that do."""
        found = 0
        for where, seed in [("plain", 16), ("plain", 24), ("plain", 27), ("plain", 51), ("dead", 7), ("wide", 15)]:
            world = WORLDS[where](seed)
            net = AspectNet(world.weights)
            question = asked("why_rather_takes", world, net, seed, constraints=CONTINUOUS)
            fewest = CountER(net, goal="minimal", minimal=MinimalSettings(budget=0)).explain(question)
            relaxed = CountER(net, goal="relaxed").explain(question)
            assert (relaxed.explained | ~fewest.explained).all()
            found += int(fewest.explained.sum())
        assert found > 15


class TestErrors:
    def test_an_item_that_does_not_compete_is_named(self):
        space = figure_one()
        candidates = Candidates.without(4, [[D]])
        lists = rank(SCORER, space, candidates, 1)
        with pytest.raises(InvalidValueError, match="D does not compete for the list of someone"):
            why_not(space, lists, np.array([0]), np.array([D]))
        for pair in ((A, D), (D, A)):
            with pytest.raises(InvalidValueError, match="D does not compete for the list of someone"):
                why_rather(SCORER, space, lists, np.array([0]), *(np.array([item]) for item in pair))

    def test_why_rather_than_itself(self):
        with pytest.raises(InvalidValueError, match="'A' rather than itself"):
            asked_why_rather(figure_one(), A, A)

    def test_a_user_without_a_list(self):
        space = space_of([[1], [1]], [[3], [2]])
        lists = rank(SCORER, space, everyone(space), 1, users=np.array([1]))
        with pytest.raises(InvalidValueError, match="no list"):
            why_not(space, lists, np.array([0]), np.array([1]))

    def test_a_user_without_candidates_has_no_why_and_no_why_not(self):
        space = figure_one()
        nobody = Candidates.exactly(4, [[]])
        lists = rank(SCORER, space, nobody, 2)
        assert len(answered(why(space, lists))) == 0
        with pytest.raises(InvalidValueError, match="does not compete"):
            why_not(space, lists, np.array([0]), np.array([A]))

    def test_a_category_has_no_better_and_no_worse(self):
        scale = AspectScale(low=[0], high=[10], low_is_worse=[True], absent=[-1], is_category=[True])
        space = space_of([[1.0]], [[4.0], [3.0]], scale)
        with pytest.raises(InvalidValueError, match="category"):
            asked_why_not(space, 1)


class TestBounds:
    def test_lists_may_come_in_any_order_of_users(self):
        """The target is from the user's own list."""
        world = plain_world(1)
        net = AspectNet(world.weights)
        lists = rank(net, world.space, world.candidates, 3, users=np.array([3, 0, 2]))
        users = np.array([2, 0, 3, 2])
        items = np.array([world.candidates.of(user)[0] for user in users])
        question = why_not(world.space, lists, users, items)
        everybody = rank(net, world.space, world.candidates, 3)
        np.testing.assert_array_equal(question.target, everybody.scores[users, 2])
        listed = [item in everybody.items[user, :3] for user, item in zip(users, items, strict=True)]
        np.testing.assert_array_equal(question.settled, listed)


def goals_of(name: str, kind: str) -> list[Goal]:
    """The goals that can answer this question about this scorer."""
    return [
        goal
        for goal in GOALS
        if not (goal == "relaxed" and name not in ("net", "alignment"))
        and not (goal == "complete" and kind == "why_not")
    ]


POSSIBLE = (Constraints(), Constraints(unreviewed_beyond=1), Constraints(unreviewed_beyond="never"))


@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize("name", ["net", "black box", "embedded", "halves", "embedded halves"])
@pytest.mark.parametrize("where", ALL_WORLDS)
def test_every_answer_is_true_by_ranking_anew(where, name, half):
    """Every scorer in every world is asked two of the four questions."""
    seed = list(ALL_WORLDS).index(where) + list(SCORED).index(name)
    kind = list(KINDS)[2 * half + seed % 2]
    world = ALL_WORLDS[where](seed)
    scored = SCORED[name](world, seed)
    both = (CONTINUOUS, POSSIBLE[seed // 2 % 3])
    for constraints in both if name in ("net", "embedded") else both[seed % 2 :][:1]:
        question = asked(kind, world, scored.scorer, seed, constraints=constraints)
        for goal in goals_of(name, kind):
            if goal == "complete":
                continue  # test_complete.py asks it of every world, scorer and question
            answers = CountER(scored.scorer, goal=goal).explain(question)
            for row in scored_rows(question, world, scored, answers, goal):
                assert claims.untrue(row) == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_is_true_where_few_candidates_or_wide_margins_are(kind):
    for seed, (k, margin) in enumerate([(9, 1e-4), (10, 1e-4), (3, 0.05), (1, 0.3)]):
        world = plain_world(50 + seed)
        scored = SCORED["net"](world, seed)
        for constraints in (CONTINUOUS, POSSIBLE[seed % 2]):
            question = asked(kind, world, scored.scorer, seed, k=k, margin=margin, constraints=constraints)
            for goal in goals_of("net", kind):
                answers = CountER(scored.scorer, goal=goal).explain(question)
                for row in scored_rows(question, world, scored, answers, goal, k=k, margin=margin):
                    assert claims.untrue(row) == []


def test_every_improvement_of_what_nobody_reviewed_lands_on_the_scale():
    """A net may prefer an absent aspect between *absent* and the worse end of its scale, which no review leads to."""
    at_worst = further = 0
    for seed, goal in product(range(16), RAISING):
        world = plain_world(seed)
        scored = SCORED["net"](world, seed)
        question = asked("why_not", world, scored.scorer, seed, constraints=CONTINUOUS)
        values = question.pairs.item_quality + CountER(scored.scorer, goal=goal).explain(question).delta
        assert ((values == 0) | (values >= 1)).all()
        absent = question.pairs.item_quality == 0
        at_worst += int((absent & (values == 1)).sum())
        further += int((absent & (values > 1)).sum())
    assert min(at_worst, further) > 50


class _Dented:
    """The score has a hump at 0.25 and rises beyond 3; item 0 is ahead by 1."""

    aspects_only = False

    def __init__(self, slope: float) -> None:
        self._slope = slope

    def score(self, pairs):
        a = pairs.item_quality[:, 0]
        hump, slope = np.maximum(2 - 8 * np.abs(a - 0.25), 0), self._slope * np.maximum(a - 3, 0)
        return (hump + slope + (pairs.items == 0)).astype(np.float32)

    def score_tensor(self, users, items, user_attention, item_quality):
        a = item_quality[:, 0]
        return (2 - 8 * (a - 0.25).abs()).relu() + self._slope * (a - 3).relu() + (items == 0)


@pytest.mark.parametrize("goal", RAISING)
@pytest.mark.parametrize("slope", [0.0, 1.0])
def test_where_the_worse_end_undoes_the_flip_the_bound_may_do_and_else_there_is_none(slope, goal):
    """The hump is enough, but no review leads to 0.25; 1 gains nothing, and 5 only with the slope."""
    space, scorer = space_of([[1]], [[0], [0]]), _Dented(slope)
    lists = rank(scorer, space, everyone(space), 1)
    question = why_not(space, lists, np.array([0]), np.array([1]), constraints=CONTINUOUS)
    assert question.crossed(scorer.score(question.changed(np.full((1, 1), 0.25, dtype=np.float32)))).all()
    answers = answered(question, goal, scorer)
    if slope:
        assert answers.status.tolist() == [Status.EXPLAINED]
        assert after(question, answers)[0] > 4
    else:
        assert answers.status.tolist() == [Status.NOT_FOUND]
        assert after(question, answers)[0] == 0 or after(question, answers)[0] >= 1


def test_ties_are_broken_by_number_in_every_question():
    """In a world of few vectors, of two equal items only the one with the larger number has to pass the other."""
    ties = Counter()
    for seed in range(12):
        world = tied_world(seed)
        scored = SCORED["net"](world, seed)
        question = asked("why_rather", world, scored.scorer, seed, constraints=CONTINUOUS)
        answers = CountER(scored.scorer, goal="single").explain(question)
        Y = world.space.item_quality
        for row, (item, other) in enumerate(zip(question.items, question.versus, strict=True)):
            if (Y[item] == Y[other]).all():
                ties[bool(other < item)] += 1
                assert (answers.status[row] == Status.ALREADY_TRUE) == (other < item)
                assert question.target[row] == answers.score_before[row]
    assert min(ties[True], ties[False]) > 10


def test_the_questions_are_answered_in_every_way():
    """The tests above have enough cases of each kind."""
    seen: Counter[tuple[str, str]] = Counter()
    for where, name, kind, seed in product(("plain", "full", "dead", "empty"), ("net", "halves"), KINDS, range(2)):
        world = WORLDS[where](seed)
        scored = SCORED[name](world, seed)
        question = asked(kind, world, scored.scorer, seed, constraints=CONTINUOUS)
        for goal in ("single", "minimal"):
            statuses = CountER(scored.scorer, goal=goal).explain(question).status
            seen.update((kind, Status(status).label) for status in statuses)
    for kind in KINDS:
        least = {"explained": 30, "not_found": 10, "cannot_flip": 5}
        least |= {"nothing_to_change": 5} if kind != "why_not" else {}
        least |= {"already_true": 20} if kind != "why" else {}
        for status, count in least.items():
            assert seen[kind, status] >= count, (kind, status, seen[kind, status])


def test_a_black_box_is_asked_for_nothing_but_scores():
    world = plain_world(0)
    for kind in KINDS:
        scorer = BlackBox(AspectNet(world.weights))
        answers = CountER(scorer, goal="minimal").explain(asked(kind, world, scorer, 0))
        assert answers.explained.any()
