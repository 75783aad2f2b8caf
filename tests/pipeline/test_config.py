"""Settings are checked at the edge; what is wrong with them is said in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from counterec import load_config, make_config
from counterec.errors import ConfigError
from tests.pipeline.tiny import SETTINGS, changed

NAN, INFINITE = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"lists": {"k": 0}}, "lists.k: Input should be greater than or equal to 1, not 0"),
        ({"lists": {"k": "many"}}, "not 'many'"),
        ({"lists": {"protocol": "mine"}}, "lists.protocol: Input should be 'paper' or 'sampled', not 'mine'"),
        ({"lists": {"kay": 5}}, "lists.kay: there is no such setting; check its spelling"),
        ({"training": {"epocs": 5}}, "training.epocs: there is no such setting"),
        ({"explain": {"relaxed": {"gama": 1}}}, "explain.relaxed.gama: there is no such setting"),
        ({"data": {"world": {"user": 5}}}, "data.world.user: there is no such setting"),
        ({"nothing": {}}, "nothing: there is no such setting"),
        ({"training": {"epochs": 0}}, "training: epochs is 0; it must be at least 1"),
        ({"data": {"world": {"users": 0}}}, "a world needs at least one user, not 0"),
        ({"data": {"sources": ["a.json"]}}, "one of the two"),
        ({"data": {"world": None}}, "name the files to read in data.sources, or give data.world"),
        ({"data": {"format": "xml"}}, "unknown format 'xml'; one of amazon, yelp"),
        ({"explain": {"methods": []}}, "no method is named; "),
        ({"explain": {"methods": ["magic"]}}, "unknown method 'magic'"),
        ({"explain": {"methods": ["single", "single"]}}, "method 'single' is named twice"),
        ({"explain": {"margin": NAN}}, "explain.margin"),
        ({"explain": {"margin": INFINITE}}, "explain.margin"),
        ({"aspects": {"ceiling": INFINITE}}, "aspects.ceiling"),
        ({"aspects": {"ceiling": 1}}, "aspects.ceiling: Input should be greater than 1, not 1"),
        ({"data": {"min_user_reviews": 6}}, "leaves users no training review"),
        ({"split": {"held_out": 9}}, "--min-user-reviews 10 leaves users no training review"),
        ({"seed": -1}, "seed: Input should be greater than or equal to 0, not -1"),
    ],
)
def test_a_setting_that_cannot_be(change: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        make_config(changed(SETTINGS, **change), "here")
    assert str(caught.value).startswith("here: ")
    assert says in str(caught.value)
    assert str(caught.value).isprintable()


def test_nothing_at_all() -> None:
    with pytest.raises(ConfigError, match="here: data: Field required"):
        make_config({}, "here")


def test_a_config_survives_being_written_down() -> None:
    config = make_config(changed(SETTINGS, split={"validation": 0}, seed=3), "here")
    assert make_config(config.model_dump(mode="json"), "again") == config


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text('[data]\nsources = ["a.json", "/b.json"]\nitems = "names.csv"\n')
    config = load_config(file)
    assert config.data.sources == (tmp_path / "a.json", Path("/b.json"))
    assert config.data.items == tmp_path / "names.csv"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"[data", "not a TOML file"),
        (b"\xff\xfe", "not a TOML file"),
        (b"data = 5", "data: "),
        (b"", "data: Field required"),
        (b"[data]\nsources = 5", "data.sources"),
        (b"[data]\nsources = [5]\nitems = 5", "data.items"),
    ],
)
def test_a_file_that_is_no_config(tmp_path: Path, content: bytes, says: str) -> None:
    file = tmp_path / "run.toml"
    file.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        load_config(file)
    assert str(caught.value).startswith(f"{file}: ")
    assert says in str(caught.value)


def test_no_file(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(ConfigError, match="cannot be read"):
            load_config(path)
