"""The rules that name aspects without asking the model, by hand on the tiny run."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from counterec import open_run
from counterec.experiment.methods import alignment, frequency


@pytest.fixture
def cell(tiny_run: Path) -> Any:
    run = open_run(tiny_run)
    return SimpleNamespace(folder=run, mentioned=lambda users: run.space.user_attention[users] != 0)


def test_alignment_is_attention_times_quality_of_what_both_have(cell: Any) -> None:
    space = cell.folder.space
    users, items = np.array([0, 1, 2]), np.array([3, 4, 5])
    found = alignment(cell)(users, items)
    for row, (user, item) in enumerate(zip(users, items, strict=True)):
        for aspect in range(len(space.aspects)):
            x, y = space.user_attention[user, aspect], space.item_quality[item, aspect]
            assert found[row, aspect] == (pytest.approx(x * y) if x and y else -np.inf)


def test_frequency_counts_the_mentions_of_the_training_part(cell: Any) -> None:
    folder = cell.folder
    training = folder.split.filter(pl.col("part") == "train")
    said = folder.aspect_mentions.join(training, on=["user_id", "item_id"], how="semi")
    item = said["item_id"].value_counts(sort=True)["item_id"][0]
    counts = dict(said.filter(pl.col("item_id") == item)["aspect"].value_counts().rows())
    (found,) = frequency(cell)(np.array([0]), folder.space.items.numbers([item]))
    for name, weight in zip(folder.space.aspects.texts, found, strict=True):
        assert (round(weight) if np.isfinite(weight) else 0) == counts.get(name, 0)
    order = [folder.space.aspects.texts[aspect] for aspect in np.argsort(-found, kind="stable")]
    common = dict(said["aspect"].value_counts().rows())
    ranked = [(counts.get(name, 0), common.get(name, 0)) for name in order if name in counts]
    assert ranked == sorted(ranked, reverse=True), "among equals, the aspect that is mentioned more often anywhere"
