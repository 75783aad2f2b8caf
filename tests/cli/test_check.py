"""``counterec check``, and the same check before a run works."""

from __future__ import annotations

import shutil
from pathlib import Path
from unittest.mock import patch

import pytest

from counterec import open_run
from counterec.cli.options import column_map
from counterec.pipeline import check
from counterec.pipeline.stage import SilentReporter
from tests.cli.files import counterec, json_lines, reviews, write
from tests.data.messy import write_messy


def test_it_prints_what_a_file_is_and_a_table_that_adds_up(tmp_path: Path) -> None:
    write_messy(tmp_path / "messy.csv")
    outcome = counterec("check", tmp_path / "messy.csv")
    assert outcome.status == 0, outcome.err
    for words in ("│ format │ csv", "UTF-8,", "d/m/Y", "│ read │ 3,000 │", "│ − no user │", "rating off the scale"):
        assert words in outcome.text
    assert "100 users, 150 items and" in outcome.text
    assert "(an estimate)" in outcome.text
    assert all(line.startswith("warning: ") for line in outcome.err.splitlines())


def test_columns_that_are_not_there_are_named(tmp_path: Path) -> None:
    rows = [{"Stars" if name == "rating" else name: value for name, value in row.items()} for row in reviews()]
    (tmp_path / "r.json").write_bytes(json_lines(rows))
    said = "│ not found │ rating: if it has them, --columns rating=NAME"
    assert said in counterec("check", tmp_path / "r.json").text
    assert "not found" not in counterec("check", tmp_path / "r.json", "--columns", "rating=Stars").text


def test_the_table_is_shown_even_if_nobody_stays(tmp_path: Path) -> None:
    outcome = counterec("check", write(tmp_path, "jsonl"), "--min-user-reviews", 20)
    assert outcome.status == 1
    assert "a user with fewer than 20 reviews" in outcome.text
    assert outcome.err.splitlines()[-1].startswith("error: no user is left with --min-user-reviews 20")


class TestBeforeARun:
    def test_dates_that_are_unclear_are_asked_for(self, tmp_path: Path) -> None:
        rows = [{**row, "time": f"{number % 12 + 1}/{number % 11 + 1}/2020"} for number, row in enumerate(reviews())]
        (tmp_path / "r.json").write_bytes(json_lines(rows))
        outcome = counterec("run", tmp_path / "r.json", "--out", tmp_path / "run")
        assert outcome.status == 1
        assert outcome.error.endswith("pass --dates dmy or --dates mdy")
        assert counterec("check", tmp_path / "r.json", "--dates", "mdy").status == 0

    def test_files_that_were_read_before_are_not_read_again_unless_they_changed(
        self, finished: Path, tmp_path: Path
    ) -> None:
        config, run = open_run(finished).config, tmp_path / "run"
        shutil.copytree(finished, run)
        with patch.object(check, "check_sources", side_effect=AssertionError("read again")):
            check.check_run(config, run, SilentReporter())
            with patch.object(check, "sha256", return_value="of other bytes"), pytest.raises(AssertionError):
                check.check_run(config, run, SilentReporter())


class TestConfigAmongTheSources:
    def test_one_without_files_names_its_own(self, tmp_path: Path) -> None:
        write(tmp_path, "csv")
        (tmp_path / "c.toml").write_text("[data]\nsources = ['reviews.csv']\n")
        assert "66 of 66 rows kept" in counterec("check", tmp_path / "c.toml").out


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (["user=a,item=b"], {"user": "a", "item": "b"}),
        (["text=Review, in full,user=who"], {"text": "Review, in full", "user": "who"}),
        (['text="Review, a=b"', "user= who "], {"text": "Review, a=b", "user": "who"}),
        (["user=a", "user=b"], {"user": "b"}),
        ([], None),
        (None, None),
    ],
)
def test_names_of_columns_may_hold_commas(given, meant) -> None:
    assert column_map(given) == meant
