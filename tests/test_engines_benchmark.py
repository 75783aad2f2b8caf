"""The comparison of ways to make a run: shards in folders of their own, and that what differs is told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from benchmarks.engines import MADE, made, make_in_shards, section
from scripts.compare_runs import differences

from counterec import make_config, make_run
from tests.pipeline.tiny import SETTINGS, again, changed

pytestmark = pytest.mark.slow
CONFIG = make_config(SETTINGS, "test")


def by_one(config, folder: Path) -> None:
    make_run(config, folder)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the run lies that one process made."""
    return made(by_one, CONFIG, tmp_path_factory.mktemp("ways") / "0")


def test_shards_are_made_apart_and_leave_one_folder(place: Path, tmp_path: Path) -> None:
    make_in_shards(CONFIG, tmp_path / "run", 3)
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
    assert not list(differences(tmp_path / "run", place / "run"))


def test_a_finished_way_is_not_made_again(place: Path) -> None:
    def fail(config, folder: Path) -> None:
        raise AssertionError(folder)

    assert made(fail, CONFIG, place) == place
    assert (place / MADE).exists()


def test_the_page_says_that_nothing_differs_or_what_does(place: Path, tmp_path: Path) -> None:
    same, other = tmp_path / "same", tmp_path / "other"
    for copy in (same, other):
        shutil.copytree(place, copy)
    again(other / "run", changed(SETTINGS, explain={"margin_share": 0.01}))
    alike = list(section({"one": place, "two": same}))
    assert alike[-1] == "Nothing differs."
    told = list(section({"one": place, "two": same, "three": other}))
    assert told[-1].startswith("- three: ")
    assert any("margin differs in " in line for line in told)
    assert "Nothing differs." not in told
