"""Rankers: the ready ones, what is refused, and what they do to lists, questions and answers."""

from __future__ import annotations

import numpy as np
import pytest
from tests.worlds import BlackBox, drawn_rules, members_of, named_of, random_world, space_of

from counterec.core.candidates import Candidates
from counterec.core.evaluation.judge_necessity import verdicts
from counterec.core.explainers.answer import Proof, Status
from counterec.core.explainers.audience.solver import why_not_for_all
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question_builders import why, why_not, why_rather
from counterec.core.explainers.ranker_targets import under_ranker
from counterec.core.explainers.what_if import what_if
from counterec.core.interactions import Interactions
from counterec.core.list_rules import AtMostPerGroup, BoostedScorer, list_by, threshold, whole_order
from counterec.core.scorers.base import PairBatch
from counterec.core.scorers.net import AspectNet, NetEnsemble
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import AlignmentScorer
from counterec.errors import CounterecError, InvalidValueError, UsageError

ITEMS = np.arange(6)
SCORES = np.array([9.0, 8.0, 7.0, 6.0, 5.0, 1.0], dtype=np.float32)
BRANDS = np.array([0, 0, 0, 1, 1, 2])


class TestReadyOnes:
    def test_at_most_so_many_of_a_group(self):
        assert AtMostPerGroup(BRANDS, 1).ranked(0, ITEMS, SCORES, 6).tolist() == [0, 3, 5]
        assert AtMostPerGroup(BRANDS, 2).ranked(0, ITEMS, SCORES, 4).tolist() == [0, 1, 3, 4]

    def test_items_of_no_group_are_not_limited(self):
        assert AtMostPerGroup(np.full(6, -1), 1).ranked(0, ITEMS, SCORES, 3).tolist() == [0, 1, 2]

    def test_what_was_seen_is_left_out_for_its_user_alone(self):
        seen = Interactions(np.array([0, 0]), np.array([0, 3]), 2, 6)
        for candidates in (Candidates.without(6, [[1], [1]]), Candidates.exactly(6, [[0, 2, 3, 4, 5]] * 2)):
            left = candidates.leave_out(seen)
            assert left.of(0).tolist() == [2, 4, 5]
            assert left.of(1).tolist() == [0, 2, 3, 4, 5]

    @pytest.mark.parametrize("rule", ["none", "cap", "unseen", "all"])
    def test_they_are_as_monotone_as_they_say(self, rule):
        world = random_world(3)
        ranker, random = drawn_rules(world, 3)[rule].ranker, np.random.default_rng(3)
        items = np.arange(len(world.space.items))
        assert ranker.monotone
        for _ in range(100):
            scores = random.integers(-4, 5, len(items)).astype(np.float32)
            item, k = int(random.integers(len(items))), int(random.integers(1, 8))
            higher = scores.copy()
            higher[item] += random.integers(0, 4)
            before, after = (list_by(ranker, 0, items, some, k) for some in (scores, higher))
            assert item not in before or item in after

    @pytest.mark.parametrize(
        "make",
        [
            lambda: AtMostPerGroup(BRANDS, 0),
            lambda: AtMostPerGroup(np.array([-2]), 1),
            lambda: BoostedScorer(AlignmentScorer(), np.array([np.inf])),
            lambda: BoostedScorer(AlignmentScorer(), np.zeros((2, 2))),
        ],
    )
    def test_bad_ones_are_refused(self, make):
        with pytest.raises(CounterecError):
            make()


class TestAnybodys:
    @pytest.mark.parametrize(
        ("returned", "said"),
        [
            ([0, 0], "twice"),
            ([7], "no candidate"),
            ([0, 1, 2], "at most 2"),
            ([[0], [1]], "shape"),
            (["0"], "numbers of items"),
            ([0.5], "numbers of items"),
        ],
    )
    def test_what_is_no_list_is_refused_by_name(self, returned, said):
        with pytest.raises(InvalidValueError, match=rf"Odd.*user 4.*{said}|Odd.*{said}.*user 4"):
            list_by(Odd(returned), 4, ITEMS, SCORES, 2)

    def test_an_empty_list_is_one(self):
        assert len(list_by(Odd([]), 0, ITEMS, SCORES, 2)) == 0

    def test_what_is_no_ranker_is_refused(self):
        world = random_world(0)
        scorer = AspectNet(world.weights)
        with pytest.raises(UsageError, match="no monotone and no ranked"):
            rank(scorer, world.space, world.candidates, 3, ranker=object())
        with pytest.raises(UsageError, match="is a class"):
            CountER(scorer, ranker=AtMostPerGroup)

    def test_after_the_list_come_longer_lists_and_then_the_rest_by_score(self):
        order, listed = whole_order(AtMostPerGroup(BRANDS, 1), 0, ITEMS, SCORES, 2)
        assert (order.tolist(), listed) == ([0, 3, 5, 1, 2, 4], 2)


