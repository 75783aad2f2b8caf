"""Which past reviews would take an item off the list: every claim again by plain code, and known answers."""

from __future__ import annotations

import numpy as np
import pytest
from tests.history_worlds import HistoryWorld, history_world
from tests.worlds import Embedded, vocabulary

from counterec.core.candidates import Candidates
from counterec.core.explainers.answer import Proof, Status
from counterec.core.explainers.budget import Budget
from counterec.core.explainers.history.answer import HistoryAnswers
from counterec.core.explainers.history.past_reviews import PastReviews
from counterec.core.explainers.history.settings import HistorySettings
from counterec.core.explainers.history.solver import HistoryExplainer
from counterec.core.interactions import Interactions
from counterec.core.list_rules import AtMostPerGroup
from counterec.core.mention_counts import MentionNumbers
from counterec.core.scorers.collaborative import Collaborative, ItemToItem
from counterec.core.scorers.hybrid import HybridScorer
from counterec.core.scorers.net import AspectNet, Dense, NetWeights
from counterec.core.scorers.ranking import rank
from counterec.core.space import AspectSpace
from counterec.errors import InvalidValueError, UsageError

SURE = 1e-4
"""Single and double precision may disagree by as much."""

KINDS = {
    "hybrid": {},
    "relative": {"rule": "relative"},
    "nets alone": {"size": 0.0},
    "mostly history": {"size": 3.0, "gain": 0.3},
    "long": {"reviews": (6, 9), "size": 0.5},
}


def untrue(world: HistoryWorld, answers: HistoryAnswers, row: int) -> list[str]:
    """The claims of an answer that plain code does not confirm."""
    user, item = int(answers.users[row]), int(answers.items[row])
    items, removed = world.candidates.of(user), set(answers.removed[row].tolist())
    status, proof, margin = Status(answers.status[row]), Proof(answers.proof[row]), float(answers.margin[row])
    lead = world.plain.lead(user, item, items, world.k, removed)
    stands = world.plain.position(user, item, items, removed)
    claims = {
        "removes past reviews alone": removed <= world.plain.reviewed[user],
        "has the scores it says": abs(lead - float(answers.score_after[row] - answers.target_after[row])) < SURE,
        "is where it says": stands == answers.position_after[row] or abs(lead) < SURE or status is not Status.EXPLAINED,
    }
    sizes = range(1, len(world.plain.reviewed[user]) + 1)

    def flips(others: tuple[int, ...], sure: float = SURE) -> bool:
        return world.plain.lead(user, item, items, world.k, others) < -margin - sure

    if status is Status.EXPLAINED:
        claims["takes the item off"] = lead < -margin + SURE and stands > world.k
        if proof is Proof.SMALLEST:
            smaller = [one for size in sizes[: len(removed) - 1] for one in world.plain.sets(user, size)]
            claims["is smallest"] = not any(flips(one) for one in smaller)
        claims["is irreducible"] = not any(flips(tuple(removed - {one})) for one in removed if len(removed) > 1)
    else:
        claims["stays"] = status is Status.OUT_OF_BUDGET or lead > -margin - SURE
    if status is Status.CANNOT_FLIP:
        claims["cannot flip"] = not any(flips(one) for size in sizes for one in world.plain.sets(user, size))
    return [claim for claim, holds in claims.items() if not holds]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_every_claim_holds_by_plain_code(kind: str, seed: int) -> None:
    world = history_world(seed, **KINDS[kind])
    users, items = (side[world.pairs[0] < 4] for side in world.pairs)  # the fifth has too many sets to try them all
    answers = world.explainer().explain(users, items)
    assert {row: wrong for row in range(len(answers)) if (wrong := untrue(world, answers, row))} == {}
    assert answers.explained.any()
    assert (answers.proof[answers.explained] == Proof.SMALLEST).all()


@pytest.mark.parametrize("seed", range(8))
def test_a_linear_model_is_answered_as_by_trying_all_sets(seed: int) -> None:
    """No review mentions anything, so that the collaborative part alone moves: the smallest is found and proven."""
    world = history_world(seed, mentions=False, reviews=(5, 9))
    users, items = (side[world.pairs[0] < 4] for side in world.pairs)
    answers = world.explainer().explain(users, items)
    for row, (user, item) in enumerate(zip(users.tolist(), items.tolist(), strict=True)):
        candidates = world.candidates.of(user)
        margins = float(answers.margin[row]) + np.array([-SURE, SURE])
        known = {world.plain.smallest(user, item, candidates, world.k, margin) for margin in margins}
        if len(known) == 2:
            continue  # a set lies on the boundary
        (size,) = known
        assert answers.status[row] == (Status.CANNOT_FLIP if size is None else Status.EXPLAINED)
        assert size is None or (answers.sizes[row] == size and answers.proof[row] == Proof.SMALLEST)
        assert untrue(world, answers, row) == []


