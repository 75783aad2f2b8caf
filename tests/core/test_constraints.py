"""Every goal and question honours every constraint: in all combinations, and where each constraint matters."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import claims
from tests.worlds import (
    KINDS,
    SCORED,
    WORLDS,
    World,
    asked,
    figure_one,
    full_world,
    numbered,
    pairs_of,
    plain_world,
    scored_rows,
    space_of,
)

from counterec.core.candidates import Candidates
from counterec.core.explainers.answer import Proof
from counterec.core.explainers.audience.solver import why_not_for_all
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.goal_names import GOALS
from counterec.core.explainers.question import Question
from counterec.core.explainers.question_builders import why, why_not, why_rather
from counterec.core.explainers.what_if import what_if
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import AlignmentScorer
from counterec.errors import ConfigError, UnknownIdError, UsageError

pytestmark = pytest.mark.slow

IMPOSSIBLE = ("why_not", "complete")
"""*complete* is about items in the list, and *why not* about items outside it."""
PARTS = ("keep", "lowest", "highest", "values", "most", "costs", "masked")
CONTINUOUS = Constraints(values="continuous")


def drawn_constraints(random: np.random.Generator, parts: tuple[str, ...], world: World) -> Constraints:
    """Random constraints of these kinds that do not contradict each other; without *values*, any are allowed."""
    names = world.space.aspects.texts
    few = max(1, len(names) // 2)

    def some() -> list[str]:
        return [str(name) for name in random.choice(names, random.integers(1, few + 1), replace=False)]

    given = {}
    if "keep" in parts and len(names) > 1:
        given["keep"] = tuple(some())
    bounded = [name for name in some() if name not in given.get("keep", ())]
    if "lowest" in parts:
        given["lowest"] = {name: float(random.choice([1, 1.5, 2, 3.25])) for name in bounded}
    if "highest" in parts:
        least = given.get("lowest", {})
        given["highest"] = {name: float(random.uniform(least.get(name, 1), 5)) for name in bounded}
    if "values" in parts:
        given["unreviewed_beyond"] = [0, 1, 3, "never"][random.integers(4)]
    else:
        given["values"] = "continuous"
    if "most" in parts:
        given["most"] = int(random.integers(1, 3))
    if "costs" in parts:
        given["costs"] = {name: float(random.choice([0.1, 0.5, 8])) for name in some()}
    if "masked" in parts:
        given["masked"] = True
    return Constraints(**given)


@settings(max_examples=120, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10_000),
    where=st.sampled_from(["plain", "full", "wide", "tied", "empty", "dead", "whole", "counted"]),
    kind=st.sampled_from(KINDS),
    goal=st.sampled_from(GOALS),
    name=st.sampled_from(["net", "black box", "embedded", "hybrid, offsets as large"]),
    parts=st.sets(st.sampled_from(PARTS)),
)
def test_every_goal_and_question_honours_every_constraint(seed, where, kind, goal, name, parts):
    world = WORLDS[where](seed)
    scored = SCORED["net" if goal == "relaxed" else name](world, seed)
    constraints = drawn_constraints(np.random.default_rng(seed), tuple(sorted(parts)), world)
    question = asked(kind, world, scored.scorer, seed, constraints=constraints)
    explainer = CountER(scored.scorer, goal=goal)
    if (kind, goal) == IMPOSSIBLE:
        with pytest.raises(UsageError, match="why_not with the goal minimal"):
            explainer.explain(question)
        return
    answers = explainer.explain(question)
    for row in scored_rows(question, world, scored, answers, goal):
        assert claims.untrue(row) == []


@pytest.mark.parametrize("part", PARTS)
def test_every_constraint_bites_and_is_kept_by_every_goal_and_question(part):
    """Without the constraint, answers break it; with it, none does, for each goal and question."""
    for kind, goal in product(KINDS, GOALS):
        # One aspect is never too many, and what takes another's value takes one that is possible.
        no_concern = (part, goal) == ("most", "single") or (part, kind) == ("values", "why_rather_takes")
        if (kind, goal) != IMPOSSIBLE and not no_concern:
            assert any(bites(part, kind, goal, seed) for seed in range(8)), (kind, goal)


def bites(part: str, kind: str, goal: str, seed: int) -> bool:
    """Whether a constraint of this kind, which is kept, would be broken if it were not given.

    Costs are not broken, only minded: those bite where the answer is another one.
    """
    world = full_world(seed) if part in ("most", "costs") else plain_world(seed)
    scored = SCORED["net"](world, seed)
    constraints = drawn_constraints(np.random.default_rng(seed), (part,), world)
    if part == "most":
        constraints = Constraints(most=1, values="continuous")
    if part == "values":
        constraints = Constraints(unreviewed_beyond="never")
    free, bound = (asked(kind, world, scored.scorer, seed, constraints=each) for each in (CONTINUOUS, constraints))
    explainer = CountER(scored.scorer, goal=goal)
    before, after = explainer.explain(free), explainer.explain(bound)
    rules, bitten = numbered(constraints, world.space), False
    was_values, now_values = free.after(before.delta), bound.after(after.delta)
    for row, pair in enumerate(pairs_of(free, world, scored, rules=rules)):
        was, now = was_values[row], now_values[row]
        assert pair.impossible(now, absent_allowed=False) == []
        if part == "costs":
            bitten |= bool(before.explained[row] and after.explained[row] and (was != now).any())
        elif pair.impossible(was, absent_allowed=False):
            assert (was != now).any()
            bitten = True
    return bitten


@pytest.mark.parametrize("name", ["net", "embedded"])
def test_what_is_found_within_constraints_is_what_would_be_allowed_to_be_asked(name):
    """*What if* with the change that was found: the same constraints allow it, and the ranking agrees."""
    asked_again = 0
    for seed, kind, goal in product(range(5), KINDS, ("single", "minimal")):
        world = plain_world(100 + seed)
        scored = SCORED[name](world, seed)
        parts = PARTS if seed % 2 else tuple(part for part in PARTS if part != "values")
        constraints = drawn_constraints(np.random.default_rng(seed), parts, world)
        question = asked(kind, world, scored.scorer, seed, constraints=constraints)
        answers = CountER(scored.scorer, goal=goal).explain(question)
        for row in np.flatnonzero(answers.explained):
            user, item = int(question.users[row]), int(question.items[row])
            values = question.after(answers.delta)[row]
            if ((values > 0) & (values < 1)).any():
                assert constraints.values == "continuous"  # nobody can be reviewed so
                continue
            ranking = what_if(
                *(scored.scorer, world.space, world.candidates, 3, user, {item: values}), constraints=constraints
            )
            if question.versus is not None:
                assert ranking.place(int(question.versus[row])) < ranking.place(item)
            else:
                assert (ranking.place(item) <= 3) == (kind == "why_not")
            asked_again += 1
    assert asked_again > 60


class TestCosts:
    """Item 0 is ahead by 1.2 and equally good on two aspects that count the same."""

    space = space_of([[2, 2, 0]], [[4, 4, 1], [3.4, 4, 1]])
    everyone = Candidates.without(2, [[]])

    def question(self, kind: str, costs: dict[str, float]) -> Question:
        space, constraints, one = self.space, Constraints(costs=costs, values="continuous"), np.array([0])
        lists = rank(AlignmentScorer(), space, self.everyone, 1)
        if kind == "why":
            return why(space, lists, constraints=constraints)
        if kind == "why_rather":
            return why_rather(AlignmentScorer(), space, lists, one, one, one + 1, constraints=constraints)
        return why_not(space, lists, one, one + 1, constraints=constraints)

    @pytest.mark.parametrize(
        ("kind", "goal"), [pair for pair in product(("why", "why_rather", "why_not"), GOALS) if pair != IMPOSSIBLE]
    )
    @pytest.mark.parametrize(("dear", "cheap"), [(0, 1), (1, 0)])
    def test_a_dear_aspect_is_avoided_where_another_does_the_same(self, dear, cheap, kind, goal):
        name = self.space.aspects.texts[dear]
        answers = CountER(AlignmentScorer(), goal=goal).explain(self.question(kind, {name: 3.0}))
        assert np.flatnonzero(answers.delta[0]).tolist() == [cheap]
        cheaper = CountER(AlignmentScorer(), goal=goal).explain(self.question(kind, {name: 1 / 3}))
        assert np.flatnonzero(cheaper.delta[0]).tolist() == [dear]

    @pytest.mark.parametrize(("dear", "cheap"), [(0, 1), (1, 0)])
    def test_an_audience_is_won_by_the_cheaper_of_two_that_do_the_same(self, dear, cheap):
        lists = rank(AlignmentScorer(), self.space, self.everyone, 1)
        costs = Constraints(costs={self.space.aspects.texts[dear]: 3.0})
        answer = why_not_for_all(AlignmentScorer(), self.space, lists, 1, np.array([0]), 1, constraints=costs)
        assert np.flatnonzero(answer.delta).tolist() == [cheap]

    def test_the_cheapest_single_change_is_the_answer_of_a_net(self):
        """By the exact search: whatever the costs, no change of another aspect costs less."""
        chosen: Counter[bool] = Counter()
        for seed in range(6):
            world = full_world(seed)
            scored = SCORED["net"](world, seed)
            names = world.space.aspects.texts
            given = {name: float(4 ** (number % 3)) for number, name in enumerate(names)}
            costs = Constraints(costs=given, values="continuous")
            question = asked("why", world, scored.scorer, seed, constraints=costs)
            free = asked("why", world, scored.scorer, seed, constraints=CONTINUOUS)
            free = CountER(scored.scorer, goal="single", telling=False).explain(free)
            answers = CountER(scored.scorer, goal="single").explain(question)
            for row, pair in enumerate(pairs_of(question, world, scored)):
                if answers.proof[row] == Proof.EXACT:
                    (aspect,) = np.flatnonzero(answers.delta[row])
                    assert not pair.flips_for_less(abs(answers.delta[row, aspect]) / 4 * 4 ** (aspect % 3))
                    chosen[bool(free.delta[row, aspect])] += 1
        assert min(chosen.values()) >= 5
        assert len(chosen) == 2


FAR = {"battery": 2.0}


class TestContradictions:
    """Each is an error that names the contradiction."""

    @pytest.mark.parametrize(
        ("given", "named"),
        [
            ({"keep": ("battery",), "lowest": FAR}, "battery must not move, and yet has a bound (at least 2)"),
            ({"keep": ("battery",), "highest": FAR}, "battery must not move, and yet has a bound (at most 2)"),
            ({"lowest": {"battery": 3}, "highest": FAR}, "battery at least 3 and at most 2: no value is both"),
            ({"lowest": {"battery": np.nan}}, "battery at least nan"),
            ({"highest": {"battery": np.inf}}, "battery at most inf"),
            ({"most": 0}, "at most 0 aspects"),
            ({"most": -2}, "at most -2 aspects"),
            ({"costs": {"battery": 0}}, "the cost of battery is 0"),
            ({"costs": {"battery": -1}}, "the cost of battery is -1"),
            ({"costs": {"battery": np.inf}}, "the cost of battery is inf"),
            ({"costs": {"battery": np.nan}}, "the cost of battery is nan"),
            ({"values": "any"}, "unknown values 'any'; reachable or continuous"),
            ({"unreviewed_beyond": -1}, "unreviewed_beyond is -1; a number of aspects, or 'never'"),
            ({"unreviewed_beyond": "soon"}, "unreviewed_beyond is 'soon'; a number of aspects, or 'never'"),
        ],
    )
    def test_as_soon_as_they_are_written_down(self, given, named):
        with pytest.raises(ConfigError, match=re.escape(named)):
            Constraints(**given)

    @pytest.mark.parametrize(
        ("given", "named"),
        [
            ({"keep": ("battery", "price", "screen")}, "every aspect must not move"),
            ({"keep": ("screen", "price", "battery", "price")}, "every aspect must not move"),
            ({"highest": {"battery": 5.5}}, "battery at most 5.5: its scale is 1 to 5, or 0 for absent"),
            ({"lowest": {"screen": -1}}, "screen at least -1: its scale is 1 to 5, or 0 for absent"),
            ({"lowest": {"screen": 6}}, "screen at least 6: its scale is 1 to 5, or 0 for absent"),
            ({"lowest": {"price": 0.5}}, "price at least 0.5: its scale is 1 to 5, or 0 for absent"),
            ({"highest": {"price": 0.5}}, "price at most 0.5: its scale is 1 to 5, or 0 for absent"),
        ],
    )
    @pytest.mark.parametrize("kind", [*KINDS, "what_if", "audience"])
    def test_as_soon_as_the_scale_is_known(self, kind, given, named):
        with pytest.raises(ConfigError, match=re.escape(named)):
            self.ask(kind, Constraints(**given))

    @pytest.mark.parametrize("kind", [*KINDS, "what_if", "audience"])
    @pytest.mark.parametrize(
        "given",
        [{"keep": ("batery",)}, {"lowest": {"batery": 2}}, {"highest": {"batery": 2}}, {"costs": {"batery": 2}}],
    )
    def test_an_unknown_aspect_is_named_with_its_nearest(self, kind, given):
        with pytest.raises(UnknownIdError, match="'batery' here; did you mean 'battery'"):
            self.ask(kind, Constraints(**given))

    @pytest.mark.parametrize("kind", [*KINDS, "what_if", "audience"])
    def test_what_looks_like_one_and_is_none(self, kind):
        """A bound at *absent*, at an end of the scale, or of one value; more aspects allowed than there are."""
        self.ask(kind, Constraints(lowest={"battery": 0, "price": 1}, highest={"screen": 5}))
        self.ask(kind, Constraints(lowest={"battery": 2}, highest={"battery": 2}, most=100))
        self.ask(kind, Constraints(unreviewed_beyond="never", lowest={"battery": 0}, keep=("screen", "price")))
        self.ask(kind, Constraints(values="continuous", lowest={"battery": 0, "price": 1}, highest={"screen": 5}))
        self.ask(kind, Constraints(keep=("screen", "price", "price"), costs={"screen": 5}))

    @staticmethod
    def ask(kind: str, constraints: Constraints) -> object:
        space, scorer, everyone, one = figure_one(), AlignmentScorer(), Candidates.without(4, [[]]), np.array([0])
        lists = rank(scorer, space, everyone, 1)
        if kind == "why":
            return why(space, lists, constraints=constraints)
        if kind == "why_not":
            return why_not(space, lists, one, one + 1, constraints=constraints)
        if kind == "what_if":
            return what_if(scorer, space, everyone, 1, 0, {0: space.item_quality[0]}, constraints=constraints)
        if kind == "audience":
            return why_not_for_all(scorer, space, lists, 1, one, 1, constraints=constraints)
        takes = kind == "why_rather_takes"
        return why_rather(scorer, space, lists, one, one, one + 1, takes=takes, constraints=constraints)


def test_complete_does_not_say_why_an_item_is_not_there():
    """*complete* is about items in the list, and *why not* about items outside it."""
    world = plain_world(0)
    net = AspectNet(world.weights)
    with pytest.raises(UsageError, match="not in the list has none: ask why_not with the goal minimal"):
        CountER(net, goal="complete").explain(asked("why_not", world, net, 0))
