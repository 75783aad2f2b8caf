"""Settings are checked at the edge; what is wrong with them is said in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from counterec import Constraints, load_config, make_config
from counterec.errors import ConfigError
from tests.pipeline.tiny import SETTINGS, changed

NAN, INFINITE = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"lists": {"k": 0}}, "lists.k: it must be 1 or more, not 0"),
        ({"lists": {"k": "many"}}, "not 'many'"),
        ({"lists": {"protocol": "mine"}}, "lists.protocol: it must be 'full', 'sampled' or 'given', not 'mine'"),
        (
            {"lists": {"kay": 5}},
            "lists.kay: there is no such setting; check its spelling, there are protocol, k",
        ),
        ({"training": {"epocs": 5}}, "training.epocs: there is no such setting; did you mean epochs?"),
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
        ({"explain": {"margin_share": NAN}}, "explain.margin_share"),
        ({"explain": {"margin_share": INFINITE}}, "explain.margin_share"),
        ({"aspects": {"ceiling": INFINITE}}, "aspects.ceiling"),
        ({"aspects": {"ceiling": 1}}, "aspects.ceiling: it must be above 1, not 1"),
        ({"data": {"min_user_reviews": 6}}, "leaves users no training review"),
        ({"split": {"held_out": 9}}, "--min-user-reviews 10 leaves users no training review"),
        ({"seed": -1}, "seed: it must be 0 or more, not -1"),
    ],
)
def test_a_setting_that_cannot_be(change: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        make_config(changed(SETTINGS, **change), "here")
    assert str(caught.value).startswith("here: ")
    assert says in str(caught.value)
    assert str(caught.value).isprintable()


class TestConstraints:
    """``[explain.constraints]``."""

    @pytest.mark.parametrize(
        ("constraints", "says"),
        [
            ({"masked": True}, "explain.constraints.masked: name the methods with -masked instead"),
            ({"fixd": ["battery"]}, "explain.constraints.fixd: there is no such setting; check its spelling"),
            ({"keep": "battery"}, "explain.constraints.keep"),
            ({"values": "low"}, "constraints.values: it must be 'reachable' or 'continuous', not 'low'"),
            ({"unreviewed_beyond": "always"}, "explain.constraints.unreviewed_beyond"),
            ({"unreviewed_beyond": -1}, "unreviewed_beyond is -1; a number of aspects, or 'never'"),
            ({"most": 0}, "at most 0 aspects: at least 1 must be allowed to move"),
            ({"most": 1.5}, "explain.constraints.most"),
            ({"lowest": {"battery": "much"}}, "explain.constraints.lowest.battery"),
            ({"lowest": {"battery": NAN}}, "constraints.lowest.battery: it must be a finite number, not nan"),
            (
                {"highest": {"battery": INFINITE}},
                "constraints.highest.battery: it must be a finite number, not inf",
            ),
            ({"costs": {"battery": 0}}, "the cost of battery is 0; it must be above 0"),
            ({"costs": {"battery": -1}}, "the cost of battery is -1; it must be above 0"),
            (
                {"lowest": {"battery": 4}, "highest": {"battery": 2}},
                "battery at least 4 and at most 2: no value is both",
            ),
            (
                {"keep": ["price", "battery"], "lowest": {"battery": 2}},
                "battery must not move, and yet has a bound (at least 2)",
            ),
            ({"keep": ["price"], "highest": {"price": 2}}, "price must not move, and yet has a bound (at most 2)"),
        ],
    )
    def test_what_cannot_be(self, constraints: dict[str, Any], says: str) -> None:
        with pytest.raises(ConfigError) as caught:
            make_config(changed(SETTINGS, explain={"constraints": constraints}), "here")
        assert str(caught.value).startswith("here: ")
        assert says in str(caught.value)
        assert str(caught.value).isprintable()

    def test_all_of_them_survive_being_written_down(self) -> None:
        given = {
            "keep": ["price"],
            "lowest": {"battery": 2},
            "highest": {"battery": 4.5},
            "values": "continuous",
            "unreviewed_beyond": "never",
            "most": 3,
            "costs": {"screen": 2.5},
        }
        config = make_config(changed(SETTINGS, explain={"constraints": given}), "here")
        assert config.explain.constraints == Constraints(
            ("price",), {"battery": 2.0}, {"battery": 4.5}, "continuous", "never", 3, {"screen": 2.5}
        )
        assert make_config(config.model_dump(mode="json"), "again") == config


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
        (b"", "data: it is missing"),
        (b"[data]\nsources = 5", "data.sources"),
        (b"[data]\nsources = ['5']\nitems = 5", "data.items"),
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
