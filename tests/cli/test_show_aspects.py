"""``counterec show``: the data of a run, its aspects, and the sentences behind a number."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from counterec import open_run
from tests.cli.files import counterec, reviews, write_rows


@pytest.fixture
def words(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "r.json", reviews())


def test_counts_shares_and_examples(words: Path, quickly, tmp_path: Path) -> None:
    quickly(words)
    run = open_run(tmp_path / "run")
    found = counterec("show", tmp_path / "run", "--aspects", "--json").json["aspects"]
    training = run.mentions.join(run.split.filter(pl.col("part") == "train"), on=["user_id", "item_id"], how="semi")
    for row in found:
        of_aspect = training.filter(pl.col("aspect") == row["aspect"])
        assert row["mentions"] == len(of_aspect)
        assert row["positive"] == pytest.approx((of_aspect["sentiment"] > 0).mean())
        assert 1 <= len(row["examples"]) <= 3
        assert all(row["aspect"] in example for example in row["examples"])
    assert [row["mentions"] for row in found] == sorted((row["mentions"] for row in found), reverse=True)
    assert {row["aspect"] for row in found} == set(run.space.aspects.texts)


def test_the_size_of_the_data(finished: Path) -> None:
    outcome = counterec("show", finished, "--aspects")
    assert (outcome.status, outcome.err) == (0, "")
    for word in ("users", "items", "reviews", "aspects", "density", "66", "68.750%"):
        assert word in outcome.out
    found = counterec("show", finished, "--aspects", "--json").json["statistics"]
    assert found == open_run(finished).statistics
    assert found == {"users": 6, "items": 16, "reviews": 66, "aspects": 4, "density": 66 / 96}


def test_the_sentences_behind_an_item(finished: Path) -> None:
    run = open_run(finished)
    row = run.mentions.row(0, named=True)
    outcome = counterec("show", finished, "--item", row["item_id"], "--aspect", row["aspect"], "--json")
    found = outcome.json
    column, item = run.space.aspects.number(row["aspect"]), run.space.items.number(row["item_id"])
    assert found["value"] == pytest.approx(float(run.space.item_quality[item, column]))
    wanted = run.mentions.filter(pl.col("item_id") == row["item_id"], pl.col("aspect") == row["aspect"])
    assert len(found["mentions"]) == len(wanted)
    assert {mention["item_id"] for mention in found["mentions"]} == {row["item_id"]}
