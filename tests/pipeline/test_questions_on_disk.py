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

from counterec import Constraints, make_config, make_run, open_run
from counterec.core.evaluation.verdicts import VERDICTS
from counterec.core.explainers.goal_names import GOALS
from counterec.core.explainers.question import KINDS
from counterec.core.scorers.base import PairBatch
from counterec.errors import UnknownIdError, UsageError
from counterec.pipeline import files
from counterec.pipeline.explanation_tables import explanations_from
from counterec.run import Run
from counterec.wording import sentence
from tests import claims, naive
from tests.pipeline.disk import Disk
from tests.pipeline.tiny import SETTINGS, changed

pytestmark = pytest.mark.slow

ASKED = [(kind, goal) for kind in KINDS for goal in GOALS if (kind, goal) != ("why_not", "complete")]
USERS = (0, 7, 19, 25)
Row = dict[str, Any]


@pytest.fixture(scope="module", params=["full", "sampled"])
def folder(request: pytest.FixtureRequest, tiny_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lists of 5 of the whole catalogue; or of 3 of a draw, by a net that is steeper."""
    if request.param == "full":
        return tiny_run
    path = tmp_path_factory.mktemp("asked") / "sampled"
    settings = changed(
        SETTINGS, lists={"protocol": "sampled", "negatives": 14, "k": 3}, training={"learning_rate": 0.1}, seed=3
    )
    make_run(make_config(settings, "test"), path)
    return path


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


def test_the_item_really_moves(run: Run, folder: Path) -> None:
    """The plainest form of the claim: put the values in, rank all candidates again, and look."""
    disk, k, seen = disk_of(folder), run.recommendations.k, 0
    for kind, goal in (("why", "minimal"), ("why_not", "minimal"), ("why_rather", "minimal"), ("why", "complete")):
        for row in answers(run, folder, kind, goal):
            if row["status"] != "explained":
                continue
            user, own = row["user_id"], disk.candidates[row["user_id"]]
            qualities = disk.Y[own].copy()
            qualities[own == disk.items.index(row["item_id"])] = disk.changed(row)
            scores = naive.shared_scores(disk.net, disk.attention(user), qualities)
            after = [disk.items[item] for item in naive.order(scores, own)]
            before = ranking_of(folder, user)
            if kind == "why_rather":
                assert before.index(row["item_id"]) < before.index(row["versus"])
                assert after.index(row["item_id"]) > after.index(row["versus"])
            else:
                assert (row["item_id"] in before[:k]) == (kind == "why")
                assert (row["item_id"] in after[:k]) == (kind == "why_not")
            seen += 1
    assert seen >= 20


class Indifferent:
    """A scorer to which all items are equal."""

    aspects_only = True

    def score(self, pairs: PairBatch) -> np.ndarray:
        return np.zeros(len(pairs.items), dtype=np.float32)


def test_equals_stand_in_the_order_of_their_numbers(folder: Path) -> None:
    disk, run = disk_of(folder), open_run(folder, scorer=Indifferent())
    user = disk.users[0]
    own = [disk.items[item] for item in sorted(disk.candidates[user])]
    listed = [disk.items[item] for item in run.recommendations.items[0, : run.recommendations.k]]
    assert listed == own[: len(listed)]
    for place, item in enumerate(own, start=1):
        if item not in listed:
            (row,) = run.explain(user, item, question="why_rather", versus=listed[0], goal="single").to_dicts()
            assert row["position"] == run.record(row).position_after == place


def test_an_item_in_the_list_is_already_there(run: Run, folder: Path) -> None:
    user = disk_of(folder).users[2]
    listed = disk_of(folder).lists[user]["item_id"][1]
    (row,) = run.explain(user, listed, question="why_not").to_dicts()
    assert (row["status"], row["aspects"], row["position"], row["proof"]) == ("already_true", [], 2, None)
    assert sentence(run.record(row)) == f"{run.item_name(listed)} is already in the list."


def test_what_does_not_change_stays_where_it_is(run: Run, folder: Path) -> None:
    """Among equals, the last digit of a score that was computed in another batch would move it."""
    user = disk_of(folder).users[2]
    (row,) = run.explain(user, disk_of(folder).lists[user]["item_id"][1], question="why_not").to_dicts()
    assert run.record({**row, "score_after": row["score_after"] - 1e-3}).position_after == 2
    assert run.record({**row, "score_after": row["score_after"] - 9}).position_after == 2


def test_what_becomes_another_s_equal_stands_beside_it(run: Run, folder: Path) -> None:
    """Equal vectors have equal scores: not the last digit decides who is ahead, but the number."""
    disk, seen = disk_of(folder), set()
    for user in disk.users:
        own = disk.candidates[user].tolist()
        for item, twin in ((i, j) for i in own for j in own):
            lower = disk.Y[twin] < disk.Y[item]
            if not lower.any() or (disk.Y[twin] > disk.Y[item]).any() or (twin < item) in seen:
                continue
            seen.add(twin < item)
            score, (other, *_) = disk.score(user, disk.Y[twin]), (o for o in own if o not in (item, twin))
            row = {
                **run.explain(user, disk.items[item], question="why_rather", versus=disk.items[other]).to_dicts()[0],
                "status": "not_found",
                **dict.fromkeys(("proof", *VERDICTS)),
                "aspects": np.array(disk.aspects)[lower].tolist(),
                "before": disk.Y[item][lower].tolist(),
                "after": disk.Y[twin][lower].tolist(),
                "balance_before": (disk.praises - disk.complaints)[item, lower].tolist(),
                "balance_after": [naive.balances().get(value) for value in disk.Y[twin][lower].tolist()],
                "target": score - 5,
                **dict.fromkeys(("lead_aspects", "lead_history", "carried_by", "score_without_aspects")),
            }
            for noise in (1e-5, 0, -1e-5):
                after = run.record({**row, "score_after": score + noise}).position_after
                assert after in places(disk, user, disk.items[item], disk.Y[twin])
    assert seen == {True, False}, "no item could become the equal of one before and of one after it"


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

    def test_masked(self, run: Run, folder: Path) -> None:
        disk = disk_of(folder)
        user = min(disk.users, key=lambda user: np.count_nonzero(disk.attention(user)))
        for row in run.explain(user, constraints=Constraints(masked=True)).to_dicts():
            check(disk, run, row, run.recommendations.k, naive.Rules(masked=True))

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


class TestWrongQuestions:
    @pytest.fixture
    def outside(self, folder: Path) -> tuple[str, str]:
        """A user, and an item that does not compete for their list."""
        disk, user = disk_of(folder), disk_of(folder).users[0]
        (item, *_) = np.setdiff1d(np.arange(len(disk.items)), disk.candidates[user])
        return user, disk.items[item]

    @pytest.mark.parametrize("kind", KINDS)
    def test_an_item_outside_the_candidates(self, run: Run, folder: Path, outside: tuple[str, str], kind: str) -> None:
        user, item = outside
        inside = ranking_of(folder, user)[0]
        says = f"{item} does not compete for the list of {user}: it is not among their candidates"
        compares = kind.startswith("why_rather")
        with pytest.raises(UsageError) as caught:
            run.explain(user, item, question=kind, versus=inside if compares else None)
        assert str(caught.value) == says
        if compares:
            with pytest.raises(UsageError, match="does not compete"):
                run.explain(user, inside, question=kind, versus=item)

    def test_an_item_below_the_list_is_one_to_ask_why_not_of(self, run: Run, folder: Path) -> None:
        user = disk_of(folder).users[0]
        first = ranking_of(folder, user)
        with pytest.raises(UnknownIdError) as caught:
            run.explain(user, first[-1])
        listed = ", ".join(first[: run.recommendations.k])
        assert str(caught.value) == f"{first[-1]} is not in the list of {user}, which holds {listed}; ask why_not"

    @pytest.mark.parametrize(
        ("asked", "says"),
        [
            ({"question": "why_not"}, "why_not needs a user"),
            ({"item_id": "FIRST"}, "why needs a user"),
            ({"user_id": "USER", "question": "why_not"}, "why_not needs an item"),
            ({"user_id": "USER", "question": "why_rather"}, "why_rather needs an item"),
            ({"user_id": "USER", "item_id": "FIRST", "question": "why_rather"}, "needs a second item"),
            (
                {"user_id": "USER", "item_id": "FIRST", "question": "why_rather", "versus": "FIRST"},
                "rather than itself: name two items",
            ),
            ({"user_id": "USER", "versus": "FIRST"}, "why compares with no other item"),
            (
                {"user_id": "USER", "item_id": "LAST", "question": "why_not", "versus": "FIRST"},
                "why_not compares with no other item",
            ),
            ({"user_id": "USER", "item_id": "LAST", "question": "why_not", "goal": "complete"}, "the goal complete"),
            ({"user_id": "nobody"}, "no user 'nobody' here"),
            ({"user_id": "USER", "item_id": "nothing"}, "no item 'nothing' here"),
            ({"user_id": "USER", "item_id": "nothing", "question": "why_not"}, "no item 'nothing' here"),
            (
                {"user_id": "USER", "item_id": "FIRST", "question": "why_rather", "versus": "nothing"},
                "no item 'nothing' here",
            ),
            ({"user_id": "USER", "constraints": Constraints(keep=("nothing",))}, "no aspect 'nothing' here"),
        ],
    )
    def test_are_the_question_s_fault(self, run: Run, folder: Path, asked: dict[str, Any], says: str) -> None:
        user = disk_of(folder).users[0]
        first = ranking_of(folder, user)
        real = {"USER": user, "FIRST": first[0], "LAST": first[-1]}
        given = {name: real.get(value, value) if isinstance(value, str) else value for name, value in asked.items()}
        with pytest.raises(UsageError, match=says):
            run.explain(**given)


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


def test_these_checks_can_fail(run: Run, folder: Path) -> None:
    """Rows that say something else of the same pairs are found to be untrue."""
    disk, k = disk_of(folder), run.recommendations.k
    why, why_not = (
        next(row for row in answers(run, folder, kind, "minimal") if row["status"] == "explained")
        for kind in ("why", "why_not")
    )
    for row in (why, why_not):
        check(disk, run, row, k)
        halfway = [(before + after) / 2 for before, after in zip(row["before"], row["after"], strict=True)]
        for lie in (
            {"after": halfway},
            {"score_after": row["score_after"] - 0.01},
            {"target": row["target"] + 0.01},
            {"position": row["position"] + 1},
            {"user_id": disk.users[1 + disk.users.index(row["user_id"])]},
        ):
            with pytest.raises((AssertionError, ValueError)):
                check(disk, run, {**row, **lie}, k)
    for verdict in ("necessary", "sufficient"):
        with pytest.raises(AssertionError):
            check(disk, run, {**why, verdict: not why[verdict]}, k)


def test_a_table_survives_being_written_down(run: Run, folder: Path, tmp_path: Path) -> None:
    user = disk_of(folder).users[0]
    item = ranking_of(folder, user)[-1]
    table = run.explain(user, item, question="why_not")
    files.write_table(table, tmp_path / "one.parquet")
    again = pl.read_parquet(tmp_path / "one.parquet")
    assert again.equals(table)
    found = explanations_from(again, run.space)
    assert found.direction == "raise"
    assert found.flips.tolist() == [row["status"] == "explained" for row in table.to_dicts()]
