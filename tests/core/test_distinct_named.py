"""What several methods name for the same pairs is judged once, and everyone gets the verdict."""

from __future__ import annotations

import numpy as np

from counterec.core.evaluation.judge_necessity import distinct_named, judged_once
from counterec.core.evaluation.verdicts import Verdicts
from counterec.core.explainers.answer import NamedAspects


def named(*rows: tuple[int, int, str]) -> NamedAspects:
    """User, item and the named aspects, as letters of ``abc``."""
    sets = np.array([[aspect in aspects for aspect in "abc"] for _, _, aspects in rows])
    users, items = np.array([user for user, _, _ in rows]), np.array([item for _, item, _ in rows])
    return NamedAspects(users, items, sets, np.where(sets, np.arange(3, 0, -1), 0))


ONE = named((0, 5, "a"), (0, 6, "ab"), (300, 5, ""))
OTHER = named((0, 5, "ab"), (0, 6, "ab"), (300, 5, ""), (1, 5, "a"))


def test_a_set_of_another_pair_is_another_set() -> None:
    different, places = distinct_named([ONE, OTHER])
    assert len(different) == 5
    for part, rows in zip((ONE, OTHER), places, strict=True):
        for column in ("users", "items", "named"):
            assert np.array_equal(getattr(different, column)[rows], getattr(part, column))


def test_one_judgement_reaches_all_who_named_it() -> None:
    asked: list[NamedAspects] = []

    def judge(given: NamedAspects) -> Verdicts:
        asked.append(given)
        necessary = given.named[:, 1]
        return Verdicts(users=given.users, asked=given.any_named, necessary=necessary, sufficient=~necessary)

    first, second = judged_once([ONE, OTHER], judge)
    assert [len(one) for one in asked] == [5]
    assert first.necessary.tolist() == [False, True, False]
    assert second.necessary.tolist() == [True, True, False, False]
    assert (first.users.tolist(), first.asked.tolist()) == ([0, 0, 300], [True, True, False])