@pytest.mark.parametrize("at", [-3.5, -1e-30, 0.0, 1e-12, 2.0, 7e20])
def test_a_threshold_is_found_to_the_last_bit(at):
    edge = np.float32(at)
    below, above = threshold(lambda score: bool(score >= edge), np.float32(1e30))
    assert (np.float32(above), np.float32(below)) == (edge, np.nextafter(edge, np.float32(-np.inf)))
    assert np.isnan(threshold(lambda _: True, np.float32(1e30))[0])
    assert np.isnan(threshold(lambda _: False, np.float32(1e30))[1])


def shop():
    """One user who adds up two aspects, six phones of three brands with the sums 9, 8, 7, 6, 5 and 2."""
    quality = [[4.5, 4.5], [4, 4], [3.5, 3.5], [3, 3], [2.5, 2.5], [1, 1]]
    return space_of([[1.0, 1.0]], quality), Candidates.without(6, [[]]), AlignmentScorer()


class TestACapOfOnePerBrand:
    """The list is the best of each brand: 0, 3 and 5. Item 0 goes if it falls behind 1, item 3 if it does behind 4."""

    cap = AtMostPerGroup(BRANDS, 1)

    def asked(self, k=3):
        space, candidates, scorer = shop()
        lists = rank(scorer, space, candidates, k, ranker=self.cap)
        return space, candidates, scorer, lists

    def test_the_list_and_its_targets(self):
        space, _, scorer, lists = self.asked()
        assert lists.items[0].tolist() == [0, 3, 5, 1]
        question = under_ranker(scorer, why(space, lists))
        np.testing.assert_array_equal(question.target, np.float32([8, 5, np.nan]))
        assert question.target_item.tolist() == [1, 4, -1]

    def test_answers_follow_the_rule(self):
        space, _, scorer, lists = self.asked()
        answers = CountER(scorer).explain(why(space, lists, constraints=Constraints(values="continuous")))
        assert answers.status.tolist() == [Status.EXPLAINED, Status.EXPLAINED, Status.CANNOT_FLIP]
        assert (answers.proof[:2] == Proof.SMALLEST).all()
        np.testing.assert_allclose(answers.score_after[:2], [8, 5], atol=0.02)

    def test_without_the_rule_they_are_false(self):
        """By scores alone, items 1 and 2 are in the list, which they are not, and item 0 falls off behind 3 only."""
        space, candidates, scorer, lists = self.asked()
        plain = rank(scorer, space, candidates, 3)
        assert set(plain.items[0, :3].tolist()) - set(lists.items[0, :3].tolist()) == {1, 2}
        (first, *_) = CountER(scorer).explain(why(space, plain)).score_after
        assert first < 6
        quality = space.item_quality[0] - np.float32(0.6)
        again = what_if(
            scorer, space, candidates, 3, 0, {0: quality}, constraints=Constraints(values="continuous"), ranker=self.cap
        )
        assert again.left.tolist() == [0]
        assert again.entered.tolist() == [1]

    def test_why_not(self):
        space, _, scorer, lists = self.asked()
        question = why_not(space, lists, [0, 0, 0], [1, 4, 0], constraints=Constraints(values="continuous"))
        answers = CountER(scorer).explain(question)
        assert answers.status.tolist() == [Status.EXPLAINED, Status.EXPLAINED, Status.ALREADY_TRUE]
        np.testing.assert_allclose(answers.target[:2], [9, 6])

    def test_why_rather_looks_at_the_whole_order(self):
        """Item 1 scores more than items 3 and 5, but is not in the list: 3 has to leave it first, and 5 never does."""
        space, _, scorer, lists = self.asked()
        question = why_rather(scorer, space, lists, [0, 0, 0, 0], [3, 5, 0, 1], [1, 1, 3, 3])
        answers = CountER(scorer).explain(question)
        expected = [Status.EXPLAINED, Status.CANNOT_FLIP, Status.EXPLAINED, Status.ALREADY_TRUE]
        assert answers.status.tolist() == expected
        np.testing.assert_array_equal(answers.target[:3], np.float32([5, np.nan, 8]))

    def test_a_short_list_keeps_places_free(self):
        space, candidates, scorer, lists = self.asked(k=5)
        assert lists.items[0].tolist() == [0, 3, 5, -1, -1, -1]
        quality = np.array([5.0, 5.0], dtype=np.float32)
        found = what_if(scorer, space, candidates, 5, 0, {1: quality}, ranker=self.cap)
        assert found.place(1) == 1
        assert found.place(0) == 6
        assert (found.entered.tolist(), found.left.tolist()) == ([1], [0])

    def test_verdicts(self):
        """Item 0 rests on both aspects; item 5, the only one of its brand, stays with none and so on none."""
        space, candidates, scorer, _ = self.asked()
        named = named_of([0, 0], [0, 5], [[True, True], [True, True]])
        found = verdicts(scorer, space, candidates, 3, named, ranker=self.cap)
        assert found.necessary.tolist() == [False, False]  # without aspects all tie, and item 0 has the smallest number
        assert found.necessary_kind.tolist() == [True, False]
        assert found.sufficient.tolist() == [True, False]
        assert found.stays_without_aspects.tolist() == [False, True]
        assert found.looked_at.tolist() == [6, 6]

    def test_a_list_cannot_be_cut_short(self):
        with pytest.raises(InvalidValueError, match="rank again"):
            self.asked()[3].shortened(2)


