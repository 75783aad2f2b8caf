"""Leads and robustness marks in a few numbers, by hand."""

from __future__ import annotations

import numpy as np

from counterec.core.evaluation.quality import led_by_history, mark_summary

USERS = np.array([0, 0, 1, 1])
NAN = np.nan


def test_history_leads_where_its_part_is_the_larger() -> None:
    found = led_by_history(np.array([1.0, -2.0, 0.5, NAN]), np.array([0.5, 3.0, 0.5, 1.0]), USERS)
    assert (found.value, found.cases) == (1 / 3, 3)
    nothing = led_by_history(np.array([1.0, 2.0, 3.0, 4.0]), np.full(4, NAN), USERS)
    assert (nothing.value, nothing.cases) == (None, 0)


def test_marks_are_counted_and_averaged() -> None:
    found = mark_summary(3, np.array([3, 3, 2, 0]), np.array([3, 1, 1, 0]), USERS)
    assert found.marks == {"0 of 0": 1, "1 of 2": 1, "1 of 3": 1, "3 of 3": 1}
    assert sum(found.marks.values()) == 4
    assert found.of_agreeing.value == np.mean([1, 1 / 3, 1 / 2])
    assert (found.of_agreeing.cases, found.in_every_net.cases) == (3, 4)
    assert found.in_every_net.value == 1 / 4
    assert found.as_dict()["nets"] == 3
