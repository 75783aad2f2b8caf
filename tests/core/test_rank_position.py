"""Rank positions: from the head of a ranking where it decides, and exactly those that scoring everything gives."""

from __future__ import annotations

import numpy as np
import pytest
from tests.worlds import SCORED, WORLDS, random_world, space_of

from counterec.core.candidates import Candidates
from counterec.core.scorers.base import OffsetScorer, PairBatch, Scorer
from counterec.core.scorers.catalogue import catalogue_of
from counterec.core.scorers.rank_position import RankPositions
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import AlignmentScorer
from counterec.core.space import AspectSpace
from counterec.errors import InvalidValueError

pytestmark = pytest.mark.slow


def never() -> Scorer:
    pytest.fail("the head decides: no scorer is needed")


class Everyone:
    """All candidates of a user ranked by this scorer."""

    def __init__(self, scorer: Scorer, space: AspectSpace, candidates: Candidates, user: int) -> None:
        self._space, self._scorer, self._user = space, scorer, user
        ranking = rank(scorer, space, candidates, len(candidates.of(user)), np.array([user]))
        self.order = ranking.items[0, :-1].tolist()
        self.score_of = dict(zip(self.order, ranking.scores[0, :-1].tolist(), strict=True))

    def position_after(self, item: int, quality: np.ndarray, score: float) -> int:
        """One item changed: equal vectors have equal scores where aspects are all that counts, offsets apart."""
        twins = [other for other in self.order if (self._space.item_quality[other] == quality).all()]
        if twins and self._scorer.aspects_only:
            score = self.score_of[twins[0]]
        elif twins and isinstance(self._scorer, OffsetScorer):
            view = catalogue_of(self._scorer.aspect_part, self._space).for_user(self._user)
            shared = view.scores(np.sort(self.order))[np.searchsorted(np.sort(self.order), twins[0])]
            score = shared + self._scorer.offset(np.array([self._user]), np.array([item]))[0]
        own = (-float(np.float32(score)), item)
        return 1 + sum((-self.score_of[other], other) < own for other in self.order if other != item)


@pytest.mark.parametrize("name", SCORED)
@pytest.mark.parametrize("where", [*WORLDS, "random"])
def test_heads_of_any_depth_give_the_positions_among_all(where, name):
    world = random_world(3, users=4) if where == "random" else WORLDS[where](3)
    space, candidates = world.space, world.candidates
    scorer, random = SCORED[name](world, 3).scorer, np.random.default_rng(3)
    by_depth = [RankPositions(lambda: scorer, space, rank(scorer, space, candidates, depth)) for depth in (1, 3, 30)]
    for user in range(4):
        everyone = Everyone(scorer, space, candidates, user)
        for item in everyone.order:
            own, other = space.item_quality[item], space.item_quality[random.choice(everyone.order)]
            for quality in (own, other, own * 0, np.where(random.random(len(own)) < 0.5, own, 0)):
                pair = PairBatch.for_user(space, user, np.array([item]), quality[None])
                # With an offset, the score of a twin is neither the item's nor any that could be given instead.
                anything = [] if isinstance(scorer, OffsetScorer) else [random.choice(list(everyone.score_of.values()))]
                for score in (float(scorer.score(pair)[0]), *anything):
                    expected = everyone.position_after(item, quality, score)
                    assert [positions.after(user, item, quality, score) for positions in by_depth] == [expected] * 3
            place = 1 + everyone.order.index(item)
            assert [positions.before(user, item) for positions in by_depth] == [place] * 3


class TestByHand:
    """Six items that score 9, 7, 5, 5, 3, 1 for the one user; the head holds the first three of them."""

    space = space_of([[1, 1]], [[5, 4], [5, 2], [4, 1], [1, 4], [2, 1], [1, 0]])
    everyone = Candidates.without(6, [[]])
    nowhere = np.array([2.5, 2.5])
    """Qualities that no item has."""

    def positions(self, load=never, scorer: Scorer | None = None) -> RankPositions:
        return RankPositions(load, self.space, rank(scorer or AlignmentScorer(), self.space, self.everyone, 2))

    def test_before(self):
        assert [self.positions().before(0, item) for item in (0, 1, 2)] == [1, 2, 3]
        assert self.positions(AlignmentScorer).before(0, 4) == 5

    @pytest.mark.parametrize(
        ("item", "score", "expected"),
        [
            (5, 10.0, 1),
            (5, 9.0, 2),  # ties with item 0, which precedes it
            (5, 5.5, 3),
            (0, 8.0, 1),
            (0, 6.0, 2),  # item 1 has moved up
            (0, 5.0, 2),  # ties with items 2 and 3, which it precedes
            (2, 5.0, 3),
        ],
    )
    def test_the_head_decides(self, item, score, expected):
        assert self.positions().after(0, item, self.nowhere, score) == expected

    @pytest.mark.parametrize(
        ("item", "score", "expected"),
        [
            (5, 5.0, 5),  # items 2 and 3 precede it, and only the first of them is in the head
            (3, 5.0, 4),
            (0, 4.0, 4),
            (0, 0.0, 6),
            (4, 5.0, 5),
        ],
    )
    def test_the_head_does_not_decide(self, item, score, expected):
        asked = []

        def load() -> Scorer:
            asked.append(item)
            return AlignmentScorer()

        positions = self.positions(load)
        assert positions.after(0, item, self.nowhere, score) == expected
        assert positions.after(0, item, self.nowhere, score) == expected
        assert asked == [item], "the scorer is loaded once"

    def test_a_twin_in_the_head_lends_its_score(self):
        """Item 5 takes the vector of item 1, by a batch that makes 7 a little more or much less of it."""
        for score in (7.00001, 7.0):
            assert self.positions(AlignmentScorer).after(0, 5, self.space.item_quality[1], score) == 3
        assert self.positions().after(0, 5, self.space.item_quality[1], 7.0) == 3
        assert self.positions().after(0, 5, self.space.item_quality[1], 6.5) == 3, "either score leads to third place"
        assert self.positions(AlignmentScorer).after(0, 0, self.space.item_quality[1], 7.00001) == 1
        assert self.positions(AlignmentScorer).after(0, 5, self.space.item_quality[1], 0.5) == 3

    def test_a_twin_behind_the_head_lends_its_score(self):
        assert self.positions(AlignmentScorer).after(0, 0, self.space.item_quality[4], 8.0) == 4

    def test_where_more_than_aspects_counts_a_twin_lends_nothing(self):
        class Numbered(AlignmentScorer):
            def score(self, pairs: PairBatch) -> np.ndarray:
                return super().score(pairs) - 10 * (pairs.items == 1)

        scorer = Numbered(aspects_only=False)
        positions = self.positions(lambda: scorer, scorer)
        assert positions.after(0, 5, self.space.item_quality[1], 7.0) == 2

    def test_a_head_that_holds_everybody_always_decides(self):
        lists = rank(AlignmentScorer(), self.space, self.everyone, 8)
        positions = RankPositions(never, self.space, lists)
        assert [positions.after(0, 0, self.nowhere, score) for score in (9, 4, 0)] == [1, 4, 6]
        assert positions.before(0, 5) == 6

    def test_a_user_without_a_ranking(self):
        with pytest.raises(InvalidValueError, match="no ranking of user 3"):
            self.positions().before(3, 0)
