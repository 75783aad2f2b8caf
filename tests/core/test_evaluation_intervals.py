"""Intervals and p of a bootstrap over two or three users, whose every resample can be written down."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterec.core.evaluation import intervals
from counterec.core.evaluation.intervals import (
    group_difference,
    harmonic_mean_of_means,
    holm,
    mean,
    paired,
    paired_f_ns,
    spearman,
)
from counterec.errors import InvalidValueError

THREE = np.array([0, 0, 0, 1, 1, 2])
"""Three users with three cases, two, and one."""


def every_resample(users: np.ndarray, statistic: Callable[[np.ndarray], float]) -> np.ndarray:
    """The statistic of all equally likely resamples; the rows of a user are passed as often as the user is drawn."""
    rows = {user: np.flatnonzero(users == user) for user in np.unique(users)}
    draws = product(rows, repeat=len(rows))
    return np.array([statistic(np.concatenate([rows[user] for user in draw])) for draw in draws])


def assert_ends_at(interval: tuple[float, float], exact: np.ndarray, count: int = intervals.RESAMPLES) -> None:
    """Each end cuts off 2.5% of the exact distribution, as far as this many resamples can show."""
    error = 4 * np.sqrt(0.025 * 0.975 / count)
    exact = exact[~np.isnan(exact)]
    for end, share in zip(interval, (0.025, 0.975), strict=True):
        assert (exact < end - 1e-12).mean() <= share + error
        assert (exact <= end + 1e-12).mean() >= share - error


class TestIntervals:
    def test_of_two_users_goes_from_the_one_to_the_other(self):
        # Four resamples: both the first, both the second, and twice one of each; the extremes have 25% each.
        assert mean([0.0, 0.5, 1.0], np.array([7, 7, 3])).interval == (0.25, 1.0)

    def test_of_three_users_is_that_of_the_27_resamples(self):
        values = np.array([0.0, 0.25, 0.5, 0.5, 1.0, 0.75])
        found = mean(values, THREE)
        assert_ends_at(found.interval, every_resample(THREE, lambda rows: values[rows].mean()))
        assert found.value == pytest.approx(0.5)

    def test_of_f_ns_is_made_in_every_resample(self):
        necessary, sufficient = np.array([1, 0, 1, 0, 0, 1]), np.array([0, 0, 1, 1, 1, 1])

        def f_ns(rows: np.ndarray) -> float:
            pn, ps = necessary[rows].mean(), sufficient[rows].mean()
            return 2 * pn * ps / (pn + ps) if pn + ps else 0.0

        found = harmonic_mean_of_means(necessary, sufficient, THREE)
        assert found.value == pytest.approx(f_ns(np.arange(6)))
        assert_ends_at(found.interval, every_resample(THREE, f_ns))

    def test_a_value_that_is_nan_is_no_case(self):
        found = mean([0.0, np.nan, 1.0, np.nan], np.array([0, 0, 1, 2]))
        assert (found.value, found.cases, found.interval) == (0.5, 2, (0.0, 1.0))
        assert mean([np.nan], np.array([0])).value is None

    def test_every_value_needs_a_user(self):
        with pytest.raises(InvalidValueError, match="every value needs exactly one user"):
            mean([1.0, 2.0], np.array([0]))


class TestDifferenceOfGroups:
    values, first = np.array([1.0, 0.0, 0.5, 1.0, 0.0, 1.0]), np.array([True, False, True, False, False, True])

    def difference(self, rows: np.ndarray) -> float:
        values, first = self.values[rows], self.first[rows]
        return values[first].mean() - values[~first].mean() if 0 < first.sum() < len(rows) else np.nan

    def test_by_hand(self):
        found = group_difference(self.values, self.first, THREE)
        assert found.value == pytest.approx(2.5 / 3 - 1 / 3)
        assert found.cases == 6
        assert_ends_at(found.interval, every_resample(THREE, self.difference))

    def test_an_empty_group_has_no_mean(self):
        assert group_difference([1.0, 0.0], [True, True], np.arange(2)).value is None
        assert group_difference([1.0, np.nan], [True, False], np.arange(2)).interval is None


class TestSpearman:
    def test_by_hand(self):
        # Ranks 1, 2.5, 2.5, 4 against 1, 3, 2, 4: covariance 4.5, variances 4.5 and 5.
        found = spearman([1, 2, 2, 9], [0.1, 0.4, 0.3, 0.5], np.arange(4))
        assert found.value == pytest.approx(4.5 / np.sqrt(4.5 * 5))

    def test_the_interval_ranks_every_resample_anew(self):
        x, y = np.array([1.0, 2, 2, 3, 5, 4]), np.array([1.0, 1, 0, 2, 0, 5])

        def ranks(values: np.ndarray) -> np.ndarray:
            return np.array([(values < v).sum() + ((values == v).sum() + 1) / 2 for v in values])

        def correlation(rows: np.ndarray) -> float:
            a, b = ranks(x[rows]), ranks(y[rows])
            return np.corrcoef(a, b)[0, 1] if len(set(a)) > 1 and len(set(b)) > 1 else np.nan

        found = spearman(x, y, THREE)
        assert found.value == pytest.approx(correlation(np.arange(6)))
        assert_ends_at(found.interval, every_resample(THREE, correlation))

    def test_what_never_varies_is_correlated_with_nothing(self):
        assert spearman([0.1, 0.1, 0.1], [1, 2, 3], np.arange(3)).value is None
        assert spearman([np.nan], [1], np.arange(1)).cases == 0


class TestDifference:
    def test_by_hand(self):
        # The first user is better by 1, the second worse by 0.5: of four resamples one is below 0 and none at 0.
        found = paired([1.0, 0.0], [0.0, 0.5], np.arange(2))
        assert (found.value, found.cases, found.interval) == (0.25, 2, (-0.5, 1.0))
        assert found.p == pytest.approx(2 * 0.25, abs=2 * 4 * np.sqrt(0.25 * 0.75 / intervals.P_RESAMPLES))

    def test_of_three_users_is_that_of_the_27_resamples(self):
        a, b = np.array([1.0, 1, 0, 1, 0, 0]), np.array([0.0, 1, 0, 0, 1, 0.4])
        exact = every_resample(THREE, lambda rows: a[rows].mean() - b[rows].mean())
        found = paired(a, b, THREE)
        assert_ends_at(found.interval, exact, intervals.P_RESAMPLES)
        tail = min((exact <= 1e-12).mean(), (exact >= -1e-12).mean())
        assert found.p == pytest.approx(2 * tail, abs=8 * np.sqrt(tail * (1 - tail) / intervals.P_RESAMPLES))

    def test_what_always_differs_has_the_smallest_p_there_is(self):
        assert paired([1.0, 0.5], [0.0, 0.0], np.arange(2)).p == 1 / intervals.P_RESAMPLES

    def test_what_never_differs_has_p_one(self):
        found = paired([0.1, 0.7], [0.1, 0.7], np.arange(2))
        assert (found.value, found.interval, found.p) == (0, (0, 0), 1)

    def test_a_difference_that_is_dust_is_none(self):
        # Each user's differences sum to 5.6e-17 in floats and to 0 in truth.
        found = paired([0.1, 0.2, 0.0], [0.0, 0.0, 0.3], np.zeros(3))
        assert found.p == 1

    def test_only_pairs_that_both_have_a_value_for_count(self):
        found = paired([1.0, np.nan, 0.5, 1.0], [0.0, 0.0, np.nan, 0.0], np.arange(4))
        assert (found.value, found.cases) == (1, 2)
        nothing = paired([np.nan], [1.0], np.arange(1))
        assert (nothing.value, nothing.cases, nothing.interval, nothing.p) == (None, 0, None, None)

    def test_of_f_ns(self):
        verdicts = np.array(
            [[1, 1, 0, 1, 0, 1], [1, 0, 1, 1, 1, 0], [0, 1, 0, 0, 1, 0], [1, 1, 0, 0, 1, 0]], dtype=float
        )

        def difference(rows: np.ndarray) -> float:
            n_a, s_a, n_b, s_b = verdicts[:, rows].mean(axis=1)
            return (2 * n_a * s_a / (n_a + s_a) if n_a + s_a else 0) - (2 * n_b * s_b / (n_b + s_b) if n_b + s_b else 0)

        found = paired_f_ns(*verdicts, THREE)
        assert found.value == pytest.approx(difference(np.arange(6)))
        assert_ends_at(found.interval, every_resample(THREE, difference), intervals.P_RESAMPLES)
        assert found.as_dict() == {"value": found.value, "cases": 6, "interval": list(found.interval), "p": found.p}

    @given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.integers(0, 3)), min_size=1, max_size=8))
    @settings(max_examples=30, deadline=None)
    def test_turned_round_it_is_the_opposite(self, rows):
        a, b, users = (np.array(column) for column in zip(*rows, strict=True))
        one, other = paired(a, b, users), paired(b, a, users)
        assert one.value == pytest.approx(-other.value)
        assert one.interval == pytest.approx((-other.interval[1], -other.interval[0]))
        assert one.p == other.p


class TestHolm:
    def test_by_hand(self):
        # Sorted 0.01, 0.02, 0.03, 0.5, times 4, 3, 2, 1; the third would be 0.06 as the second is.
        assert holm([0.5, 0.01, 0.03, 0.02]) == pytest.approx([0.5, 0.04, 0.06, 0.06])

    def test_what_was_not_compared_is_not_counted(self):
        assert holm([None, 0.04, None]) == [None, 0.04, None]
        assert holm([]) == []

    @given(st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=12))
    def test_lies_between_no_correction_and_the_crudest(self, ps):
        count = sum(p is not None for p in ps)
        for before, after in zip(ps, holm(ps), strict=True):
            if before is None:
                assert after is None
            else:
                assert before <= after <= min(1.0, before * count)
        kept = sorted((before, after) for before, after in zip(ps, holm(ps), strict=True) if before is not None)
        assert [after for _, after in kept] == sorted(after for _, after in kept)
