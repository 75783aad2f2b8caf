"""``counterec explain``: every question from the command line, and the messages for wrong ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from counterec import open_run
from counterec.core.explainers.goal_names import GOALS
from counterec.wording import sentence
from tests import naive
from tests.cli.conftest import USER
from tests.cli.files import counterec
from tests.pipeline.disk import Disk
from tests.pipeline.test_questions_on_disk import check, places

pytestmark = pytest.mark.slow

K = 5


@pytest.fixture
def outside(disk: Disk) -> str:
    """An item that does not compete for the user's list."""
    return disk.items[np.setdiff1d(np.arange(len(disk.items)), disk.candidates[USER])[0]]


class TestQuestions:
    @pytest.mark.parametrize("goal", [*GOALS, None])
    @pytest.mark.parametrize(
        ("question", "options", "item", "versus"),
        [
            ("why", [], 2, None),
            ("why", ["--question", "why"], 0, None),
            ("why_not", ["--question", "why_not"], K + 1, None),
            ("why_not", ["--question", "why-not"], -1, None),
            ("why_rather", ["--question", "why_rather"], 1, K + 3),
            ("why_rather_takes", ["--question", "why_rather", "--match-values"], 0, -1),
            ("why_rather_takes", ["--question", "why-rather", "--match-values"], K + 2, -2),
        ],
    )
    def test_the_answer_is_true(
        self, explain, disk, ranking, tiny_run, goal: str | None, question, options, item: int, versus: int | None
    ) -> None:
        if (question, goal) == ("why_not", "complete"):
            return
        compared = [] if versus is None else ["--versus", ranking[versus]]
        aim = [] if goal is None else ["--goal", goal]
        outcome = explain("--user", USER, "--item", ranking[item], *compared, *options, *aim, "--json")
        assert (outcome.status, outcome.err) == (0, "")
        assert outcome.json["user_id"] == USER
        (row,) = outcome.json["items"]
        assert (row["question"], row["item_id"], row["user_id"]) == (question, ranking[item], USER)
        assert row["versus"] == (None if versus is None else ranking[versus])
        assert row["goal"] == (goal or "minimal")
        run = open_run(tiny_run)
        assert row["name"] == run.item_name(row["item_id"])
        check(disk, run, row, K)
        assert row["position"] in places(disk, USER, row["item_id"], disk.quality(row["item_id"]))
        assert row["position_after"] in places(disk, USER, row["item_id"], disk.changed(row))
        assert row["sentence"] == sentence(run.record(row))

    def test_for_people(self, explain, disk, ranking, tiny_run: Path) -> None:
        run = open_run(tiny_run)
        answers = (run.explain(USER, item, question="why_not") for item in ranking[K:])
        item = next(answer["item_id"].item() for answer in answers if answer["status"].item() == "explained")
        pair = ("--user", USER, "--item", item, "--question", "why_not")
        (row,) = explain(*pair, "--json").json["items"]
        outcome = explain(*pair)
        assert (outcome.status, outcome.err) == (0, "")
        assert f"The list of {USER}" in outcome.out
        assert row["sentence"] in outcome.text
        assert "would be recommended." in outcome.text
        assert row["reason"] in outcome.text
        assert f"\n{row['position']}. " not in outcome.out, "only a position in the list is put before a sentence"
        for aspect, after in zip(row["aspects"], row["after"], strict=True):
            assert any(aspect in line and f"{after:.2f}" in line for line in outcome.out.splitlines())

    def test_an_item_already_in_the_list(self, explain, ranking, tiny_run: Path) -> None:
        outcome = explain("--user", USER, "--item", ranking[1], "--question", "why_not")
        assert outcome.status == 0
        name = open_run(tiny_run).item_name(ranking[1])
        assert f"{name} is already in the list." in outcome.text

    def test_an_item_that_is_behind_as_it_is(self, explain, ranking, tiny_run: Path) -> None:
        outcome = explain("--user", USER, "--item", ranking[3], "--versus", ranking[0], "--question", "why_rather")
        assert outcome.status == 0
        names = open_run(tiny_run).item_names
        assert f"{names[ranking[0]]} is already ahead of {names[ranking[3]]}." in outcome.text

    def test_a_nearest_miss_is_said_to_be_one(self, explain, ranking, disk, tiny_run: Path) -> None:
        """Only one aspect may move."""
        pair = ("--user", USER, "--item", ranking[-1], "--question", "why_not")
        free = disk.aspects[0]
        bounds = [option for aspect in disk.aspects if aspect != free for option in ("--keep", aspect)]
        (row,) = explain(*pair, *bounds, "--json").json["items"]
        assert row["status"] in ("cannot_flip", "not_found")
        outcome = explain(*pair, *bounds)
        assert outcome.status == 0
        assert ("The nearest miss:" in outcome.text) == bool(row["aspects"])
        assert set(row["aspects"]) <= {free}
        assert row["sentence"] in outcome.text


