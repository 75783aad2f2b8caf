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
    @pytest.mark.parametrize("options", [[], ["--goal", "relaxed"], ["--goal", "single"], ["--only-mentioned"]])
    def test_says_why_each_item_is_in_it(self, finished: Path, options: list[str]) -> None:
        outcome = counterec("explain", finished, "--user", "u03", *options)
        assert outcome.status == 0
        assert "The list of u03" in outcome.out
        for position in range(1, 6):
            assert f"\n{position}. " in outcome.out

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

    def test_one_item(self, finished: Path) -> None:
        item = open_run(finished).explanations_table("minimal").filter(user_id="u03")["item_id"][2]
        (row,) = counterec("explain", finished, "--user", "u03", "--item", item, "--json").json["items"]
        assert (row["item_id"], row["position"], row["question"]) == (item, 3, "why")


class TestByHistory:
    def test_each_item_has_its_past_reviews(self, finished: Path) -> None:
        outcome = counterec("explain", finished, "--user", "u03", "--by", "history")
        assert outcome.status == 0
        rows = counterec("explain", finished, "--user", "u03", "--by", "history", "--json").json["items"]
        run = open_run(finished)
        assert [row["reviews"] for row in rows] == run.explain("u03", by="history")["reviews"].to_list()
        assert {row["by"] for row in rows} == {"history"}
        assert all(row["sentence"] in outcome.text and row["reason"] in outcome.text for row in rows)

    def test_both(self, finished: Path) -> None:
        options = ["--user", "u03", "--by", "both"]
        rows = counterec("explain", finished, *options, "--json").json["items"]
        assert {row["by"] for row in rows} <= {"aspects", "history"}
        assert len(rows) == 5
        outcome = counterec("explain", finished, *options)
        assert all(row["sentence"] in outcome.text for row in rows)

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

    def test_a_second_time_nothing_is_left_to_do(self, own: Path) -> None:
        assert counterec("explain", own, "--only-mentioned").status == 0
        assert counterec("explain", own, "--only-mentioned").err.count("unchanged") == 2

    def test_prints_a_table_and_sentences(self, own: Path) -> None:
        outcome = counterec("explain", own, "--goal", "relaxed")
        assert "Explanations · protocol full" in outcome.out
        assert "would not be recommended." in outcome.text


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--goal", "tidy"], "unknown goal 'tidy'; use one of relaxed, single, minimal"),
        (["--user", "nobody"], "no user 'nobody' here"),
        (["--user", "u03", "--item", "nothing"], "no item 'nothing' here"),
        (["--item", "i01"], "--user is missing"),
        (["--user", "u03", "--by", "magic"], "unknown by 'magic'; use one of aspects, history, both"),
        (["--by", "history"], "answers by history are not stored in the run; name a user, or a file with --out"),
        (
            ["--user", "u03", "--item", "i01", "--question", "why_not", "--by", "history"],
            "by history, only why can be answered, not why_not",
        ),
        (["--user", "u03", "--by", "history", "--goal", "single"], "goals and constraints do not apply"),
        (["--user", "u03", "--by", "history", "--keep", "battery"], "goals and constraints do not apply"),
    ],
)
def test_bad_questions_are_usage(finished: Path, options: list[str], says: str) -> None:
    outcome = counterec("explain", finished, *options)
    assert outcome.status == 2
    assert says in outcome.error


def test_an_item_outside_the_list_names_the_list(finished: Path) -> None:
    run = open_run(finished)
    listed = run.explanations_table("minimal").filter(user_id="u03")["item_id"].to_list()
    candidates = run.candidates.of(run.space.users.number("u03"))
    outside = next(run.space.items.texts[item] for item in candidates if run.space.items.texts[item] not in listed)
    outcome = counterec("explain", finished, "--user", "u03", "--item", outside)
    assert outcome.status == 2
    assert f"{outside} is not in the list of u03, which holds {', '.join(listed)}" in outcome.error


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
