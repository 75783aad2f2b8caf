"""Complete: flips, necessary and sufficient, each claimed exactly if scoring everything again confirms it."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping

import numpy as np
import pytest
from tests import claims, naive
from tests.worlds import (
    ALL_WORLDS,
    SCORED,
    WORLDS,
    Scored,
    World,
    asked,
    crowded_world,
    pairs_of,
    plain_world,
    random_world,
    scored_rows,
    space_of,
)

from counterec.core.candidates import Candidates
from counterec.core.explainers.answer import Explanations, Status
from counterec.core.explainers.complete import (
    rivals,
)
from counterec.core.explainers.complete.settings import CompleteSettings
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question import Question
from counterec.core.explainers.question_builders import why
from counterec.core.scorers.base import PairBatch, Scorer
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import AlignmentScorer
from counterec.core.space import AspectSpace
from counterec.errors import InvalidValueError

pytestmark = pytest.mark.slow

LOWERING = ("why", "why_rather", "why_rather_takes")
CONTINUOUS = Constraints(values="continuous")
POSSIBLE = (Constraints(), Constraints(unreviewed_beyond=1), Constraints(unreviewed_beyond="never"))
EXACT = ("constant", "whole")
"""Worlds in which single precision is exact, so that verdicts can be checked even if different items tie."""


def scored_in(where: str, name: str, world: World, seed: int) -> Scored:
    scored = SCORED[name](world, seed)
    exact = where in EXACT and name in ("net", "black box")
    return dataclasses.replace(scored, noise=lambda user: 0.0) if exact else scored


def established(world: World, scored: Scored, question: Question, answers: Explanations, k: int = 3) -> Counter[str]:
    """Check every claim of every row; count each verdict, and how often it could not be checked."""
    seen: Counter[str] = Counter()
    for row, claimed in enumerate(scored_rows(question, world, scored, answers, "complete", k=k)):
        assert claims.untrue(claimed) == []
        pair, status = claimed.pair, Status(answers.status[row])
        said = {
            "necessary": bool(answers.verdicts.necessary[row]),
            "sufficient": bool(answers.verdicts.sufficient[row]),
        }
        assert answers.verdicts.asked[row] == (status is Status.EXPLAINED)
        if status is not Status.EXPLAINED:
            assert said == {"necessary": False, "sufficient": False}
            continue
        named = answers.delta[row] != 0
        for verdict, true in (("necessary", pair.necessary(named)), ("sufficient", pair.sufficient(named))):
            seen[f"{verdict} {true}"] += 1
            if true is not None:
                assert said[verdict] == true, (verdict, row, np.flatnonzero(named))
    return seen


@pytest.mark.parametrize("name", SCORED)
@pytest.mark.parametrize("where", ALL_WORLDS)
def test_both_are_claimed_exactly_where_they_hold(where, name):
    """Every scorer in every world; every question with each of both."""
    seed = list(ALL_WORLDS).index(where) + 10 * list(SCORED).index(name)
    kind = LOWERING[seed % 3]
    world = ALL_WORLDS[where](seed)
    scored = scored_in(where, name, world, seed)
    both = (CONTINUOUS, POSSIBLE[seed // 2 % 3])
    for constraints in both if name == "net" else both[seed % 2 :][:1]:
        question = asked(kind, world, scored.scorer, seed, constraints=constraints)
        established(world, scored, question, CountER(scored.scorer, goal="complete").explain(question))


@pytest.mark.parametrize("name", ["net", "embedded", "halves", "embedded halves"])
def test_the_verdicts_are_of_every_sort(name):
    """The test above has cases of every sort; few cannot be checked, and none if scores are halves."""
    seen: Counter[str] = Counter()
    for seed in range(6):
        for where in ("plain", "tied", "full"):
            world = WORLDS[where](seed)
            scored = SCORED[name](world, seed)
            question = asked("why", world, scored.scorer, seed, constraints=CONTINUOUS)
            seen += established(world, scored, question, CountER(scored.scorer, goal="complete").explain(question))
    for verdict in ("necessary", "sufficient"):
        assert min(seen[f"{verdict} True"], seen[f"{verdict} False"]) >= 8, seen
        assert seen[f"{verdict} None"] <= (0 if "halves" in name else 0.05 * seen.total())


class TestMoreRivalsThanAreLookedAt:
    """The search looks at some of many candidates; the verdicts are those among all of them."""

    @pytest.mark.parametrize("name", ["net", "embedded"])
    @pytest.mark.parametrize("items", [700, 1300])
    def test_in_a_crowded_world(self, items, name):
        seen: Counter[str] = Counter()
        for seed in range(2):
            world = crowded_world(seed, items)
            assert len(world.candidates.of(0)) > rivals.MOST_RIVALS
            scored = SCORED[name](world, seed)
            question = asked("why", world, scored.scorer, seed, constraints=CONTINUOUS)
            seen += established(world, scored, question, CountER(scored.scorer, goal="complete").explain(question))
        assert seen["necessary True"] > 0
        assert seen["sufficient False"] + seen["sufficient True"] > 0

    @pytest.mark.parametrize("name", ["net", "embedded", "halves", "embedded halves"])
    def test_where_few_are_looked_at(self, name, monkeypatch):
        """Six of up to forty: what holds among these few often does not hold among all."""
        monkeypatch.setattr(rivals, "MOST_RIVALS", 6)
        seen: Counter[str] = Counter()
        for seed in range(5):
            world = random_world(seed, items=40)
            scored = SCORED[name](world, seed)
            question = asked("why", world, scored.scorer, seed, constraints=CONTINUOUS)
            seen += established(world, scored, question, CountER(scored.scorer, goal="complete").explain(question))
        assert min(seen["sufficient True"], seen["sufficient False"]) > 3, seen

    @pytest.mark.parametrize("name", ["net", "embedded", "halves"])
    def test_a_pair_is_answered_alike_alone_and_with_others(self, name, monkeypatch):
        """The rivals that one pair overlooked must not affect another pair."""
        monkeypatch.setattr(rivals, "MOST_RIVALS", 6)
        several = 0
        for seed in range(4):
            world = random_world(seed, items=60, aspects=8)
            scored = SCORED[name](world, seed)
            question = asked("why", world, scored.scorer, seed, constraints=CONTINUOUS)
            explainer = CountER(scored.scorer, goal="complete")
            together = explainer.explain(question)
            for row in range(len(question)):
                alone = explainer.explain(question.rows(np.array([row])))
                np.testing.assert_array_equal(alone.delta[0] != 0, together.delta[row] != 0)
                several += int(np.count_nonzero(alone.delta[0]) > 1)
        assert several > 5

    def test_long_lists(self):
        """With 150 places, likelihoods are sums of 150 terms, none of which may overflow."""
        world = crowded_world(0, 700)
        net = AspectNet(world.weights)
        lists = rank(net, world.space, world.candidates, 150, np.array([0]))
        question = why(world.space, lists, constraints=CONTINUOUS).rows(np.arange(0, 150, 15))
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            answers = CountER(net, goal="complete").explain(question)
        assert answers.explained.any()


class TestReserve:
    """Items that could as well have been candidates steer the search, but are no rivals in the verdicts."""

    @staticmethod
    def answers(world: World, scored: Scored, question: Question, reserves: int, reserve: bool = True) -> Explanations:
        everything = Candidates.without(len(world.space.items), [[] for _ in world.space.users.texts])
        return CountER(
            scored.scorer,
            goal="complete",
            complete=CompleteSettings(reserves=reserves),
            reserve=everything if reserve else None,
        ).explain(question)

    @pytest.mark.parametrize("name", ["net", "embedded"])
    def test_verdicts_are_those_among_the_candidates(self, name):
        changed = 0
        for seed in range(5):
            world = plain_world(seed, candidates=7)
            scored = SCORED[name](world, seed)
            question = asked("why", world, scored.scorer, seed, constraints=CONTINUOUS)
            alone = self.answers(world, scored, question, 150, reserve=False)
            for reserves in (150, 3):
                answers = self.answers(world, scored, question, reserves)
                established(world, scored, question, answers)
                changed += int(((answers.delta != 0) != (alone.delta != 0)).any(axis=1).sum())
            none = self.answers(world, scored, question, 0)
            np.testing.assert_array_equal(none.delta, alone.delta)
        assert changed > 0


def everyone(space: AspectSpace) -> Candidates:
    return Candidates.without(len(space.items), [[] for _ in space.users.texts])


def completed(
    space: AspectSpace,
    scorer: Scorer,
    item: int,
    settings: CompleteSettings = CompleteSettings(),  # noqa: B008
    constraints: Constraints = CONTINUOUS,
    candidates: Candidates | None = None,
    reserve: Candidates | None = None,
) -> tuple[list[int], bool, bool]:
    """The aspects named for an item that is first, and whether they are necessary and sufficient."""
    lists = rank(scorer, space, everyone(space) if candidates is None else candidates, 1)
    assert lists.items[0, 0] == item
    question = why(space, lists, constraints=constraints)
    answers = CountER(scorer, goal="complete", complete=settings, reserve=reserve).explain(question)
    assert answers.status.tolist() == [Status.EXPLAINED]
    return (
        np.flatnonzero(answers.delta[0]).tolist(),
        bool(answers.verdicts.necessary[0]),
        bool(answers.verdicts.sufficient[0]),
    )


class TestByHand:
    two = space_of([[1, 1, 1]], [[5, 0, 2], [0, 5, 2], [3, 3, 2]])
    """Item 2 is first, with 8 against 7 and 7. On each aspect but the third, on which all are alike, one is better."""

    def test_two_aspects_where_one_flips(self):
        """Either of the first two flips and is necessary; alone it is not sufficient, since another has more of it."""
        lists = rank(AlignmentScorer(), self.two, everyone(self.two), 1)
        fewest = CountER(AlignmentScorer(), goal="minimal").explain(why(self.two, lists, constraints=CONTINUOUS))
        assert np.count_nonzero(fewest.delta) == 1
        assert completed(self.two, AlignmentScorer(), 2) == ([0, 1], True, True)

    def test_every_aspect_of_the_set_moves_where_values_are_counted(self):
        """The second aspect has no need to get worse for the flip, and is named by its smallest step."""
        assert completed(self.two, AlignmentScorer(), 2, constraints=Constraints()) == ([0, 1], True, True)

    def test_where_a_second_aspect_may_not_move_the_answer_says_what_fails(self):
        assert completed(self.two, AlignmentScorer(), 2, constraints=Constraints(most=1, values="continuous")) in (
            ([0], True, False),
            ([1], True, False),
        )
        fixed = Constraints(keep=("aspect 0000",), values="continuous")
        assert completed(self.two, AlignmentScorer(), 2, constraints=fixed) == ([1], True, False)

    def test_sufficiency_that_is_impossible_is_said_to_fail(self):
        """Item 1 has more of the first aspect and is held back by the second, which item 2 does not have."""
        space = space_of([[1, -1]], [[0, 0], [5, 4], [3, 0]])
        assert completed(space, AlignmentScorer(), 2) == ([0], True, False)

    def test_necessity_that_is_impossible_is_said_to_fail(self):
        """Without its only aspect the item ties with the other, and is the first of the two."""
        space = space_of([[1]], [[3], [2]])
        assert completed(space, AlignmentScorer(), 0) == ([0], False, True)
        behind = space_of([[1]], [[2], [3]])
        assert completed(behind, AlignmentScorer(), 1) == ([0], True, True)


class Table:
    """A score for every item and every pattern of the aspects it has."""

    aspects_only = False

    def __init__(self, scores: Mapping[int, Mapping[str, float]]) -> None:
        self._scores = scores

    def score(self, pairs: PairBatch) -> np.ndarray:
        patterns = ["".join("1" if value else "0" for value in row) for row in pairs.item_quality]
        return np.array(
            [self._scores[item][pattern] for item, pattern in zip(pairs.items.tolist(), patterns, strict=True)],
            dtype=np.float32,
        )


class TestWhatAnAspectMustBeWorth:
    """Without the first aspect one rival is ahead of item 2; without the second as well, both are.

    So the first alone is complete; the second raises the likelihood that the two are necessary among other candidates
    from 1 − 1/e to 1 − 1/e²: by 0.23.
    """

    scorer = Table(
        {
            0: {"11": 3, "01": 3, "10": 3, "00": 3},
            1: {"11": 2, "01": 0, "10": 2, "00": 3},
            2: {"11": 5, "01": 1, "10": 5, "00": 0},
        }
    )

    def named(self, attention: list[float], constraints: Constraints = CONTINUOUS, **settings: float) -> list[int]:
        space = space_of([attention], [[3, 3]] * 3)
        aspects, *holds = completed(space, self.scorer, 2, CompleteSettings(**settings), constraints)
        assert holds == [True, True]
        return aspects

    @pytest.mark.parametrize(("price", "aspects"), [(0.2, [0, 1]), (0.25, [0]), (0.0, [0, 1]), (1.0, [0])])
    def test_price(self, price, aspects):
        assert self.named([1, 1], price=price, expected=0) == aspects

    @pytest.mark.parametrize(("cost", "aspects"), [(0.5, [0, 1]), (1.0, [0, 1]), (2.0, [0])])
    def test_cost(self, cost, aspects):
        dear = Constraints(costs={"aspect 0001": cost}, values="continuous")
        assert self.named([1, 1], dear, price=0.2, expected=0) == aspects

    def test_reserve(self):
        """Item 1 is no candidate. Only the reserve shows that it would be ahead without both."""
        space = space_of([[1, 1]], [[3, 3]] * 3)
        settings, drawn = CompleteSettings(price=0.25, expected=0), Candidates.exactly(3, [[0, 2]])
        alone = completed(space, self.scorer, 2, settings, candidates=drawn)
        assert alone == ([0], True, True)
        with_reserve = completed(space, self.scorer, 2, settings, candidates=drawn, reserve=everyone(space))
        assert with_reserve == ([0, 1], True, True)


@pytest.mark.parametrize(("name", "share"), [("net", 0.85), ("embedded", 0.8), ("hybrid, offsets small", 0.8)])
def test_most_of_what_can_be_complete_is(name, share):
    """Not a claim of any row, but the purpose of the goal: compared with trying every set that flips."""
    possible = found = by_the_fewest = 0
    for seed in range(6):
        for where in ("plain", "full"):
            world = WORLDS[where](seed)
            scored = SCORED[name](world, seed)
            question = asked("why", world, scored.scorer, seed, constraints=CONTINUOUS)
            answers = CountER(scored.scorer, goal="complete").explain(question)
            fewest = CountER(scored.scorer, goal="minimal").explain(question)
            for row, pair in enumerate(pairs_of(question, world, scored)):
                if any(is_complete(pair, chosen) for chosen in sets_that_flip(pair)):
                    possible += 1
                    found += bool(answers.verdicts.necessary[row] and answers.verdicts.sufficient[row])
                    by_the_fewest += is_complete(pair, np.flatnonzero(fewest.delta[row]))
    assert possible > 50
    assert found >= share * possible
    assert by_the_fewest < 0.9 * found


def sets_that_flip(pair: naive.Pair) -> list[tuple[int, ...]]:
    sizes = range(1, 1 + len(pair.movable))
    return [chosen for size in sizes for chosen in naive.sets_of(pair.movable, size) if pair.flips_at_bounds(chosen)]


def is_complete(pair: naive.Pair, chosen: np.ndarray | tuple[int, ...]) -> bool:
    named = np.isin(np.arange(len(pair.before)), chosen)
    return bool(pair.necessary(named) and pair.sufficient(named))


def test_neither_order_nor_batch_matters():
    for seed, kind in [(0, "why"), (1, "why_rather")]:
        world = plain_world(seed)
        net = AspectNet(world.weights)
        question = asked(kind, world, net, seed, constraints=CONTINUOUS)
        answers = CountER(net, goal="complete").explain(question)
        order = np.random.default_rng(0).permutation(len(question))
        again = CountER(net, goal="complete").explain(question.rows(order))
        np.testing.assert_array_equal(again.status, answers.status[order])
        np.testing.assert_array_equal(again.delta != 0, answers.delta[order] != 0)
        np.testing.assert_array_equal(again.verdicts.necessary, answers.verdicts.necessary[order])
        np.testing.assert_array_equal(again.verdicts.sufficient, answers.verdicts.sufficient[order])


@pytest.mark.parametrize(
    "wrong", [{"price": -1}, {"expected": -1}, {"neighbours": 0}, {"rounds": -1}, {"reserves": -1}]
)
def test_settings_that_make_no_sense(wrong):
    with pytest.raises(InvalidValueError, match=next(iter(wrong))):
        CompleteSettings(**wrong)
