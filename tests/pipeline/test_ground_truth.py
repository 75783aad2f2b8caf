"""The ground truth of held-out reviews: what was praised there, or all that was mentioned."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from counterec import open_run


@pytest.mark.parametrize(("which", "least"), [("positive", 1), ("all", -1)])
def test_the_ground_truth_is_read_off_the_held_out_mentions(tiny_run: Path, which, least):
    space = open_run(tiny_run).space
    split, mentions = (pl.read_parquet(tiny_run / f"{name}.parquet") for name in ("split", "mentions"))
    held_out = set(split.filter(pl.col("part") == "test").select("user_id", "item_id").iter_rows())
    expected = {
        (row["user_id"], row["item_id"], row["aspect"])
        for row in mentions.iter_rows(named=True)
        if (row["user_id"], row["item_id"]) in held_out and row["sentiment"] >= least and row["aspect"] in space.aspects
    }
    truth = open_run(tiny_run).ground_truth(which)
    found = {
        (space.users.texts[truth.users[row]], space.items.texts[truth.items[row]], space.aspects.texts[aspect])
        for row, aspect in zip(*truth.praised.nonzero(), strict=True)
    }
    assert found == expected
    assert len(truth.users) == len(held_out)
    assert set(mentions["sentiment"]) == {-1, 1}, "too few mentions for the two to differ"
