"""``counterec explain``: one pair, one list, the whole run."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from counterec import Run, open_run
from tests.cli.files import counterec


@pytest.fixture
def own(finished: Path, tmp_path: Path) -> Path:
    """A copy of the finished run that may be written to."""
    return Path(shutil.copytree(finished, tmp_path / "own"))


class TestOneList:
    @pytest.mark.parametrize("goal", ["minimal", "relaxed", "single"])
    @pytest.mark.parametrize("mask", [False, True])
    def test_says_what_the_run_says(self, own: Path, goal: str, mask: bool) -> None:
        method = f"{goal}-masked" if mask else goal
        flags = ["--goal", goal, *(["--only-mentioned"] if mask else [])]
        assert counterec("explain", own, *flags, "--quiet").status == 0
        now = counterec("explain", own, "--user", "u03", *flags, "--json").json["items"]
        written = open_run(own).explanations_table(method).filter(user_id="u03").to_dicts()
        assert [row["status"] for row in now] == [row["status"] for row in written]
        assert [row["aspects"] for row in now] == [row["aspects"] for row in written]


class TestByHistory:
    def test_each_item_has_its_past_reviews(self, finished: Path) -> None:
        outcome = counterec("explain", finished, "--user", "u03", "--by", "history")
        assert outcome.status == 0
        rows = counterec("explain", finished, "--user", "u03", "--by", "history", "--json").json["items"]
        run = open_run(finished)
        assert [row["reviews"] for row in rows] == run.explain("u03", by="history")["reviews"].to_list()
        assert {row["by"] for row in rows} == {"history"}
        assert all(row["sentence"] in outcome.text and row["reason"] in outcome.text for row in rows)

    def test_everybody_into_a_file(self, finished: Path, tmp_path: Path) -> None:
        file = tmp_path / "past.jsonl"
        found = counterec("explain", finished, "--by", "history", "--out", file, "--json").json
        assert found["pairs"] == len(file.read_text().splitlines()) == len(open_run(finished).space.users) * 5


class TestWholeRun:
    def test_adds_a_method_and_evaluates_it(self, own: Path) -> None:
        before = {path.name: path.read_bytes() for path in (own / "explanations").iterdir()}
        outcome = counterec("explain", own, "--goal", "minimal", "--only-mentioned", "--json")
        assert outcome.status == 0
        found = outcome.json["evaluation"]["explanations"]
        assert list(found) == ["minimal-masked"]
        run = open_run(own)
        assert "minimal-masked" in run.methods
        assert len(run.explanations("minimal-masked")) == found["minimal-masked"]["counterfactual"]["fidelity"]["cases"]
        assert before == {name: (own / "explanations" / name).read_bytes() for name in before}


def test_a_whole_run_is_explained_by_all_cores(own_run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def with_method(run: Run, *_: Any, processes: int) -> Run:
        asked.append(processes)
        return run

    monkeypatch.setattr("counterec.core.compute_limits.available_cores", lambda: 5)
    monkeypatch.setattr(Run, "with_method", with_method)
    assert counterec("explain", own_run, "--goal", "single", "-q").status == 0
    assert counterec("explain", own_run, "--goal", "single", "-q", "--processes", 3).status == 0
    assert asked == [5, 3]
