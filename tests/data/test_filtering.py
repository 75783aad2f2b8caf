"""Filtering: which reviews and mentions are kept, in any order of rows."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from counterec.data.prepare import filtered_mentions, filtered_reviews
from counterec.data.readers import MENTION_ROWS
from counterec.data.tables import MENTIONS, REVIEWS
from counterec.errors import EmptyDataError

Review = tuple[str, str, int | None, float | None, str | None]

DAY = datetime(2012, 3, 13)


def reviews_frame(rows: list[Review]) -> pl.DataFrame:
    timed = [(user, item, None if day is None else DAY + timedelta(days=day), *rest) for user, item, day, *rest in rows]
    return pl.DataFrame(timed, dict(REVIEWS), orient="row")


def mentions_frame(rows: list[tuple[str, str, int | None, str, int, float | None]]) -> pl.DataFrame:
    values = [
        (user, item, None if day is None else DAY + timedelta(days=day), aspect, None, sentiment, *[None] * 6, rating)
        for user, item, day, aspect, sentiment, rating in rows
    ]
    return pl.DataFrame(values, dict(MENTION_ROWS), orient="row")


def filtered(rows: list[Review], min_reviews: int = 1, least: int = 1) -> tuple[list[Review], dict[str, int]]:
    lazy, counts = filtered_reviews(reviews_frame(rows).lazy(), min_reviews, least)
    frame = lazy.collect()
    assert dict(frame.schema) == dict(REVIEWS)
    days = frame.with_columns((pl.col("time") - DAY).dt.total_days())
    return days.rows(), counts


def test_only_the_latest_review_of_an_item_is_kept() -> None:
    rows, counts = filtered([("a", "x", 1, 5.0, "new"), ("a", "x", 0, 1.0, "old"), ("a", "y", 0, 2.0, None)])
    assert rows == [("a", "y", 0, 2.0, None), ("a", "x", 1, 5.0, "new")]
    assert counts == {
        "reviews_read": 3,
        "earlier_reviews_dropped": 1,
        "items_read": 2,
        "items_dropped": 0,
        "users_read": 1,
        "users_dropped": 0,
        "users": 1,
        "items": 2,
        "reviews": 2,
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("a", "x", 0, 1.0, "b"), ("a", "x", None, 5.0, "z")),  # no time is the earliest
        (("a", "x", 0, 2.0, "b"), ("a", "x", 0, 1.0, "z")),  # the higher rating
        (("a", "x", 0, 2.0, "b"), ("a", "x", 0, None, "z")),
        (("a", "x", 0, 2.0, "b"), ("a", "x", 0, 2.0, "a")),  # the later text
        (("a", "x", None, None, "b"), ("a", "x", None, None, None)),
    ],
)
def test_ties_and_missing_times_are_decided_by_the_content(one: Review, other: Review) -> None:
    assert filtered([one, other])[0] == filtered([other, one])[0] == [one]


def test_users_with_too_few_reviews_are_dropped_and_earlier_reviews_do_not_count() -> None:
    again = [("b", "x", day, None, None) for day in range(5)]
    rows, counts = filtered([("a", "x", 0, None, None), ("a", "y", 1, None, None), *again], min_reviews=2)
    assert [row[:2] for row in rows] == [("a", "x"), ("a", "y")]
    assert (counts["users_read"], counts["users_dropped"], counts["users"]) == (2, 1, 1)
    assert (counts["items"], counts["reviews"], counts["earlier_reviews_dropped"]) == (2, 2, 4)


def test_if_nobody_is_left_the_error_names_the_threshold_and_suggests_another() -> None:
    rows: list[Review] = [("a", f"i{n}", n, None, None) for n in range(8)] + [("b", "x", 0, None, None)]
    with pytest.raises(EmptyDataError) as caught:
        filtered(rows, min_reviews=10, least=7)
    assert str(caught.value) == (
        "no user is left with --min-user-reviews 10: the most active of 2 users has 8 reviews; try --min-user-reviews 8"
    )
    assert filtered(rows, min_reviews=8, least=7)[1]["users"] == 1


def test_a_threshold_that_the_split_refuses_is_never_suggested() -> None:
    with pytest.raises(EmptyDataError, match=r"users has 1, and the split needs 7 per user; add more") as caught:
        filtered([("a", "x", 0, None, None), ("b", "x", 0, None, None)], min_reviews=10, least=7)
    assert "try" not in str(caught.value)


FEW = st.sampled_from
REVIEWS_OF_FEW = st.lists(
    st.tuples(FEW("ab"), FEW("xyz"), FEW([None, 0, 1]), FEW([None, 1.0, 2.0]), st.none() | st.text("ab é", max_size=2)),
    min_size=1,
    max_size=30,
)


def latest_by_hand(rows: list[Review]) -> list[Review]:
    """The same by sorting; None is lowest."""

    def rank(row: Review) -> tuple[tuple[bool, object], ...]:
        return tuple((value is not None, 0 if value is None else value) for value in row[2:])

    latest = {row[:2]: row for row in sorted(rows, key=rank)}
    return sorted(latest.values(), key=lambda row: (row[0], row[2] is not None, row[2] or 0, row[1]))


@given(REVIEWS_OF_FEW, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_sorting_by_hand_keeps_the_same_in_any_order_of_rows(rows: list[Review], chance: random.Random) -> None:
    shuffled = chance.sample(rows, len(rows))
    assert filtered(rows)[0] == filtered(shuffled)[0] == latest_by_hand(rows)
    assert filtered(rows)[1] == filtered(shuffled)[1]


def test_mentions_of_an_earlier_review_are_dropped_with_it() -> None:
    frame = mentions_frame(
        [
            ("a", "x", 1, "battery", 1, 4.0),
            ("a", "x", 1, "battery", 1, 4.0),
            ("a", "x", 1, "screen", -1, 4.0),
            ("a", "x", 0, "price", 1, 2.0),
            ("a", "x", None, "price", 1, 5.0),
            ("a", "y", None, "price", -1, None),
            ("b", "x", 0, "price", -1, None),
        ]
    )
    reviews, mentions, counts = filtered_mentions(frame.lazy(), 2, 1)
    assert dict(mentions.collect_schema()) == dict(MENTIONS)
    expected = [("a", "y", None, None, None), ("a", "x", 1, 4.0, None)]
    assert_frame_equal(reviews.collect(), reviews_frame(expected))
    kept = mentions.select("item_id", "aspect", "sentiment").collect().rows()
    assert kept == [("y", "price", -1), ("x", "battery", 1), ("x", "battery", 1), ("x", "screen", -1)]
    assert counts == {
        "reviews_read": 5,
        "earlier_reviews_dropped": 2,
        "items_read": 2,
        "items_dropped": 0,
        "users_read": 2,
        "users_dropped": 1,
        "users": 1,
        "items": 2,
        "reviews": 2,
        "mentions_read": 7,
        "mentions": 4,
    }


@given(
    st.lists(
        st.tuples(FEW("ab"), FEW("xy"), FEW([None, 0, 1]), FEW("pq"), FEW([-1, 1]), FEW([None, 1.0, 2.0])), min_size=1
    ),
    st.randoms(use_true_random=False),
)
@settings(deadline=None)
def test_mentions_come_out_the_same_in_any_order_of_rows(rows: list, chance: random.Random) -> None:
    one = filtered_mentions(mentions_frame(rows).lazy(), 1, 1)
    other = filtered_mentions(mentions_frame(chance.sample(rows, len(rows))).lazy(), 1, 1)
    assert_frame_equal(one[0].collect(), other[0].collect())
    assert_frame_equal(one[1].collect(), other[1].collect())
    assert one[2] == other[2]
    latest = {(user, item): -1 for user, item, *_ in rows}
    for user, item, day, *_ in rows:
        latest[user, item] = max(latest[user, item], -1 if day is None else day)
    staying = [row for row in rows if latest[row[:2]] == (-1 if row[2] is None else row[2])]
    assert one[1].collect().height == len(staying)
    assert one[0].collect().height == len(latest)
