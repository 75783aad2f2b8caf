"""Every question that an opened run answers, re-established from the files of its folder by ranking anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from counterec import Constraints, open_run
from counterec.core.explainers.goal_names import GOALS
from counterec.core.explainers.question import KINDS
from counterec.run import Run
from counterec.wording import sentence
from tests import claims, naive
from tests.pipeline.disk import Disk
from tests.pipeline.tiny import changed

pytestmark = pytest.mark.slow

ASKED = [(kind, goal) for kind in KINDS for goal in GOALS if (kind, goal) != ("why_not", "complete")]
USERS = (0, 7, 19, 25)
Row = dict[str, Any]


@pytest.fixture(scope="module", params=["full", "sampled"])
def folder(request: pytest.FixtureRequest, tiny_run: Path, sampled_run: Path) -> Path:
    """Lists of 5 of the whole catalogue; or of 3 of a draw, by a net that is steeper."""
    return tiny_run if request.param == "full" else sampled_run


@pytest.fixture(scope="module")
def run(folder: Path) -> Run:
    return open_run(folder)


@cache
def disk_of(folder: Path) -> Disk:
    return Disk(folder)


@cache
def ranking_of(folder: Path, user: str) -> list[str]:
    """All candidates of a user in their order, by plain arithmetic."""
    disk = disk_of(folder)
    return [disk.items[item] for item in naive.order(disk.scores[user], disk.candidates[user])]


def places(disk: Disk, user: str, item: str, quality: np.ndarray) -> range:
    """Where an item with these qualities stands among all candidates: one place, unless single precision may err."""
    own, number, noise = disk.candidates[user], disk.items.index(item), naive.net_noise(disk.net, disk.X)
    others = own[own != number]
    above = np.array([naive.net_score(disk.net, disk.attention(user), disk.Y[other]) for other in others])
    above -= disk.score(user, quality)
    twins = (disk.Y[others] == quality).all(axis=1)
    tied = int((twins & (others < number)).sum())
    doubt = noise(disk.users.index(user))
    return range(1 + tied + int((~twins & (above > doubt)).sum()), 2 + tied + int((~twins & (above > -doubt)).sum()))


def check(disk: Disk, run: Run, row: Row, k: int, rules: naive.Rules = naive.FREE) -> None:
    """Nothing that a row says is untrue, and it makes a record."""
    claimed, quality, after = disk.claimed(row, k, rules), disk.quality(row["item_id"]), disk.changed(row)
    pair = claimed.pair
    assert claims.untrue(claimed) == []
    assert row["before"] == [quality[disk.aspects.index(aspect)] for aspect in row["aspects"]]
    assert abs(row["score_before"] - disk.score(row["user_id"], quality)) <= pair.noise
    assert abs(row["score_after"] - disk.score(row["user_id"], after)) <= pair.noise
    if row["status"] != "already_true":
        assert abs(row["target"] - pair.target) <= pair.noise
    record = run.record(row)
    assert row["position"] == record.row.position
    assert row["position"] in places(disk, row["user_id"], row["item_id"], quality)
    assert record.position_after in places(disk, row["user_id"], row["item_id"], after)
    assert claims.untrue_verdicts(claimed, row["necessary"], row["sufficient"]) == []
    said = sentence(record)
    assert run.item_name(row["item_id"]) in said
    assert row["versus"] is None or run.item_name(row["versus"]) in said


def asked_of(folder: Path, kind: str, k: int) -> Iterator[tuple[str, str | None, str | None]]:
    """Who is asked about: lists; items below, far below and in the list; items ahead, far ahead and behind."""
    for user in (disk_of(folder).users[number] for number in USERS):
        first = ranking_of(folder, user)
        if kind == "why":
            yield user, None, None
        elif kind == "why_not":
            yield from ((user, first[place], None) for place in (k, k + 2, len(first) - 1, 1))
        else:
            pairs = ((0, 1), (0, k + 2), (k + 1, len(first) - 1), (3, 0))
            yield from ((user, first[one], first[other]) for one, other in pairs)


def answers(run: Run, folder: Path, kind: str, goal: str) -> list[Row]:
    rows = []
    for user, item, versus in asked_of(folder, kind, run.recommendations.k):
        rows += run.explain(user, item, question=kind, versus=versus, goal=goal).to_dicts()
    return rows


@pytest.mark.parametrize(("kind", "goal"), ASKED)
def test_every_answer_is_true(run: Run, folder: Path, kind: str, goal: str) -> None:
    k, disk = run.recommendations.k, disk_of(folder)
    rows = answers(run, folder, kind, goal)
    assert len(rows) == len(USERS) * {"why": k}.get(kind, 4)
    for row in rows:
        assert (row["question"], row["goal"]) == (kind, goal)
        assert (row["versus"] is None) == (kind in ("why", "why_not"))
        check(disk, run, row, k)
    explained = sum(row["status"] == "explained" for row in rows)
    assert explained >= 2, "too few explanations for this to mean anything"
    if kind != "why":
        assert sum(row["status"] == "already_true" for row in rows) == len(USERS)
    if goal == "single":
        assert all(len(row["aspects"]) <= 1 for row in rows)


def test_what_does_not_change_stays_where_it_is(run: Run, folder: Path) -> None:
    """Among equals, the last digit of a score that was computed in another batch would move it."""
    user = disk_of(folder).users[2]
    (row,) = run.explain(user, disk_of(folder).lists[user]["item_id"][1], question="why_not").to_dicts()
    assert run.record({**row, "score_after": row["score_after"] - 1e-3}).position_after == 2
    assert run.record({**row, "score_after": row["score_after"] - 9}).position_after == 2


def test_one_item_is_a_row_of_its_list(run: Run, folder: Path) -> None:
    user = disk_of(folder).users[4]
    whole = run.explain(user)
    assert whole["item_id"].to_list() == disk_of(folder).lists[user]["item_id"].to_list()[: run.recommendations.k]
    assert whole["position"].to_list() == list(range(1, run.recommendations.k + 1))
    for number, item in enumerate(whole["item_id"]):
        assert_same(run.explain(user, item), whole[number : number + 1])


def test_everybody_at_once_is_everybody_by_themselves(run: Run, folder: Path) -> None:
    everybody = run.explain(goal="single")
    assert_same(everybody, run.explanations_table("single"))
    user = disk_of(folder).users[9]
    assert_same(run.explain(user, goal="single"), everybody.filter(user_id=user))


def assert_same(found: pl.DataFrame, expected: pl.DataFrame) -> None:
    """The same rows, but for what the size of a batch may change in a float."""
    assert_frame_equal(found, expected, check_exact=False, abs_tol=1e-4)


class TestConstraints:
    def test_every_question_keeps_to_them(self, run: Run, folder: Path) -> None:
        disk, k = disk_of(folder), run.recommendations.k
        fixed, bounded, dear = disk.aspects[0], disk.aspects[2], disk.aspects[3]
        given = Constraints(keep=(fixed,), lowest={bounded: 2.0}, highest={bounded: 4.5}, most=2, costs={dear: 3.0})
        rules = naive.Rules(frozenset({0}), {2: 2.0}, {2: 4.5}, most=2, costs={3: 3.0})
        statuses = set()
        for kind, goal in [("why", "minimal"), ("why_not", "relaxed"), ("why_rather", "single"), ("why", "complete")]:
            for user, item, versus in asked_of(folder, kind, k):
                for row in run.explain(
                    user, item, question=kind, versus=versus, goal=goal, constraints=given
                ).to_dicts():
                    check(disk, run, row, k, rules)
                    statuses.add(row["status"])
        assert {"explained", "already_true"} < statuses

    def test_those_of_the_run_hold_where_none_are_given(self, run: Run, folder: Path) -> None:
        user = disk_of(folder).users[0]
        moved = {aspect for row in run.explain(user).to_dicts() for aspect in row["aspects"]}
        config = changed(run.manifest.config, explain={"constraints": {"keep": sorted(moved)}})
        bound = Run(folder, replace(run.manifest, config=config))
        assert moved
        assert moved.isdisjoint(aspect for row in bound.explain(user).to_dicts() for aspect in row["aspects"])
        assert bound.explain(user, constraints=Constraints()).equals(run.explain(user))

    def test_the_margin_of_the_run_holds(self, run: Run, folder: Path) -> None:
        config = changed(run.manifest.config, explain={"margin_share": 0.01})
        wide, disk = Run(folder, replace(run.manifest, config=config)), disk_of(folder)
        for kind in KINDS:
            for row in answers(wide, folder, kind, "minimal"):
                if row["status"] == "explained":
                    margin = naive.margin_of(disk.scores[row["user_id"]], 0.01)
                    direction = "raise" if kind == "why_not" else "lower"
                    assert row["margin"] == pytest.approx(margin, rel=1e-4)
                    assert naive.beyond(row["score_after"], row["target"], direction, 0.99 * margin) > 0


class TestRecord:
    def test_every_row_of_every_method_makes_one(self, run: Run, folder: Path) -> None:
        disk, made = disk_of(folder), 0
        for method, table in disk.methods.items():
            assert method in run.methods
            for row in table.to_dicts():
                check(disk, run, row, run.recommendations.k, naive.Rules(masked=method.endswith("-masked")))
                made += 1
        assert made == len(run.methods) * len(run.space.users) * run.recommendations.k

    def test_a_row_that_was_tampered_with_does_not(self, run: Run) -> None:
        table = run.explanations_table("single").filter(status="explained")
        row = table.to_dicts()[0]
        assert run.record(row).explained
        for lie in (
            {"score_after": row["target"]},
            {"after": [row["before"][0] + 0.1]},
            {"question": "why_not"},
            {"status": "cannot_flip"},
            {"position": run.recommendations.k + 1},
        ):
            with pytest.raises(ValueError, match=r"\w"):
                run.record({**row, **lie})
