import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests import naive
from tests.worlds import random_world

from counterec.core.arrays import FloatVector
from counterec.core.candidates import Candidates, catalogue_candidates, sampled_candidates
from counterec.core.evaluation.quality import ranking_quality
from counterec.core.explainers.question_builders import why
from counterec.core.explainers.tolerances import margin_of
from counterec.core.interactions import Interactions, draw_outside
from counterec.core.lists import Recommendations
from counterec.core.scorers.base import PairBatch, first_in_order
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.errors import InvalidValueError


@given(st.lists(st.sampled_from([0.0, 1.0, 2.0]), max_size=30), st.integers(1, 8))
def test_order_is_by_score_then_number(scores, count):
    numbers = np.arange(len(scores))[::-1].copy()
    found = first_in_order(np.array(scores, dtype=np.float32), numbers, count)
    assert numbers[found].tolist() == naive.order(np.array(scores), numbers)[:count]


@pytest.mark.parametrize("seed", range(8))
def test_lists_are_what_plain_arithmetic_says(seed):
    world = random_world(seed)
    lists = rank(AspectNet(world.weights), world.space, world.candidates, k=4)
    for user, items, scores in zip(lists.users, lists.items, lists.scores, strict=True):
        own = world.candidates.of(user)
        exact = naive.shared_scores(
            world.weights.named(), world.space.user_attention[user], world.space.item_quality[own]
        )
        expected = naive.order(exact, own)[:5]
        assert items.tolist() == expected
        by_number = dict(zip(own.tolist(), exact, strict=True))
        np.testing.assert_allclose(scores, [by_number[item] for item in expected], atol=1e-4)
        row = int(np.flatnonzero(lists.users == user)[0])
        np.testing.assert_allclose(lists.spread[row], exact.std(), rtol=1e-4)
        np.testing.assert_allclose(lists.largest[row], np.abs(exact).max(), rtol=1e-4)
        margin = why(world.space, lists.rows(np.array([row]))).margin
        np.testing.assert_allclose(margin, naive.margin_of(exact), rtol=1e-4)
        wide = why(world.space, lists.rows(np.array([row])), margin=0.3).margin
        np.testing.assert_allclose(wide, 0.3 * exact.std(), rtol=1e-4)


def test_a_margin_is_what_single_precision_can_tell_apart_where_scores_hardly_differ():
    spread, largest = np.float32([0, 1e-3, 2, 0]), np.float32([50, 50, 50, 0])
    unit = 50 * 2.0**-23
    np.testing.assert_allclose(margin_of(spread, largest), [16 * unit, 16 * unit, 2e-4, 0], rtol=1e-6)
    np.testing.assert_allclose(margin_of(spread, largest, 0.1), [16 * unit, 1e-4, 0.2, 0], rtol=1e-6)


def test_equal_vectors_get_equal_scores():
    world = random_world(3, items=60)
    everyone = Candidates.without(60, [[]] * len(world.space.users))
    lists = rank(AspectNet(world.weights), world.space, everyone, k=59)
    for items, scores in zip(lists.items, lists.scores, strict=True):
        seen: dict[bytes, float] = {}
        for item, score in zip(items, scores, strict=True):
            vector = world.space.item_quality[item].tobytes()
            assert seen.setdefault(vector, score) == score
    assert len(seen) < 60


def test_order_of_users_and_threads_change_nothing():
    world = random_world(5, users=20, items=80)
    net = AspectNet(world.weights)
    lists = rank(net, world.space, world.candidates, k=5)
    threads = torch.get_num_threads()
    try:
        torch.set_num_threads(1 if threads > 1 else 2)
        backwards = rank(net, world.space, world.candidates, 5, users=np.arange(20)[::-1])
    finally:
        torch.set_num_threads(threads)
    np.testing.assert_array_equal(lists.items, backwards.items[::-1])
    np.testing.assert_allclose(lists.scores, backwards.scores[::-1], atol=1e-4)


