"""Opinions: the values that praises and complaints give, and the balance behind each."""

from __future__ import annotations

import numpy as np
import pytest
from tests import naive
from tests.worlds import counted_world, vocabulary

from counterec.core.mention_counts import MentionNumbers
from counterec.core.opinions import Ladder, Opinions, quality
from counterec.core.scale import AspectScale
from counterec.core.space import AspectSpace
from counterec.errors import InvalidValueError

LADDER = Ladder.of_reviews()


class TestLadder:
    @pytest.mark.parametrize("ceiling", [5.0, 10.0, 2.0, 100.0])
    def test_they_are_the_same_by_plain_arithmetic(self, ceiling: float) -> None:
        ladder = Ladder.of_reviews(ceiling)
        assert dict(zip(ladder.values.tolist(), ladder.balance.tolist(), strict=True)) == naive.balances(ceiling)

    def test_of_balances_that_give_one_value_the_nearest_to_0_stands_for_all(self) -> None:
        assert LADDER.value(-17) == LADDER.value(-18) == quality([1], [-18])[0]
        assert LADDER.balance_of(LADDER.value([-40, -18, -17, 17, 40])).tolist() == [-19, -17, -17, 17, 17]

    def test_a_printed_value_stands_for_the_one_next_to_it(self) -> None:
        assert LADDER.balance_of([3.92, 4.5, 2.1, 1.48, 3.01, 0.2, 7]).tolist() == [1, 2, -1, -2, 0, -19, 17]

    @pytest.mark.parametrize(
        ("balance", "values", "says"),
        [
            ([0, 1], [3.0], "ladder.values has shape"),
            ([0, 1], [3.0, 3.0], "ladder.values must grow"),
            ([1, 0], [3.0, 4.0], "ladder.balance must grow"),
            ([0], [np.nan], "finite"),
            ([], [], "at least one value"),
        ],
    )
    def test_a_ladder_that_is_none_is_refused(self, balance: list[int], values: list[float], says: str) -> None:
        with pytest.raises(InvalidValueError, match=says):
            Ladder(balance, values)

    def test_it_belongs_to_a_scale_that_rises_with_praise(self) -> None:
        ends = {"low": [1.0], "high": [5.0], "is_category": [False], "ladder": LADDER}
        AspectScale(low_is_worse=[True], absent=[0], **ends)
        for wrong in ({"low_is_worse": [False], "absent": [0]}, {"low_is_worse": [True], "absent": [9]}):
            with pytest.raises(InvalidValueError, match="rise with praise"):
                AspectScale(**wrong, **ends)


class TestOpinions:
    def test_they_are_counted_by_user_and_by_item(self) -> None:
        users, items, aspects, sentiments = np.array(
            [(0, 0, 0, 1), (0, 0, 0, 1), (1, 0, 0, -1), (1, 2, 1, -1), (1, 2, 1, -1)]
        ).T
        space = AspectSpace.from_mentions(
            *(vocabulary("user", 2), vocabulary("item", 3), vocabulary("aspect", 2)),
            MentionNumbers(users, items, aspects, sentiments),
        )
        assert space.opinions is not None
        assert space.opinions.user_praises.tolist() == [[2, 0], [0, 0]]
        assert space.opinions.user_complaints.tolist() == [[0, 0], [1, 2]]
        assert space.opinions.item_praises.tolist() == [[2, 0], [0, 0], [0, 0]]
        assert space.opinions.item_complaints.tolist() == [[1, 0], [0, 0], [0, 2]]

    def test_every_quality_is_the_value_of_its_balance(self) -> None:
        for seed in range(4):
            space = counted_world(seed).space
            assert space.opinions is not None
            praises, complaints = space.opinions.item_praises, space.opinions.item_complaints
            for place in np.ndindex(space.item_quality.shape):
                reviewed = naive.reviewed(int(praises[place] - complaints[place]))
                assert space.item_quality[place] == (reviewed if praises[place] + complaints[place] else 0)
            assert ((praises - complaints) > 17).any()

    def test_counts_are_not_below_0(self) -> None:
        good, bad = np.zeros((1, 2)), np.array([[0, -1]])
        with pytest.raises(InvalidValueError, match="complaints of items are counts"):
            Opinions(good, good, good, bad)
        with pytest.raises(InvalidValueError, match="user_complaints has shape"):
            Opinions(good, good[:0], good, good)

    def test_they_are_about_the_same_users_items_and_aspects(self) -> None:
        space = counted_world(0).space
        assert space.opinions is not None
        few = Opinions(*(getattr(space.opinions, name)[:2] for name in ("user_praises", "user_complaints")),
                       *(getattr(space.opinions, name) for name in ("item_praises", "item_complaints")))  # fmt: skip
        with pytest.raises(InvalidValueError, match="user_praises has shape"):
            AspectSpace(
                space.users, space.items, space.aspects, space.user_attention, space.item_quality, space.scale, few
            )