PARTS = {(0, 3): 1.0, (1, 3): 0.9, (2, 3): 1.8, (2, 4): 2.5}
"""What past items give: item 3 has 3.7, item 4 has 2.5, item 5 nothing."""


class TestKnownAnswers:
    """A user has reviewed the items 0, 1 and 2; 3, 4 and 5 compete for a list of one; each review gives its part."""

    def answered(self, parts: dict[tuple[int, int], float], **options: object) -> HistoryAnswers:
        past, items = np.array(list(parts)).T
        known = Interactions([0, 0, 0, 1], [0, 1, 2, 5], 2, 6)
        said = MentionNumbers([1], [5], [0], [1])
        space = AspectSpace.from_mentions(vocabulary("user", 2), vocabulary("item", 6), vocabulary("aspect", 1), said)
        matrix = ItemToItem.of_entries(past, items, np.array(list(parts.values())), 6)
        scorer = HybridScorer(_silent_net(), Collaborative.of(matrix, known))
        lists = rank(scorer, space, Candidates.without(6, [[0, 1, 2], []]), 1)
        explainer = HistoryExplainer(scorer, space, lists, PastReviews.of(known, said, 1), **options)
        return explainer.explain(np.array([0]), lists.items[0, :1])

    def test_two_reviews_that_only_together_suffice(self) -> None:
        """Without 0 the lead is 0.2, without 1 it is 0.3, and without 2 the other item loses more."""
        answers = self.answered(PARTS)
        assert Status(answers.status[0]) is Status.EXPLAINED
        assert answers.removed[0].tolist() == [0, 1]
        assert Proof(answers.proof[0]) is Proof.SMALLEST
        assert (answers.position_before[0], answers.position_after[0], answers.entered[0]) == (1, 2, 4)
        scores = [answers.score_before, answers.target_before, answers.score_after, answers.target_after]
        assert [float(score[0]) for score in scores] == pytest.approx([3.7, 2.5, 1.8, 2.5])
        assert answers.past[0] == 3

    def test_what_no_review_carries_is_proven_to_stay(self) -> None:
        """Nothing gives to any other item, so nothing can pass; with equal scores the smaller number is ahead."""
        answers = self.answered({(0, 3): 1.0})
        assert Status(answers.status[0]) is Status.CANNOT_FLIP
        assert answers.position_after[0] == 1

    def test_a_lead_within_the_margin_is_no_flip(self) -> None:
        close = self.answered({(0, 3): 1.0, (1, 4): 0.5}, margin=0.5)
        far = self.answered({(0, 3): 1.0, (1, 4): 0.5}, margin=10.0)
        assert Status(close.status[0]) is Status.EXPLAINED
        assert Status(far.status[0]) is Status.CANNOT_FLIP


def _silent_net() -> AspectNet:
    """A net that gives every pair 0."""
    return AspectNet(NetWeights(*(Dense(np.zeros(shape), np.zeros(shape[0])) for shape in ((2, 2), (2, 2), (1, 2)))))


def test_answers_do_not_depend_on_what_else_is_asked() -> None:
    world = history_world(3)
    users, items = world.pairs
    together = world.explainer().explain(users, items)
    turned = world.explainer().explain(users[::-1], items[::-1])
    for row in range(len(users)):
        alone = world.explainer().explain(users[[row]], items[[row]])
        for other, at in ((turned, len(users) - 1 - row), (alone, 0)):
            assert together.removed[row].tolist() == other.removed[at].tolist()
            assert (together.status[row], together.proof[row]) == (other.status[at], other.proof[at])
            assert together.sets[row] == other.sets[at]


