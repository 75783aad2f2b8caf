"""Printed values: what is shown is read again as the same value."""

from __future__ import annotations

from math import inf, isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterec.core.opinions import Ladder
from counterec.core.scale import AspectScale
from counterec.wording.change import meant_value, telling_digits
from tests.wording.records import LADDER, counted
from tests.worlds import figure_one, space_of

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
