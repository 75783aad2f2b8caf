"""Pairs looked up among others."""

from __future__ import annotations

import numpy as np
import pytest

from counterec.core.evaluation.quality import NOWHERE, rows_of_pairs
from counterec.core.lists import ABSENT_ITEM


@pytest.mark.parametrize("seed", range(20))
def test_each_pair_is_found_where_it_is_last_and_no_other(seed: int) -> None:
    """Also where items have the number of an empty place, or none of them is as large as those asked for."""
    random = np.random.default_rng(seed)
    asked, among = random.integers(0, 40, 2)
    users, items = random.integers(0, 6, asked), random.integers(ABSENT_ITEM, 7, asked)
    among_users, among_items = random.integers(0, 6, among), random.integers(ABSENT_ITEM, random.integers(1, 9), among)
    places = {pair: row for row, pair in enumerate(zip(among_users.tolist(), among_items.tolist(), strict=True))}
    expected = [places.get(pair, NOWHERE) for pair in zip(users.tolist(), items.tolist(), strict=True)]

    assert rows_of_pairs(users, items, among_users, among_items).tolist() == expected
