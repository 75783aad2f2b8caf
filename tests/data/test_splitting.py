"""The split: whose last reviews go where, in any order of rows."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from counterec.data.prepare import check_threshold, least_reviews, split_reviews
from counterec.errors import ConfigError, InvalidValueError

SCHEMA = {"user_id": pl.String(), "item_id": pl.String(), "time": pl.Datetime("us")}


def reviews_frame(rows: list[tuple[str, str, int | None]]) -> pl.DataFrame:
    timed = [
        (user, item, None if day is None else datetime(2012, 3, 13) + timedelta(days=day)) for user, item, day in rows
    ]
    return pl.DataFrame(timed, SCHEMA, orient="row")


def parts_of(split: pl.DataFrame, user: str) -> dict[str, set[str]]:
    own = split.filter(pl.col("user_id") == user)
    return {part: set(own.filter(pl.col("part") == part)["item_id"]) for part in ("train", "validation", "test")}


def test_times_missing_for_some_count_as_earliest_and_are_counted() -> None:
    rows = [("a", "z", None), ("a", "x", 0), ("a", "y", 1)]
    split, how = split_reviews(reviews_frame(rows), 1, 1, seed=0)
    assert dict(split.select("item_id", "part").rows()) == {"z": "train", "x": "validation", "y": "test"}
    assert how == {"order": "time", "rows_without_time": 1}


def test_without_any_time_the_order_is_drawn_by_seed() -> None:
    rows = [(user, f"i{number}", None) for user in ("a", "b", "c") for number in range(30)]
    split, how = split_reviews(reviews_frame(rows), seed=1)
    assert how == {"order": "seeded draw", "rows_without_time": 90}
    assert_frame_equal(split, split_reviews(reviews_frame(rows), seed=1)[0])
    assert not split.equals(split_reviews(reviews_frame(rows), seed=2)[0])
    assert parts_of(split, "a")["test"] != parts_of(split, "b")["test"]


def test_the_draw_of_a_user_does_not_depend_on_other_users() -> None:
    own = [("a", f"i{number}", None) for number in range(20)]
    others = [("b", f"i{number}", None) for number in range(9)]
    alone, _ = split_reviews(reviews_frame(own), seed=3)
    together, _ = split_reviews(reviews_frame(others + own), seed=3)
    assert parts_of(alone, "a") == parts_of(together, "a")


def test_a_user_with_one_review_is_refused_by_name() -> None:
    rows = [("a", f"i{day}", day) for day in range(8)] + [("b", "i1", 0)]
    with pytest.raises(InvalidValueError, match="user 'b' has 1 reviews and the split needs 7"):
        split_reviews(reviews_frame(rows), seed=0)


def test_a_pair_that_occurs_twice_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="'a' has several reviews of item 'x'"):
        split_reviews(reviews_frame([("a", "x", 0), ("a", "x", 1), ("a", "y", 2)]), 1, 1, seed=0)


def test_least_reviews_and_the_threshold() -> None:
    assert least_reviews(5, 1) == 7
    assert check_threshold(7, 5, 1) is None
    with pytest.raises(ConfigError, match=r"--min-user-reviews 6 leaves users no training review.*pass 7 or more"):
        check_threshold(6, 5, 1)
    with pytest.raises(ConfigError, match="--held-out -1 is negative; pass 0 for none"):
        check_threshold(7, -1, 1)
    assert check_threshold(2, 0, 1) is None
    with pytest.raises(ConfigError, match=r"split\.validation is -1"):
        check_threshold(7, 5, -1)


@settings(deadline=None)
@given(
    st.dictionaries(
        st.text(min_size=1, max_size=3),
        st.dictionaries(st.text(min_size=1, max_size=3), st.none() | st.integers(0, 5), min_size=6, max_size=12),
        min_size=1,
        max_size=4,
    ),
    st.integers(1, 3),
    st.integers(0, 2),
    st.randoms(use_true_random=False),
)
def test_every_user_has_its_parts_and_the_test_is_the_latest(
    days: dict[str, dict[str, int | None]], held_out: int, validation: int, chance: random.Random
) -> None:
    rows = [(user, item, day) for user, items in days.items() for item, day in items.items()]
    split, how = split_reviews(reviews_frame(rows), held_out, validation, seed=7)
    shuffled, _ = split_reviews(reviews_frame(chance.sample(rows, len(rows))), held_out, validation, seed=7)
    assert_frame_equal(split, shuffled)
    for user, items in days.items():
        parts = parts_of(split, user)
        assert [len(parts[part]) for part in ("test", "validation")] == [held_out, validation]
        assert parts["train"] | parts["validation"] | parts["test"] == set(items)
        assert len(parts["train"]) == len(items) - held_out - validation
        if how["order"] == "time":
            order = sorted(items, key=lambda item: (-1 if items[item] is None else items[item], item))
            assert parts["test"] == set(order[-held_out:])
