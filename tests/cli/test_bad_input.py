"""Every kind of bad input: one line naming file, line and value, or a count in the manifest and a warning."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from counterec import open_run
from tests.cli.files import FIRST, Outcome, Record, counterec, json_lines, reviews

pytestmark = pytest.mark.slow


@pytest.fixture
def refused(tmp_path: Path, quickly) -> Callable[..., str]:
    """Run on a file with this content, which must be refused; return the error message."""

    def refused(name: str, content: bytes, *options: object, status: int = 1) -> str:
        path = tmp_path / name
        path.write_bytes(content)
        outcome: Outcome = quickly(path, *options)
        assert outcome.status == status
        message = outcome.error
        assert message.isprintable()
        assert nothing_is_in_place(tmp_path / "run")
        return message

    return refused


def nothing_is_in_place(run: Path) -> bool:
    """Whether a run folder holds nothing that could be taken for a result."""
    return {path.name for path in run.glob("*")} <= {"manifest.json", ".partial"}


@pytest.fixture
def accepted(tmp_path: Path, quickly) -> Callable[..., tuple[dict[str, Any], list[str]]]:
    """Run on a file with this content; return the counts of the manifest and the warnings."""

    def accepted(name: str, content: bytes, *options: object) -> tuple[dict[str, Any], list[str]]:
        path = tmp_path / name
        path.write_bytes(content)
        outcome: Outcome = quickly(path, "--quiet", *options)
        assert outcome.status == 0, outcome.err
        stages = json.loads((tmp_path / "run" / "manifest.json").read_text())["stages"]
        warned = [line.removeprefix("warning: ") for line in outcome.warnings]
        assert [line for stage in stages.values() for line in stage["warnings"]] == warned
        counts = stages["read"]["counts"]
        counts["problems"] = {name: problem["count"] for name, problem in counts["problems"].items()}
        return {**counts, **stages["split"]["counts"]}, warned

    return accepted


def spoiled(*places: int, **values: Any) -> list[Record]:
    """Good reviews, a few of them with other values."""
    rows = reviews()
    for place in places:
        rows[place] = {**rows[place], **values}
    return rows


class TestFiles:
    def test_an_item_file_that_names_nothing(self, source: Path, tmp_path: Path, quickly) -> None:
        (tmp_path / "names.csv").write_text("id,price\ni00,5\n")
        outcome = quickly(source, "--items", tmp_path / "names.csv")
        assert outcome.status == 1
        assert f"{tmp_path / 'names.csv'} has no column 'name' or 'title'" in outcome.error

    def test_an_item_file_that_names_other_items(self, source: Path, tmp_path: Path, quickly) -> None:
        (tmp_path / "names.csv").write_text("id,name\nB00X,A phone\n")
        outcome = quickly(source, "--items", tmp_path / "names.csv", "--quiet")
        assert outcome.status == 0
        warning = f"warning: {tmp_path / 'names.csv'} names none of the 16 items: its ids are others, such as 'B00X'"
        assert warning in outcome.warnings
        assert open_run(tmp_path / "run").manifest.stages["build"].counts["items_named"] == 0


class TestLines:
    def test_missing_fields(self, accepted) -> None:
        rows = [*reviews(), {"item": "i1"}, {"user": "u00"}, {"user": "u00", "item": "i99", "time": FIRST}]
        counts, warnings = accepted("r.json", json_lines(rows))
        assert counts["problems"] == {"no user": 1, "no item": 1, "no rating": 1, "no text": 1}
        assert counts["reviews"] == 67
        assert any("no user (skipped); the first at r.json line 67" in warning for warning in warnings)

    def test_times_missing_for_some(self, accepted) -> None:
        counts, warnings = accepted("r.json", json_lines(spoiled(0, 1, 2, time=None)))
        assert counts["problems"] == {"no time": 3}
        assert (counts["order"], counts["rows_without_time"]) == ("time", 3)
        assert "3 reviews have no time and count as the earliest of their user" in warnings

    def test_times_missing_for_all(self, accepted) -> None:
        counts, warnings = accepted("r.json", json_lines([{**row, "time": ""} for row in reviews()]))
        assert counts["order"] == "seeded draw"
        assert "no review has a time: the held-out reviews were drawn by the seed" in warnings

    def test_duplicate_rows(self, accepted) -> None:
        rows = reviews()
        counts, warnings = accepted("r.json", json_lines([*rows, *rows[:4], {**rows[5], "time": 1}]))
        assert (counts["reviews_read"], counts["earlier_reviews_dropped"], counts["reviews"]) == (71, 5, 66)
        assert "5 earlier reviews of an item by the same user (dropped)" in warnings

    def test_a_user_with_one_review(self, accepted) -> None:
        counts, warnings = accepted("r.json", json_lines([*reviews(), {**reviews()[0], "user": "passer-by"}]))
        assert (counts["users_read"], counts["users_dropped"], counts["users"]) == (7, 1, 6)
        assert "1 of 7 users have fewer than 10 reviews (left out; --min-user-reviews)" in warnings


class TestThresholds:
    def test_no_user_left(self, refused) -> None:
        message = refused("r.json", json_lines(reviews()), "--min-user-reviews", 20)
        assert "no user is left with --min-user-reviews 20" in message
        assert message.endswith("the most active of 6 users has 11 reviews; try --min-user-reviews 11")

    def test_what_it_says_would_pass_does(self, source: Path, quickly) -> None:
        assert quickly(source, "--min-user-reviews", 11, "--quiet").status == 0

    def test_too_few_items_to_sample(self, source: Path, tmp_path: Path, quickly) -> None:
        outcome = quickly(source, "--protocol", "sampled", "--quiet")
        assert "6 of 6 users have fewer than 100 items to sample; they get all" in outcome.err
        counts = open_run(tmp_path / "run").manifest.stages["candidates"].counts
        assert counts == {"candidates": 6 * (5 + 16 - 11), "users_short_of_negatives": 6}

    def test_no_aspect_left(self, source: Path, quickly) -> None:
        outcome = quickly(source, more="[aspects]\nmin_mentions = 1000\n")
        assert outcome.status == 1
        assert "no aspect has 1000 mentions in the training part (the most frequent has " in outcome.error
        assert "lower aspects.min_mentions = 1000" in outcome.error

    def test_no_opinion_in_any_text(self, tmp_path: Path, quickly) -> None:
        path = tmp_path / "r.json"
        path.write_bytes(json_lines([{**row, "text": "Lorem ipsum"} for row in reviews()]))
        outcome = quickly(path)
        assert outcome.status == 1
        assert "no opinion on any aspect was found" in outcome.error


class TestRunFolder:
    @pytest.mark.parametrize("file", ["aspects.safetensors", "explanations/relaxed-masked.parquet", "manifest.json"])
    def test_a_changed_byte(self, own_run: Path, file: str) -> None:
        data = bytearray((own_run / file).read_bytes())
        data[len(data) // 2] ^= 1
        (own_run / file).write_bytes(data)
        outcome = counterec("show", own_run)
        assert outcome.status == 1
        assert outcome.error.startswith(f"{own_run / file}: ")

    @pytest.mark.parametrize("where", ["file", "file/run", "full"])
    def test_an_output_folder_that_cannot_be_written(self, source: Path, tmp_path: Path, where: str) -> None:
        (tmp_path / "file").write_text("precious")
        (tmp_path / "full").mkdir()
        (tmp_path / "full" / "thesis.tex").write_text("precious")
        outcome = counterec("run", source, "--out", tmp_path / where)
        assert outcome.status == 1
        assert outcome.error.startswith(f"{tmp_path / where}: ")
        assert outcome.error.endswith("with --out")
        assert (tmp_path / "file").read_text() == (tmp_path / "full" / "thesis.tex").read_text() == "precious"

    def test_a_run_that_failed_leaves_a_folder_that_the_next_may_use(self, source: Path, tmp_path, quickly) -> None:
        assert quickly(source, more="[aspects]\nmin_mentions = 1000\n").status == 1
        for command in ("show", "report"):
            outcome = counterec(command, tmp_path / "run")
            assert outcome.status == 1
            assert "the last run was cut short; run it again" in outcome.error
        again = quickly(source)
        assert again.status == 0
        assert again.err.count("unchanged") == 3  # read, split, extract
