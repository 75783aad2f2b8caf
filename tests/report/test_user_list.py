"""One user's list, as a value and as HTML."""

from __future__ import annotations

from pathlib import Path

import pytest

from counterec import open_run
from counterec.errors import InvalidValueError, UnknownIdError
from counterec.report.user_list import ListedItem, UserList
from tests.wording.test_markup import NASTY

LIST = UserList("ann", 1, [ListedItem(1, "a", NASTY, 2.5), ListedItem(2, "b", None, 1.0)])


def test_the_list_and_what_is_below() -> None:
    assert [item.shown for item in LIST.listed] == [NASTY]
    assert [item.shown for item in LIST.below] == ["b"]
    with pytest.raises(InvalidValueError, match="positions"):
        UserList("ann", 1, [ListedItem(2, "a", None, 2.5)])


def test_of_a_run(tiny_run: Path) -> None:
    run = open_run(tiny_run)
    found = run.list_of("U0004", below=3)
    assert len(found.listed) == found.k == 5
    assert len(found.below) == 3
    assert [item.score for item in found.items] == sorted((item.score for item in found.items), reverse=True)
    row = run.recommendations.rows_of(run.space.users.numbers(["U0004"]))[0]
    stored = [run.space.items.texts[item] for item in run.recommendations.items[row]]
    assert [item.item_id for item in found.items[:6]] == stored
    assert run.list_of("U0004").items == found.items[:6]
    with pytest.raises(UnknownIdError):
        run.list_of("nobody")
