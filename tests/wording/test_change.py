"""The change of one aspect: how it is judged on its scale, and with how many digits it is shown."""

from __future__ import annotations

import re
from math import inf, isnan, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from counterec.core.opinions import Ladder
from counterec.core.scale import AspectScale
from counterec.errors import InvalidValueError
from counterec.wording import SLIGHT, Change
from counterec.wording.change import apart, meant_value, telling_digits, whole
from tests.wording.records import COMPLAINTS, FIRST_PRAISES, GONE, LADDER, NEW, PRAISES, SILENCE, WORSE, counted
from tests.worlds import figure_one, space_of


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


@pytest.mark.parametrize("name", ["before", "after", "span", "absent", "low"])
@pytest.mark.parametrize("value", [nan, inf])
def test_its_numbers_are_finite(name: str, value: float) -> None:
    with refused(f"{name} of battery is {value}; it must be a finite number"):
        Change(**{"aspect": "battery", "before": 3.0, "after": 2.0, name: value})


def test_slight_is_under_a_quarter_of_the_scale() -> None:
    assert SLIGHT == 0.25
    assert battery(4.0, 3.01).slight
    assert not battery(4.0, 3.0).slight
    assert battery(4.0, 2.0, span=10).slight
    assert not battery(0.9, 0.6, span=1).slight
    assert battery(3.0, 3.99).degree == "slightly_better"
    assert battery(3.0, 4.0).degree == "better"


def test_to_lose_or_to_gain_an_aspect_is_never_slight() -> None:
    assert not battery(0.1, 0.0).slight
    assert not battery(0.0, 0.1).slight


def test_worse_is_where_the_scale_says() -> None:
    assert battery(3.0, 2.0).degree == "worse"
    assert battery(3.0, 2.0, low_is_worse=False).degree == "better"
    assert battery(2.0, 3.0, low_is_worse=False).degree == "worse"


def test_absent_is_what_the_scale_says() -> None:
    assert battery(3.0, -1.0, absent=-1.0).removed
    assert not battery(3.0, 0.0, absent=-1.0).removed
    assert battery(0.0, 3.0).added
    assert not battery(0.0, 3.0, absent=-1.0).added
    assert [change.moved for change in (GONE, NEW, WORSE)] == [False, False, True]


def test_off_the_scale_is_between_it_and_absent() -> None:
    assert battery(3.0, 0.5).off_scale
    assert not battery(3.0, 1.0).off_scale
    assert not battery(3.0, 0.0).off_scale
    assert not battery(0.9, 0.5).off_scale
    assert battery(3.0, 5.5, absent=6.0, low_is_worse=False).off_scale
    assert not battery(3.0, 5.0, absent=6.0, low_is_worse=False).off_scale
    assert not battery(3.0, 0.5, absent=-9.0, low=0.0).off_scale


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


def test_numbers_of_which_some_are_equal() -> None:
    assert apart(2.0, 2.0, 1.99, digits=1) == ("2.00", "2.00", "1.99")
    assert apart(2.0, 2.0, digits=1) == ("2.0", "2.0")
    assert apart(digits=1) == ()
    assert apart(-0.01, digits=1) == ("0.0",)


def test_a_bound_is_said_as_it_is() -> None:
    assert whole(1.0) == "1.0"
    assert whole(0.44) == "0.44"
    assert whole(float(np.float32(0.1))) == "0.1"
    assert whole(1e-30) == f"{0:.17f}"


def test_what_it_takes_in_reviews() -> None:
    assert (COMPLAINTS.opinions, COMPLAINTS.more) == (16, -3)
    assert (PRAISES.opinions, PRAISES.more) == (6, 2)
    assert (FIRST_PRAISES.opinions, FIRST_PRAISES.more) == (0, 2)
    assert (SILENCE.opinions, SILENCE.more, SILENCE.counted) == (16, None, True)
    assert (WORSE.opinions, WORSE.more, WORSE.counted, GONE.counted) == (None, None, False, False)
    between = battery(3.0, 2.5, praises=4, complaints=4)
    assert (between.opinions, between.more, between.counted) == (8, None, False)


def test_all_opinions_count_even_where_the_value_cannot_show_them() -> None:
    """40 praises give 5.0 in single precision, as 17 do."""
    assert LADDER.value(40) == LADDER.value(17) == 5.0
    assert counted("battery", 40, 0, 2).more == -38


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


def test_counts_of_what_is_absent() -> None:
    with refused("only what nobody has reviewed is absent"):
        battery(0.0, 3.0, praises=1, complaints=1)
    with refused("battery is absent: no opinions are left"):
        battery(3.0, 0.0, balance_after=-1)


def test_good_is_the_better_half() -> None:
    assert battery(3.0, 2.0).good
    assert not battery(2.99, 2.0).good
    assert not battery(0.0, 2.0).good
    assert battery(2.9, 4.0, low_is_worse=False).good
    assert not battery(3.1, 4.0, low_is_worse=False).good


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


def test_absent_stays_absent_and_no_number_stays_none() -> None:
    assert meant_value(SPACE, 0.0) == 0.0
    assert isnan(meant_value(SPACE, nan))


def test_without_a_ladder_every_value_is_meant_as_given() -> None:
    scale = AspectScale(low=[0.0], high=[20.0], low_is_worse=[True], absent=[-1.0], is_category=[False])
    space = space_of([[1.0]], [[5.0], [8.0]], scale)
    assert meant_value(space, 2.1) == 2.1


@pytest.mark.parametrize("ceiling", [5.0, 10.0])
def test_every_value_is_read_as_it_is_shown(ceiling: float) -> None:
    ladder = Ladder.of_reviews(ceiling)
    space = space_of([[1.0]], [[ceiling], [1.0]], AspectScale.of_reviews(1, ceiling))
    for value in ladder.values.tolist():
        shown = f"{value:.{telling_digits(ladder, value)}f}"
        assert meant_value(space, float(shown)) == value
        assert meant_value(space, value) == value


def test_as_few_digits_as_that_takes() -> None:
    digits = {balance: telling_digits(LADDER, float(LADDER.value(balance))) for balance in (-5, -4, 0, 4, 5, 7, 64)}
    assert digits == {-5: 2, -4: 1, 0: 1, 4: 1, 5: 2, 7: 3, 64: 1}


@given(st.integers(0, 40), st.integers(0, 40), st.integers(-20, 20))
def test_what_a_change_shows_is_what_it_means(praises: int, complaints: int, balance: int) -> None:
    if not praises + complaints or LADDER.value(praises - complaints) == LADDER.value(balance):
        return
    change = counted("battery", praises, complaints, balance)
    before, after = change.shown()
    assert before != after
    assert np.float32(meant_value(SPACE, float(after))) == np.float32(change.after)