class TestBudget:
    def test_a_spent_budget_is_said_and_the_best_is_given(self) -> None:
        world = history_world(2, reviews=(6, 9), size=0.5)
        users, items = world.pairs
        whole = world.explainer().explain(users, items)
        hard = np.flatnonzero(whole.sizes > 1)
        few = world.explainer(settings=HistorySettings(sets=3)).explain(users[hard], items[hard])
        assert set(few.status) == {Status.OUT_OF_BUDGET}
        assert (few.sets == 3).all()
        assert all(len(removed) == 1 for removed in few.removed)
        for row in range(len(few)):
            assert untrue(world, few, row) == []

    def test_a_deadline_that_has_passed_leaves_nothing(self) -> None:
        world = history_world(2)
        answers = world.explainer().explain(*world.pairs, budget=Budget(deadline=0.0))
        assert set(answers.status) == {Status.OUT_OF_BUDGET}
        assert not any(len(removed) for removed in answers.removed)

    def test_an_unfinished_proof_is_no_proof(self) -> None:
        found = []
        for seed in range(6):
            world = history_world(seed, reviews=(8, 9), size=0.4)
            answers = world.explainer(settings=HistorySettings(listed=0)).explain(*world.pairs)
            found += [Proof(proof) for proof, size in zip(answers.proof, answers.sizes, strict=True) if size > 2]
        assert Proof.SMALLEST not in found
        assert Proof.IRREDUCIBLE in found


class TestEdges:
    def test_a_user_without_reviews_has_nothing_to_change(self) -> None:
        world = history_world(5)
        reviews = world.past.reviews
        others = reviews.users != 0
        known = Interactions(reviews.users[others], reviews.items[others], reviews.n_users, reviews.n_items)
        mentions = MentionNumbers(*np.array([said for said in world.plain.mentions if said[0] != 0]).T)
        space = world.space
        grown = type(space).from_mentions(space.users, space.items, space.aspects, mentions)
        past = PastReviews.of(known, mentions, 4)
        collaborative = type(world.collaborative).of(world.collaborative.item_to_item, known)
        scorer = type(world.scorer)(world.scorer.aspect_part, collaborative)
        lists = rank(scorer, grown, world.candidates, 3)
        answers = HistoryExplainer(scorer, grown, lists, past).explain(np.array([0]), lists.items[0, :1])
        assert Status(answers.status[0]) is Status.NOTHING_TO_CHANGE
        assert answers.past[0] == 0

    def test_a_review_that_changes_nothing_is_never_named(self) -> None:
        """A scorer of aspects alone does not know of reviews that mention nothing."""
        world = history_world(6)
        net = AspectNet(world.nets[0])
        lists = rank(net, world.space, world.candidates, 3)
        users, items = np.repeat(np.arange(4), 3), lists.items[:4, :3].ravel()
        answers = HistoryExplainer(net, world.space, lists, world.past).explain(users, items)
        for user, removed in zip(users.tolist(), answers.removed, strict=True):
            spoken = {item for who, item, _, _ in world.plain.mentions if who == user}
            assert set(removed.tolist()) <= spoken

    def test_too_few_candidates_leave_no_target(self) -> None:
        world = history_world(7, k=18)
        answers = world.explainer().explain(np.array([4]), world.lists.items[4, :1])
        assert Status(answers.status[0]) is Status.NO_TARGET

    def test_a_ranker_decides_who_leaves(self) -> None:
        world = history_world(8)
        rules = AtMostPerGroup(np.arange(18) % 3, 1)
        lists = rank(world.scorer, world.space, world.candidates, 3, ranker=rules)
        users, items = np.repeat(np.arange(4), 3), lists.items[:4, :3].ravel()
        answers = HistoryExplainer(world.scorer, world.space, lists, world.past).explain(users, items)
        assert answers.explained.any()
        for row in np.flatnonzero(answers.explained).tolist():
            user, candidates = int(users[row]), world.candidates.of(int(users[row]))
            scores = world.plain.scores(user, candidates, answers.removed[row].tolist()).astype(np.float32)
            assert items[row] not in rules.ranked(user, candidates, scores, 3)

    def test_an_item_that_is_not_in_the_list_is_refused(self) -> None:
        world = history_world(9)
        with pytest.raises(InvalidValueError, match="is not in the list of user 0000"):
            world.explainer().explain(np.array([0]), world.lists.items[0, 3:4])

    def test_a_scorer_that_looks_up_more_is_refused(self) -> None:
        world = history_world(9)
        box = Embedded.__new__(Embedded)
        with pytest.raises(UsageError, match="Embedded does not say what it takes from a user's past reviews"):
            HistoryExplainer(box, world.space, world.lists, world.past)

    def test_mentions_that_are_missing_are_noticed(self) -> None:
        world = history_world(9)
        some = MentionNumbers(*np.array([said for said in world.plain.mentions if said[2]]).T)
        past = PastReviews.of(world.past.reviews, some, 4)
        with pytest.raises(InvalidValueError, match="do not hold the mentions"):
            HistoryExplainer(world.scorer, world.space, world.lists, past).explain(*world.pairs)
