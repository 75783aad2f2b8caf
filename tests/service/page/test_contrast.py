"""Items against a user's list."""

from __future__ import annotations

from pathlib import Path

import pytest

from counterec import Run, open_run
from counterec.service.page.contrast import compare, explain_absent, rivals_of


@pytest.fixture(scope="module")
def run(tiny_run: Path) -> Run:
    return open_run(tiny_run)


def test_rivals_are_the_candidates_and_the_list_is_the_list(run: Run) -> None:
    for user_id in run.space.users.texts[:5]:
        user, rivals = run.space.users.number(user_id), rivals_of(run, user_id)
        row = run.recommendations.of_user(user).items[0]
        assert rivals.competes.nonzero()[0].tolist() == run.candidates.of(user).tolist()
        assert sorted(rivals.listed.nonzero()[0].tolist()) == sorted(row[:5].tolist())
        assert (rivals.first, rivals.next) == (row[0], row[5])
        assert rivals.could_enter(row[5])
        assert not rivals.could_enter(row[0])
        known = next(item for item in range(len(run.space.items)) if not run.candidates.contain(user, item))
        assert not rivals.could_enter(known)


def test_answers_are_those_of_the_run(run: Run) -> None:
    user_id = run.space.users.texts[0]
    rivals = rivals_of(run, user_id)
    first, second = (run.space.items.texts[item] for item in (rivals.first or 0, rivals.next or 0))
    record = explain_absent(run, user_id, second)
    assert (record.row.question, record.row.item_id) == ("why_not", second)
    found = compare(run, user_id, first, second)
    assert (found.rather.row.question, found.rather.row.versus) == ("why_rather", second)
    assert found.takes is not None
    assert found.takes.row.question == "why_rather_takes"
    back = compare(run, user_id, second, first)
    assert (back.rather.row.status, back.takes) == ("already_true", None)
