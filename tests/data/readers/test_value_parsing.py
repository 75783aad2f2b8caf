"""Single values of a file: what each parser accepts, and what it refuses."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterec.data.values import aspect, clean, identifier, moment, number, sentiment

MARCH_13 = 1_331_596_800  # 2012-03-13 00:00:00 UTC, in seconds


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (MARCH_13, MARCH_13),
        (float(MARCH_13), MARCH_13),
        (str(MARCH_13), MARCH_13),
        (MARCH_13 * 1000, MARCH_13),
        ("2012-03-13", MARCH_13),
        ("2012-03-13 00:00:30", MARCH_13 + 30),
        ("2012-03-13T02:00:00+02:00", MARCH_13),
        ("2012-03-13T00:00:00Z", MARCH_13),
        (" 03 13, 2012 ", MARCH_13),
        ("03 5, 2012", MARCH_13 - 8 * 86_400),
        (date(2012, 3, 13), MARCH_13),
        (datetime(2012, 3, 13), MARCH_13),
        (datetime(2012, 3, 13, 2, tzinfo=timezone(timedelta(hours=2))), MARCH_13),
        (-86_400, -86_400),
        (0, 0),
    ],
)
def test_a_time_is_read_as_utc(value: object, seconds: int) -> None:
    assert moment(value) == seconds * 1_000_000


@pytest.mark.parametrize(
    "value", ["yesterday", "2012-13-01", True, [2012], float("nan"), 1e300, "0001-01-01T00:00:00+14:00"]
)
def test_anything_else_is_not_a_time(value: object) -> None:
    assert moment(value) is None


@given(st.datetimes())
def test_every_datetime_survives_as_object_and_as_text(time: datetime) -> None:
    microseconds = moment(time)
    assert microseconds is not None
    assert datetime(1970, 1, 1) + timedelta(microseconds=microseconds) == time
    assert moment(time.isoformat()) == microseconds


@pytest.mark.parametrize(
    ("value", "text"),
    [("  A1 ", "A1"), (12, "12"), (12.0, "12"), (12.5, "12.5"), ("12.0", "12.0"), ("007", "007"), (0, "0")],
)
def test_an_id_becomes_text(value: object, text: str) -> None:
    assert identifier(value) == text


@pytest.mark.parametrize("value", [None, "", "  ", True, float("nan"), float("inf"), [], {}, 10**400])
def test_anything_else_is_not_an_id(value: object) -> None:
    assert identifier(value) is None


@pytest.mark.parametrize(("value", "meant"), [("3,5", 3.5), (" 4,25 ", 4.25), ("4.5", 4.5), (4, 4.0)])
def test_a_number_may_have_a_decimal_comma(value: object, meant: float) -> None:
    assert number(value) == meant


@pytest.mark.parametrize("value", ["five", "nan", "inf", True, None, [5], 10**400, "1,000", "1,2,3", ",5"])
def test_anything_else_is_not_a_number(value: object) -> None:
    assert number(value) is None


def test_a_number_may_be_written_as_text() -> None:
    assert number(" 4.5 ") == 4.5


@pytest.mark.parametrize("value", [1, 1.0, "1", "+1", "1.0", "positive", " Positive ", "POS"])
def test_positive_sentiments(value: object) -> None:
    assert sentiment(value) == 1


@pytest.mark.parametrize("value", [-1, -1.0, "-1", "-1.0", "negative", " Negative ", "neg"])
def test_negative_sentiments(value: object) -> None:
    assert sentiment(value) == -1


@pytest.mark.parametrize("value", [0, 2, "0", "neutral", "", None, True, 0.5])
def test_anything_else_is_not_a_sentiment(value: object) -> None:
    assert sentiment(value) is None


@pytest.mark.parametrize("value", [None, "", " ", "...", "-", "!?", "_"])
def test_an_aspect_needs_a_letter_or_digit(value: object) -> None:
    assert aspect(value) is None


@pytest.mark.parametrize(("value", "name"), [(" battery life", "battery life"), (7, "7"), ("écran", "écran")])
def test_aspects(value: object, name: str) -> None:
    assert aspect(value) == name


@given(st.text(st.characters(exclude_categories=[]) | st.just("\0")))
def test_a_cleaned_text_can_be_stored_and_a_good_one_is_unchanged(text: str) -> None:
    cleaned = clean(text)
    assert "\0" not in cleaned
    assert cleaned.encode().decode() == cleaned
    if text == cleaned:
        assert cleaned is text
