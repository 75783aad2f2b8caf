"""Stability and coverage by hand, and what must hold of them anywhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.worlds import named_of

from counterec.core.evaluation.aspect_coverage import coverage
from counterec.core.evaluation.stability import jaccard
from counterec.errors import InvalidValueError


def test_jaccard_by_hand():
    one = named_of([0, 0, 1, 1, 2], [5, 6, 5, 7, 8], [[1, 1, 0], [1, 0, 0], [0, 1, 1], [1, 0, 0], [0, 0, 0]])
    other = named_of([2, 1, 0, 1, 3], [8, 5, 5, 7, 5], [[1, 0, 0], [0, 1, 1], [0, 1, 1], [0, 0, 0], [1, 1, 1]])
    # (0,5): {0,1} and {1,2}. (1,5): the same. (0,6) and (3,5) are of one alone, (1,7) and (2,8) explained by one alone.
    found = jaccard(one, other)
    assert (found.users.tolist(), found.items.tolist()) == ([0, 1], [5, 5])
    assert found.value == pytest.approx([1 / 3, 1])


def test_nothing_in_common():
    assert jaccard(named_of([0], [0], [[1, 0]]), named_of([0], [0], [[0, 1]])).value.tolist() == [0]
    assert len(jaccard(named_of([0], [0], [[1, 0]]), named_of([1], [0], [[1, 0]])).value) == 0


def test_explanations_of_different_vocabularies_cannot_be_compared():
    with pytest.raises(InvalidValueError, match="shape"):
        jaccard(named_of([0], [0], [[1, 0]]), named_of([0], [0], [[1, 0, 0]]))


TWO = st.tuples(*[arrays(bool, (6, 4)) for _ in range(2)])


@given(TWO, st.permutations(range(6)))
def test_overlap_is_symmetric_and_independent_of_the_order(two, order):
    pairs = np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 0, 1, 0, 1])
    one, other = (named_of(*pairs, named) for named in two)
    shuffled = named_of(*(part[list(order)] for part in pairs), two[1][list(order)])
    there, back, mixed = jaccard(one, other), jaccard(other, one), jaccard(one, shuffled)
    assert there.value.tolist() == back.value.tolist() == mixed.value.tolist()
    assert ((there.value >= 0) & (there.value <= 1)).all()
    assert len(there.value) == (one.any_named & other.any_named).sum()
    assert (jaccard(one, one).value == 1).all()


def test_coverage_by_hand():
    assert coverage(np.array([[1, 0, 0, 0], [1, 0, 1, 0]], dtype=bool)) == 0.5
    assert coverage(np.ones((1, 3), dtype=bool)) == 1
    assert coverage(np.zeros((0, 3), dtype=bool)) == 0
