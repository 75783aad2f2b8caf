"""Audiences of an item, and what would bring it into their lists."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from counterec import Run, open_run
from counterec.report.overview import Cohorts
from counterec.service.page import audience as audiences
from counterec.service.page.audience import EVERYBODY, Audience, audiences_of, find_improvement, find_promising


@pytest.fixture(scope="module")
def run(tiny_run: Path) -> Run:
    return open_run(tiny_run)


def test_groups_divide_everybody(run: Run) -> None:
    found = audiences_of(Cohorts.of(run))
    everybody = list(run.space.users.texts)
    assert list(found[EVERYBODY].user_ids) == everybody
    for kind in ("activity", "taste"):
        members = [user for name, one in found.items() if name.startswith(f"{kind}:") for user in one.user_ids]
        assert len(members) == len(set(members))
        assert set(members) <= set(everybody)
        assert members
    assert all(name == one.name and one.said for name, one in found.items())


def test_only_the_largest_groups_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audiences, "MOST_GROUPS", 2)
    users = [f"U{number}" for number in range(6)]
    cohorts = Cohorts(users, [None] * 6, [], ["a", "b", "b", "c", "c", "c"])
    assert list(audiences_of(cohorts)) == ["all", "taste:c", "taste:b"]


def test_the_answer_is_that_of_the_run(run: Run) -> None:
    item_id = find_promising(run)
    assert item_id is not None
    everybody = Audience(EVERYBODY, "everybody", run.space.users.texts)
    found, answer = find_improvement(run, item_id, everybody, 3), run.why_not_for_all(item_id, run.space.users.texts, 3)
    assert (found.asked, found.of) == (30, 30)
    assert found.left_out == 30 - len(answer.users)
    assert len(found.entered) == found.record.entered >= 3
    assert found.record.item == run.item_name(item_id)


def test_a_large_audience_is_asked_in_part_and_always_the_same(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audiences, "MOST_USERS", 12)
    item_id, everybody = find_promising(run) or "", Audience(EVERYBODY, "everybody", run.space.users.texts)
    first, again = (find_improvement(run, item_id, everybody, 1) for _ in range(2))
    assert (first.asked, first.of) == (12, 30)
    assert first == again
    assert everybody.usual_wish == 1


def test_a_find_promising_is_just_below_the_most_lists(run: Run) -> None:
    below = Counter(run.recommendations.items[:, 5].tolist())
    item_id = find_promising(run)
    assert item_id is not None
    assert below[run.space.items.number(item_id)] == max(below.values())
