"""Drawing users, items and seeds: what it adds where items are shared, and that it adds nothing where they are not."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from counterec.core.evaluation import intervals
from counterec.core.evaluation.intervals import (
    Units,
    case_weights,
    group_difference,
    harmonic_mean_of_means,
    mean,
    paired,
    paired_f_ns,
    spearman,
)

RANDOM = np.random.default_rng(0)
USERS = np.repeat(np.arange(12), 3)
VALUES, OTHERS = RANDOM.random(36), RANDOM.random(36)


@pytest.mark.parametrize("items", [np.arange(36), USERS])
def test_items_of_one_user_each_change_nothing(items):
    """Whether all are different, or a user has the same one several times."""
    units = Units(USERS, items, np.zeros(36))
    for measure in (
        lambda drawn: mean(VALUES, drawn),
        lambda drawn: harmonic_mean_of_means(VALUES, OTHERS, drawn),
        lambda drawn: spearman(VALUES, OTHERS, drawn),
        lambda drawn: group_difference(VALUES, VALUES > 0.5, drawn),
        lambda drawn: paired(VALUES, OTHERS, drawn),
        lambda drawn: paired_f_ns(VALUES, OTHERS, OTHERS, VALUES, drawn),
    ):
        both, old = measure(units), measure(USERS)
        assert (both.value, both.cases, both.interval) == (old.value, old.cases, old.interval)
        assert both.items == len(np.unique(items))
        assert old.items is None


def test_two_users_who_share_two_items():
    """Of 4 × 4 equally likely draws, a case occurs as often as its user is drawn times as often as its item is."""
    values = np.array([0.0, 1.0, 2.0, 4.0])
    users, items = np.array([0, 0, 1, 1]), np.array([7, 8, 7, 8])
    exact = []
    for drawn_users, drawn_items in product(product((0, 1), repeat=2), product((7, 8), repeat=2)):
        weights = [drawn_users.count(u) * drawn_items.count(i) for u, i in zip(users, items, strict=True)]
        exact.append(np.dot(weights, values) / np.sum(weights))
    found = mean(values, Units(users, items))
    shares = {value: exact.count(value) / len(exact) for value in exact}
    for value, share in shares.items():
        assert np.isclose(found.draws, value).mean() == pytest.approx(share, abs=0.05)
    assert set(np.round(found.draws, 9)) == set(np.round(exact, 9))
    assert (found.value, found.items) == (1.75, 2)


def test_one_item_for_all_is_one_case_however_many_users():
    """If only the item decides, its lists tell nothing beyond it: the interval does not shrink with the users."""
    item_alone = np.array([0.0, 1.0])
    widths = []
    for users in (10, 1000):
        items = np.tile([0, 1], users // 2)
        low, high = mean(item_alone[items], Units(np.arange(users), items)).interval
        widths.append(high - low)
    assert widths == [1.0, 1.0]
    assert np.ptp(mean(item_alone[items], np.arange(1000)).interval) < 0.1, "by users alone it seems well known"


def test_an_item_of_one_user_is_not_drawn_beside_shared_ones():
    units = Units(np.array([0, 1, 2]), np.array([5, 5, 9]))
    for weights in case_weights(units, seed=0, count=200):
        users = np.concatenate(list(intervals.resamples(3, 0, 200, 3)))
        np.testing.assert_array_equal(weights[:, 2], users[:, 2])


def test_seeds_are_drawn():
    """Two seeds that disagree: a quarter of the draws has only the one, a quarter only the other."""
    values, seeds = np.tile([0.0, 1.0], 40), np.tile([0, 1], 40)
    found = mean(values, Units(np.arange(80) // 2, None, seeds))
    assert found.interval == (0.0, 1.0)
    assert np.isclose(found.draws, 0.0).mean() == pytest.approx(0.25, abs=0.06)
    assert mean(values, np.arange(80) // 2).interval == (0.5, 0.5), "pooled, and not drawn, they seem to agree"
