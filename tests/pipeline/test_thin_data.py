"""Warnings of data too thin for reasons to mean much."""

from __future__ import annotations

import numpy as np
import pytest

from counterec.core.opinions import Opinions
from counterec.pipeline.evidence import single_opinions, warn_of_few_reviews, warn_of_single_opinions


@pytest.mark.parametrize(("counts", "warned"), [([1, 2, 9], True), ([2, 3, 3], False), ([], False)])
def test_a_median_below_three_is_warned_of(counts: list[int], warned: bool) -> None:
    found = warn_of_few_reviews(np.array(counts, dtype=np.int64))
    assert bool(found) == warned
    if warned:
        assert "median 2, over 3 items" in found
        assert "--min-item-reviews" in found


def test_items_with_one_opinion_per_aspect() -> None:
    praises = np.array([[1, 0, 0], [1, 5, 0], [1, 1, 9], [0, 0, 0]])
    complaints = np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]])
    opinions = Opinions(np.zeros((1, 3), int), np.zeros((1, 3), int), praises, complaints)
    found = single_opinions(opinions, np.array([3, 2, 1, 0]))
    np.testing.assert_array_equal(found, [np.nan, 1, 0, 1])


@pytest.mark.parametrize(("share", "warned"), [(0.51, True), (0.5, False), (None, False)])
def test_most_recommended_items_with_one_opinion_are_warned_of(share: float | None, warned: bool) -> None:
    assert bool(warn_of_single_opinions(share)) == warned
