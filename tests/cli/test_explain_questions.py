"""``counterec explain``: every question from the command line, and the messages for wrong ones."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from counterec import open_run
from counterec.core.explainers.goal_names import GOALS
from counterec.wording import sentence
from tests import naive
from tests.cli.conftest import USER
from tests.cli.files import counterec
from tests.pipeline.test_questions_on_disk import check, places

pytestmark = pytest.mark.slow

K = 5


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