class TestBoosts:
    boosts = np.array([0, 0, 0, 0, 0, 6.5])

    def test_they_count_before_the_ranker(self):
        space, candidates, scorer = shop()
        boosted = BoostedScorer(scorer, self.boosts)
        assert rank(boosted, space, candidates, 2).items[0].tolist() == [0, 5, 1]
        assert rank(boosted, space, candidates, 3, ranker=AtMostPerGroup(BRANDS, 1)).items[0, :3].tolist() == [0, 5, 3]

    def test_answers_move_the_aspects_alone(self):
        space, candidates, scorer = shop()
        boosted = BoostedScorer(scorer, self.boosts)
        question = why_not(
            space, rank(boosted, space, candidates, 2), [0], [2], constraints=Constraints(values="continuous")
        )
        answers = CountER(boosted).explain(question)
        np.testing.assert_allclose((answers.target, answers.score_after), [[8.5], [8.5]], atol=0.02)

    def test_a_boosted_scorer_can_do_what_its_scorer_can(self):
        world = random_world(2)
        net = AspectNet(world.weights)
        boosts = np.random.default_rng(2).normal(0, 0.02, len(world.space.items))
        boosted = BoostedScorer(net, boosts)
        for goal in ("minimal", "single", "complete", "relaxed"):
            answers = CountER(boosted, goal=goal).explain(
                why(world.space, rank(boosted, world.space, world.candidates, 3))
            )
            assert (answers.status == Status.EXPLAINED).any()
        assert not hasattr(BoostedScorer(BlackBox(net), boosts), "score_tensor")
        ensemble = NetEnsemble(members_of(world, 2))
        for own, plain in zip(BoostedScorer(ensemble, boosts).members, ensemble.members, strict=True):
            pairs = PairBatch.of(world.space, [0, 1], [2, 3])
            np.testing.assert_allclose(own.score(pairs), plain.score(pairs) + boosts[[2, 3]], rtol=1e-5)


def test_no_rule_changes_nothing():
    for seed in range(4):
        world = random_world(seed)
        scorer = AspectNet(world.weights)
        for goal in ("minimal", "single", "complete", "relaxed"):
            plain, under = (
                CountER(scorer, goal=goal).explain(
                    why(world.space, rank(scorer, world.space, world.candidates, 3, ranker=r))
                )
                for r in (None, drawn_rules(world, seed)["none"].ranker)
            )
            for name in ("status", "proof", "target"):
                np.testing.assert_array_equal(getattr(plain, name), getattr(under, name))
            if goal != "complete":  # which counts on other draws of candidates, and so cannot under a ranker
                np.testing.assert_array_equal(plain.delta, under.delta)


def test_a_ranker_can_be_given_to_the_explainer():
    space, candidates, scorer = shop()
    cap = AtMostPerGroup(BRANDS, 1)
    lists = rank(scorer, space, candidates, 3, ranker=cap)
    own = CountER(scorer).explain(why(space, lists))
    given = CountER(scorer, ranker=cap).explain(why(space, lists))
    np.testing.assert_array_equal(own.delta, given.delta)
    with pytest.raises(UsageError, match="by the same one"):
        CountER(scorer, ranker=AtMostPerGroup(BRANDS, 2)).explain(why(space, lists))


def test_only_some_goals_do_without_a_target():
    world = random_world(1)
    scorer, rules = AspectNet(world.weights), drawn_rules(world, 1)["spread out"]
    question = why(world.space, rank(scorer, world.space, world.candidates, 3, ranker=rules.ranker))
    for goal in ("relaxed", "complete"):
        with pytest.raises(UsageError, match="minimal or single"):
            CountER(scorer, goal=goal).explain(question)


def test_a_ranker_that_is_not_as_monotone_as_it_says_is_refused():
    space, candidates, scorer = shop()
    question = why(space, rank(scorer, space, candidates, 3, ranker=NotTheBest()))
    with pytest.raises(InvalidValueError, match=r"NotTheBest calls itself monotone.*set monotone to False"):
        CountER(scorer).explain(question)


def test_an_audience_is_not_asked_under_a_ranker():
    space, candidates, scorer = shop()
    lists = rank(scorer, space, candidates, 3, ranker=AtMostPerGroup(BRANDS, 1))
    with pytest.raises(UsageError, match="rules"):
        why_not_for_all(scorer, space, lists, 1, [0], 1)


class NotTheBest:
    """All but the best: a higher score may do an item harm, whatever this says."""

    monotone = True

    def ranked(self, user, candidates, scores, k):
        del user
        return candidates[np.argsort(-scores, kind="stable")][1 : k + 1]


class Odd:
    monotone = True

    def __init__(self, returned):
        self._returned = returned

    def ranked(self, user, candidates, scores, k):
        return self._returned