class TestOut:
    def test_one_answer(self, explain, ranking, tiny_run: Path, tmp_path: Path) -> None:
        pair = ("--user", USER, "--item", ranking[K + 1], "--question", "why_not")
        outcome = explain(*pair, "--out", tmp_path / "one.parquet")
        assert outcome.status == 0
        now = open_run(tiny_run).explain(USER, ranking[K + 1], question="why_not")
        assert_frame_equal(pl.read_parquet(tmp_path / "one.parquet"), now)
        assert now["sufficient"].to_list() == [None]

    def test_the_whole_run_within_constraints(self, explain, disk, tiny_run: Path, tmp_path: Path) -> None:
        fixed, file = disk.aspects[1], tmp_path / "all.parquet"
        outcome = explain("--goal", "single", "--keep", fixed, "--only-mentioned", "--out", file, "--json")
        table = pl.read_parquet(file)
        rules = naive.Rules(frozenset({1}), masked=True)
        run = open_run(tiny_run)
        for row in table.to_dicts():
            check(disk, run, row, K, rules)
        statuses = dict(table["status"].value_counts().rows())
        assert outcome.json == {"file": str(file), "pairs": 150, "statuses": statuses}
        assert statuses["explained"] > 50
        said = explain("--goal", "single", "--keep", fixed, "--only-mentioned", "--out", file)
        assert f"150 pairs ({statuses['explained']} explained, " in said.text
        assert said.text.endswith(f"written to {file}")

    @pytest.mark.parametrize("options", [["--user", USER], ["--goal", "single"]])
    @pytest.mark.parametrize("place", ["nowhere/rows.parquet", "."])
    def test_a_place_that_cannot_be_written(self, explain, tmp_path: Path, options: list[str], place: str) -> None:
        outcome = explain(*options, "--out", tmp_path / place)
        assert outcome.status == 1
        assert outcome.error.startswith(f"{tmp_path / place}: cannot be written (")
        assert outcome.error.endswith("; name another file with --out")

    def test_constraints_are_not_kept_in_the_run(self, explain, disk) -> None:
        for options in (
            ["--keep", disk.aspects[0]],
            ["--values", "continuous"],
            ["--most", "1"],
        ):
            outcome = explain(*options)
            assert outcome.status == 2
            assert "not stored in the run; name a file with --out" in outcome.error


