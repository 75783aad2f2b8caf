"""Shares of praise: what they are worth, what more opinions make of them, and attention relative to everybody's."""

from __future__ import annotations

import numpy as np
import pytest
from tests import naive
from tests.worlds import shares_world, vocabulary

from counterec.core.counted_values import OwnValues, Side
from counterec.core.mention_counts import ItemMentions, MentionNumbers
from counterec.core.opinions import Opinions
from counterec.core.praise_shares import PraiseShares, relative_attention
from counterec.core.space import AspectSpace
from counterec.errors import InvalidValueError


def opinions_of(praises: list[list[int]], complaints: list[list[int]]) -> Opinions:
    return Opinions(np.zeros((1, len(praises[0]))), np.zeros((1, len(praises[0]))), praises, complaints)


class TestQuality:
    opinions = opinions_of([[8, 0], [0, 0], [200, 0]], [[2, 0], [2, 0], [50, 0]])
    shares = PraiseShares.of(opinions)

    def test_a_share_is_drawn_towards_the_mean_by_five_opinions(self) -> None:
        mean = 208 / 262
        expected = [1 + 4 * (p + 5 * mean) / (t + 5) for p, t in ((8, 10), (0, 2), (200, 250))]
        np.testing.assert_allclose(self.shares.quality(self.opinions)[:, 0], expected, rtol=1e-6)
        assert self.shares.quality(self.opinions)[:, 1].tolist() == [0, 0, 0]

    @pytest.mark.parametrize(
        ("mean", "weight", "says"),
        [([1.5], 5, "between 0 and 1"), ([0.5], 0, "must be above 0"), ([[0.5]], 5, "one entry per aspect")],
    )
    def test_what_is_no_share_is_refused(self, mean: list, weight: float, says: str) -> None:
        with pytest.raises(InvalidValueError, match=says):
            PraiseShares(np.array(mean), weight)


class TestValues:
    def test_the_ladder_of_an_aspect_is_that_of_plain_arithmetic(self) -> None:
        for seed in range(3):
            space = shares_world(seed).space
            plain = naive.Shares(space.opinions.item_praises, space.opinions.item_complaints, space.scale.shares.mean)
            for item, aspect in np.ndindex(space.item_quality.shape):
                ladder = space.ladder_of(item, aspect)
                found = dict(zip(ladder.values.tolist(), ladder.balance.tolist(), strict=True))
                assert found == plain.balances(item, aspect, 5.0)

    def test_every_quality_is_on_its_own_ladder(self) -> None:
        space = shares_world(1).space
        balance = space.opinions.item_praises - space.opinions.item_complaints
        for item, aspect in np.argwhere(space.item_quality != 0).tolist():
            ladder = space.ladder_of(item, aspect)
            assert ladder.value(balance[item, aspect]) == space.item_quality[item, aspect]


class TestRelativeAttention:
    def test_it_is_more_where_a_user_speaks_more_of_an_aspect_than_everybody(self) -> None:
        counts = np.array([[6, 2], [2, 6], [0, 4]])
        found = relative_attention(counts)
        expected = 1 + 4 * 6 / (6 + 1 + 8 * 8 / 20)
        assert found[0, 0] == pytest.approx(expected, abs=1e-6)
        assert found[0, 0] > found[1, 0] > 1
        assert found[2, 0] == 0


class TestSpace:
    def of(self, others: ItemMentions | None) -> AspectSpace:
        names = (vocabulary("user", 2), vocabulary("item", 2), vocabulary("aspect", 1))
        mentions = MentionNumbers([0, 1], [0, 1], [0, 0], [1, -1])
        return AspectSpace.from_mentions(*names, mentions, quality_rule="share", of_others=others)

    def test_mentions_of_others_count_for_items_and_not_for_users(self) -> None:
        with_others = self.of(ItemMentions([0, 0, 1], [0, 0, 0], [1, 1, 1]))
        assert with_others.user_attention.tolist() == self.of(None).user_attention.tolist()
        assert with_others.opinions.item_praises.tolist() == [[3], [1]]
        assert with_others.opinions.user_praises.tolist() == self.of(None).opinions.user_praises.tolist()

    def test_a_mention_praises_or_blames(self) -> None:
        with pytest.raises(InvalidValueError, match="must be"):
            ItemMentions([0], [0], [0])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("side", ["left", "right"])
def test_the_rung_of_any_value_is_the_one_that_a_search_through_all_rungs_finds(seed: int, side: Side) -> None:
    """Also at the very rungs, one step of rounding beside them, at both ends and where no opinion moves the value."""
    rng = np.random.default_rng(seed)
    praises, complaints = rng.integers(0, rng.choice([2, 30, 5_000], size=(2, 6, 4)))
    shares = PraiseShares(np.array([0.0, 1.0, rng.random(), rng.random()]))
    counted = OwnValues(shares, praises, complaints, 5.0)
    items, aspects = rng.integers(0, 6, 400), rng.integers(0, 4, 400)
    exact = counted.value(items, aspects, rng.integers(0, counted.last + 1, 400))
    beside = np.nextafter(exact, np.where(rng.random(400) < 0.5, 0, 9), dtype=np.float32)
    free = rng.uniform(0.5, 5.5, 400).astype(np.float32)
    values = np.choose(rng.integers(0, 3, 400), [exact, beside, free])
    found = counted.search(items, aspects, values, side)
    few = [counted.search(items[some], aspects[some], values[some], side) for some in np.split(np.arange(400), 100)]
    assert np.array_equal(np.concatenate(few), found)  # by all rungs, as few values are
    rungs = np.arange(counted.last + 1)
    for item, aspect, value, rung in zip(items, aspects, values, found, strict=True):
        every = counted.value(np.full(len(rungs), item), np.full(len(rungs), aspect), rungs)
        assert rung == np.searchsorted(every, value, side)
