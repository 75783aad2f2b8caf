"""Every setting with every wrong kind of value: the key as the file has it, what may stand there, and the value."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from counterec import load_config, make_config
from counterec.errors import ConfigError
from counterec.pipeline.config import OTHER, RunConfig, every_setting

WRONG: tuple[Any, ...] = ("x", "", 1, 0, -1, 1.5, True, [], ["x"], [1], [[]], {}, {"x": 1}, {"x": "y"}, b"x")
WRONG += (None, float("nan"), float("inf"), 10**30)
PYDANTIC = re.compile(r"Input|Field required|dictionary|instance|valid |pydantic|tuple|keyword|<class")
GIVEN = {"dataset": {"name": "n", "page": "https://p"}}
"""What must be given where a table is."""


def settings_with(key: tuple[str, ...], value: Any) -> dict[str, Any]:
    """The least configuration with one setting of this value."""
    settings: dict[str, Any] = {"data": {"world": {}}}
    part = settings
    for name in key[:-1]:
        part = part.setdefault(name, dict(GIVEN.get(name, {})))
    part[key[-1]] = value
    return settings


@pytest.mark.parametrize("key", sorted(every_setting(RunConfig)), ids=".".join)
def test_the_key_and_what_may_stand_there(key: tuple[str, ...]) -> None:
    refused = 0
    for value in WRONG:
        try:
            make_config(settings_with(key, value), "my.toml")
        except ConfigError as error:
            said = str(error)
            refused += 1
            assert said.startswith("my.toml: "), said
            assert key[-1] in said or f"{key[0]}." in said, said
            assert not PYDANTIC.search(said), said
            assert OTHER not in said
            assert said.isprintable()
    assert refused


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[data]\nsources = "a.csv"', "data.sources: it must be a list in square brackets, not 'a.csv'"),
        ("[data]\nsources = [1]", "data.sources, entry 1: it must be a path in quotes, not 1"),
        ('data = "a.csv"', "data: it must be a table of settings, not 'a.csv'"),
        ("seed = 1", "data: it is missing"),
        ("[data.world]\n[training]\nhidden = [8, 0.5]", "training.hidden, entry 2: it must be a whole number, not 0.5"),
        (
            '[data.world]\n[explain.constraints]\nunreviewed_beyond = "x"',
            "explain.constraints.unreviewed_beyond: it must be a whole number or 'never', not 'x'",
        ),
        ("[data.world]\n[explain.constraints]\nmost = 0", "explain.constraints: most: at most 0 aspects"),
        ("[data.world]\n[explain]\ntelling = 3", "explain.telling: it must be true or false, not 3"),
        ("[data.world]\n[list]\nk = 3", "list: there is no such setting; did you mean lists?"),
        ("x-y = 3\n[data.world]", "x-y: there is no such setting; check its spelling, there are data, dataset"),
        ('[data.world]\n[explain.constraints.costs]\nprice = "x"', "costs.price: it must be a number, not 'x'"),
    ],
)
def test_in_the_words_of_the_file(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "my.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=re.escape(says)) as caught:
        load_config(file)
    assert str(caught.value).startswith(f"{file}: ")