class TestWrongQuestions:
    @pytest.mark.parametrize(
        ("options", "says"),
        [
            (["--question", "whence"], "unknown question 'whence'; use why, why_not or why_rather"),
            (["--user", USER, "--question", "why_not"], "why_not needs an item"),
            (["--user", USER, "--question", "why_rather"], "why_rather needs an item"),
            (["--user", USER, "--item", "FIRST", "--question", "why_rather"], "needs a second item"),
            (["--user", USER, "--item", "FIRST", "--question", "why_rather", "--versus", "FIRST"], "than itself"),
            (["--user", USER, "--item", "FIRST", "--question", "why_rather", "--versus", "OUTSIDE"], "not compete"),
            (["--user", USER, "--item", "FIRST", "--question", "why_rather", "--versus", "x"], "no item 'x' here"),
            (["--user", USER, "--item", "FIRST", "--versus", "LAST"], "ask why_rather"),
            (["--user", USER, "--item", "OUTSIDE"], f"does not compete for the list of {USER}"),
            (["--user", USER, "--item", "OUTSIDE", "--question", "why_not"], "it is not among their candidates"),
            (["--user", USER, "--item", "LAST"], "; ask why_not"),
            (["--user", USER, "--item", "x", "--question", "why_not"], "no item 'x' here"),
            (["--user", "x", "--item", "LAST", "--question", "why_not"], "no user 'x' here"),
            (
                ["--item", "LAST", "--question", "why_not"],
                "--user is missing; name the user whose list the question is about",
            ),
            (["--question", "why_not"], "--user is missing"),
            (["--versus", "LAST"], "--user is missing"),
            (["--user", USER, "--match-values"], "--match-values needs --question why_rather"),
            (["--user", USER, "--item", "LAST", "--question", "why_not", "--goal", "complete"], "the goal complete"),
            (["--user", ""], "no user '' here"),
            (["--user", "[/b]\n"], "no user '[/b]\\n' here"),
        ],
    )
    def test_are_usage_in_one_line(self, explain, ranking, outside: str, options: list[str], says: str) -> None:
        real = {"FIRST": ranking[0], "LAST": ranking[-1], "OUTSIDE": outside}
        outcome = explain(*(real.get(option, option) for option in options))
        assert outcome.status == 2
        assert says in outcome.error

    def test_a_folder_that_is_no_run(self, tmp_path: Path) -> None:
        outcome = counterec("explain", tmp_path, "--user", USER, "--question", "why_not", "--item", "P0001")
        assert outcome.status == 1
        assert str(tmp_path) in outcome.error

    def test_a_run_that_was_damaged(self, own_run: Path) -> None:
        (own_run / "model.safetensors").write_bytes(b"nonsense")
        outcome = counterec("explain", own_run, "--user", USER)
        assert outcome.status == 1
        assert "model.safetensors" in outcome.error


class TestComplete:
    def test_its_second_figure_is_printed_with_its_cases(self, own_run: Path) -> None:
        outcome = counterec("explain", own_run, "--goal", "complete")
        assert outcome.status == 0
        found = open_run(own_run).evaluation["explanations"]["complete"]
        lines = [line.split("│") for line in outcome.out.splitlines() if line.startswith("│")]
        shown = [(cells[1].strip(), cells[2].strip()) for cells in lines]
        assert set(found["elsewhere"]) == {"k=4", "k=6", "trained again"}
        for ground, measured in found["elsewhere"].items():
            at = [heading for heading, _ in shown].index(f"PN / PS, {ground}")
            assert shown[at][1] == f"{measured['pn']['value']:.3f} / {measured['ps']['value']:.3f}"
            assert shown[at + 1] == ("in that list", str(measured["pn"]["cases"]))
        cases = {measured["pn"]["cases"] for measured in found["elsewhere"].values()}
        assert len(cases) > 1, "all conditions have the same number of cases, so mixing them up would not show"
        as_json = counterec("explain", own_run, "--goal", "complete", "--json").json
        assert as_json["evaluation"]["explanations"] == {"complete": found}
        assert "would" in outcome.text

    def test_it_says_what_is_necessary_and_sufficient(self, explain) -> None:
        rows: list[dict[str, Any]] = explain("--user", USER, "--goal", "complete", "--json").json["items"]
        explained = [row for row in rows if row["status"] == "explained"]
        assert len(explained) >= 2
        for row in explained:
            said = row["sentence"].split(". ")[1]
            assert said.startswith("If no item had been") == row["necessary"]
            assert said.endswith("would stay in it.") == row["sufficient"]
