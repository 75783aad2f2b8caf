"""The change of one aspect: how it is judged on its scale, and with how many digits it is shown."""

from __future__ import annotations

import re
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from counterec.errors import InvalidValueError
from counterec.wording import SLIGHT, Change
from counterec.wording.change import meant_value
from tests.wording.records import COMPLAINTS, FIRST_PRAISES, GONE, LADDER, NEW, PRAISES, SILENCE, WORSE, counted
from tests.worlds import figure_one


def battery(before: float, after: float, **scale: Any) -> Change:
    return Change("battery", before, after, **scale)


def refused(problem: str) -> Any:
    return pytest.raises(InvalidValueError, match=re.escape(problem))


def test_it_checks_itself() -> None:
    with refused("a change names no aspect"):
        Change("", 3.0, 2.0)
    with refused("battery is 3.0 before and after: that is no change"):
        battery(3.0, 3.0)
    with refused("span of battery is 0; it must be above 0"):
        battery(3.0, 2.0, span=0)
    with refused("battery ends at 2.0, but the value to take is 2.5"):
        battery(3.0, 2.0, other=2.5)
    assert battery(3.0, 2.0, other=2.0 + 1e-7).other is not None


def test_slight_is_under_a_quarter_of_the_scale() -> None:
    assert SLIGHT == 0.25
    assert battery(4.0, 3.01).slight
    assert not battery(4.0, 3.0).slight
    assert battery(4.0, 2.0, span=10).slight
    assert not battery(0.9, 0.6, span=1).slight
    assert battery(3.0, 3.99).degree == "slightly_better"
    assert battery(3.0, 4.0).degree == "better"


def test_absent_is_what_the_scale_says() -> None:
    assert battery(3.0, -1.0, absent=-1.0).removed
    assert not battery(3.0, 0.0, absent=-1.0).removed
    assert battery(0.0, 3.0).added
    assert not battery(0.0, 3.0, absent=-1.0).added
    assert [change.moved for change in (GONE, NEW, WORSE)] == [False, False, True]


def test_as_few_digits_as_it_takes() -> None:
    assert battery(3.0, 2.1).shown() == ("3.0", "2.1")
    assert battery(3.0, 2.98).shown() == ("3.00", "2.98")
    assert battery(3.0, 2.9999).shown() == ("3.0000", "2.9999")
    least = float(np.nextafter(np.float32(3), np.float32(0)))
    assert battery(3.0, least).shown() == ("3.0000000", "2.9999998")
    assert battery(3.0, 2.1).shown(digits=2) == ("3.00", "2.10")
    assert battery(3.0, 1e-20).shown() == ("3.0", "0.0")
    assert battery(1e-30, 2e-30).shown() == (f"{0:.17f}", f"{0:.17f}")


@given(st.floats(-5, 5, width=32), st.floats(-5, 5, width=32), st.integers(1, 4))
def test_two_numbers_that_differ_are_shown_to_differ(before: float, after: float, digits: int) -> None:
    assume(abs(before - after) > 1e-15)
    first, second = battery(before, after).shown(digits)
    assert first != second
    assert float(first) == pytest.approx(before, abs=10.0**-digits)
    assert float(second) == pytest.approx(after, abs=10.0**-digits)
    assert "-0.0" not in (first, second)


def test_what_it_takes_in_reviews() -> None:
    assert (COMPLAINTS.opinions, COMPLAINTS.more) == (16, -3)
    assert (PRAISES.opinions, PRAISES.more) == (6, 2)
    assert (FIRST_PRAISES.opinions, FIRST_PRAISES.more) == (0, 2)
    assert (SILENCE.opinions, SILENCE.more, SILENCE.counted) == (16, None, True)
    assert (WORSE.opinions, WORSE.more, WORSE.counted, GONE.counted) == (None, None, False, False)
    between = battery(3.0, 2.5, praises=4, complaints=4)
    assert (between.opinions, between.more, between.counted) == (8, None, False)


@pytest.mark.parametrize(
    ("counts", "problem"),
    [
        ({"praises": 3}, "battery has 3 praises and None complaints: both are known, or neither is"),
        ({"praises": -1, "complaints": 2}, "battery has -1 praises and 2 complaints: a count is 0 or more"),
        ({"praises": 0, "complaints": 0}, "only what nobody has reviewed is absent"),
        ({"praises": 2, "complaints": 2, "balance_after": 1}, "1 more praises than complaints do not lead to 2.1"),
        ({"praises": 2, "complaints": 2, "balance_after": 0}, "0 more praises than complaints do not lead to 2.1"),
    ],
)
def test_counts_that_contradict_the_values_are_refused(counts: dict[str, int], problem: str) -> None:
    with refused(problem):
        battery(3.0, 2.1, **counts)


# Printed values: what is shown is read again as the same value.

SPACE = figure_one()


@pytest.mark.parametrize(
    ("shown", "balance"),
    [(2.1, -1), (2.08, -1), (2.0758, -1), (1.5, -2), (1.2, -3), (3.0, 0), (3.9, 1), (4.5, 2), (4.97, 5), (4.99, 6)],
)
def test_a_printed_value_is_the_one_it_stands_for(shown: float, balance: int) -> None:
    assert meant_value(SPACE, shown) == float(LADDER.value(balance))


@pytest.mark.parametrize("value", [2.0, 2.2, 2.5, 4.0, 2.07, 9.0, -1.0, 0.5, inf])
def test_what_stands_for_no_value_is_taken_as_it_is(value: float) -> None:
    assert meant_value(SPACE, value) == value


@given(st.integers(0, 40), st.integers(0, 40), st.integers(-20, 20))
def test_what_a_change_shows_is_what_it_means(praises: int, complaints: int, balance: int) -> None:
    if not praises + complaints or LADDER.value(praises - complaints) == LADDER.value(balance):
        return
    change = counted("battery", praises, complaints, balance)
    before, after = change.shown()
    assert before != after
    assert np.float32(meant_value(SPACE, float(after))) == np.float32(change.after)