class _Fixed:
    """Scores an item by a table, whatever its aspects."""

    aspects_only = False

    def __init__(self, table: list[float]) -> None:
        self.table = np.array(table, dtype=np.float32)

    def score(self, pairs: PairBatch) -> FloatVector:
        return self.table[pairs.items]


def test_a_scorer_that_uses_more_than_aspects_is_asked_for_every_item():
    world = random_world(3, items=6)
    lists = rank(_Fixed([1, 5, 3, 3, 0, 4]), world.space, Candidates.without(6, [[]] * 6), k=5)
    assert lists.items[0].tolist() == [1, 5, 2, 3, 0, 4]


def test_nan_is_refused():
    world = random_world(3, items=6)
    with pytest.raises(InvalidValueError, match="NaN"):
        rank(_Fixed([1, np.nan, 3, 3, 0, 4]), world.space, Candidates.without(6, [[]] * 6), k=5)


class TestInteractions:
    parts = Interactions([1, 0, 0, 1], [2, 3, 1, 2], n_users=3, n_items=4)

    def test_are_sorted_and_distinct(self):
        assert self.parts.users.tolist() == [0, 0, 1]
        assert self.parts.of(0).tolist() == [1, 3]
        assert self.parts.of(2).tolist() == []
        assert self.parts.contain(np.array([0, 0, 1]), np.array([1, 2, 2])).tolist() == [True, False, True]

    def test_drawing_avoids_what_was_touched(self):
        users = np.repeat([0, 1], 500)
        drawn = draw_outside(self.parts, users, np.random.default_rng(0))
        assert set(drawn[:500]) == {0, 2}
        assert set(drawn[500:]) == {0, 1, 3}

    def test_who_touched_everything_gets_nothing(self):
        full = Interactions([0, 0], [0, 1], n_users=1, n_items=2)
        assert draw_outside(full, np.array([0, 0]), np.random.default_rng(0)).tolist() == [-1, -1]

    def test_catalogue_candidates_leave_out_what_was_touched(self):
        assert catalogue_candidates(self.parts).of(0).tolist() == [0, 2]

    def test_sampled_candidates_hold_the_test_items_and_strangers(self):
        touched = Interactions([0, 1], [0, 1], n_users=2, n_items=30)
        test = Interactions([0, 0, 1], [5, 6, 7], n_users=2, n_items=30)
        drawn = sampled_candidates(test, touched, ("a", "b"), seed=1, negatives=10)
        assert len(drawn.of(0)) == 12
        assert {5, 6} <= set(drawn.of(0))
        assert 0 not in drawn.of(0)

    def test_a_user_s_sample_depends_on_the_id_alone(self):
        touched, test = Interactions([], [], 2, 50), Interactions([0, 1], [5, 5], 2, 50)
        both = sampled_candidates(test, touched, ("a", "b"), seed=1, negatives=10)
        swapped = sampled_candidates(test, touched, ("b", "a"), seed=1, negatives=10)
        assert both.of(0).tolist() == swapped.of(1).tolist()
        assert both.of(0).tolist() != both.of(1).tolist()


def test_ranking_quality_by_hand():
    lists = Recommendations(
        [0, 1, 2], [[4, 1, 2], [0, 1, 2], [0, 1, 2]], [[3, 2, 1]] * 3, 2, Candidates.without(5, [[]] * 3)
    )
    held_out = Interactions([0, 0, 0, 1], [1, 3, 2, 4], n_users=3, n_items=5)
    found = ranking_quality(lists, held_out)
    # User 0: a hit in second place, three relevant, ideal is two hits; user 1: no hit; user 2 has nothing held out.
    ndcg = (1 / np.log2(3)) / (1 + 1 / np.log2(3))
    assert found.ndcg.cases == 2
    assert found.ndcg.value == pytest.approx(ndcg / 2)
    assert found.recall.value == pytest.approx((1 / 3) / 2)
    assert found.hit_rate.value == pytest.approx(1 / 2)
