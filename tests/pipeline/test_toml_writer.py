"""Settings written as TOML are read back as they were."""

from __future__ import annotations

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from counterec import make_config
from counterec.pipeline.toml_writer import as_toml
from tests.pipeline.tiny import SETTINGS, changed

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
SCALARS = st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | TEXTS
VALUES = SCALARS | st.lists(SCALARS, max_size=3)
TABLES: Any = st.recursive(VALUES, lambda inner: st.dictionaries(TEXTS, inner, max_size=3), max_leaves=10)


@given(st.dictionaries(TEXTS, TABLES, max_size=4))
def test_whatever_is_in_them(settings: dict[str, Any]) -> None:
    assert tomllib.loads(as_toml(settings)) == settings


def test_a_config() -> None:
    limits = {"keep": ["battery life"], "costs": {"battery life": 2.0, 'the "x"': 1e-9}, "most": 2}
    config = make_config(changed(SETTINGS, explain={"constraints": limits}, seed=3), "here")
    written = as_toml(config.model_dump(mode="json", exclude_none=True))
    assert make_config(tomllib.loads(written), "again") == config
