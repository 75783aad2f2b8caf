"""The page on models of one's own: every line of it runs."""

from __future__ import annotations

import re
import sys
import types
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import torch

pytest.importorskip("lightgbm")
PAGE = Path(__file__).parent.parent / "docs" / "own-models.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def blocks() -> list[tuple[str, str]]:
    return BLOCK.findall(PAGE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def read_so_far(blocks, tmp_path_factory):
    """The names that the page defines, and the folder in which its files lie."""
    folder, names = tmp_path_factory.mktemp("page"), {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for language, text in blocks:
            if language == "python":
                exec(text, names)
    return folder, names


def test_the_recipe_for_recbole_hands_over_fields_and_takes_scores(read_so_far, monkeypatch):
    class Interaction(dict):
        def to(self, device):
            return self

    class Model:
        device = "cpu"

        def predict(self, interaction):
            return interaction["budget"] - interaction["price"] * 1.0

    module = types.ModuleType("recbole.data.interaction")
    module.Interaction = Interaction
    for name in ("recbole", "recbole.data"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, "recbole.data.interaction", module)
    _, names = read_so_far
    scores = names["of_recbole"](Model(), ["budget", "price"])
    found = scores(pl.DataFrame({"budget": [10, 20]}), pl.DataFrame({"price": [1, 2]}))
    assert isinstance(found, torch.Tensor)
    np.testing.assert_array_equal(found, [9.0, 18.0])
