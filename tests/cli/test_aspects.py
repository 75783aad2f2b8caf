"""``counterec aspects``: the vocabulary of a run."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from counterec import open_run
from tests.cli.files import counterec, reviews, write, write_rows


@pytest.fixture
def words(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "r.json", reviews())


def test_counts_shares_and_examples(words: Path, quickly, tmp_path: Path) -> None:
    quickly(words)
    run = open_run(tmp_path / "run")
    found = counterec("aspects", tmp_path / "run", "--json").json["aspects"]
    training = run.mentions.join(run.split.filter(pl.col("part") == "train"), on=["user_id", "item_id"], how="semi")
    for row in found:
        of_aspect = training.filter(pl.col("aspect") == row["aspect"])
        assert row["mentions"] == len(of_aspect)
        assert row["positive"] == pytest.approx((of_aspect["sentiment"] > 0).mean())
        assert 1 <= len(row["examples"]) <= 3
        assert all(row["aspect"] in example for example in row["examples"])
    assert [row["mentions"] for row in found] == sorted((row["mentions"] for row in found), reverse=True)
    assert {row["aspect"] for row in found} == set(run.space.aspects.texts)


def test_table(words: Path, quickly, tmp_path: Path) -> None:
    quickly(words)
    outcome = counterec("aspects", tmp_path / "run", "--most", 1)
    assert outcome.status == 0
    assert "positive" in outcome.out
    assert sum(aspect in outcome.out for aspect in ("battery is", "screen is", "camera is", "price is")) == 1


def test_the_names_merged_into_an_aspect(quickly, tmp_path: Path) -> None:
    words = ("bright", "sharp", "dim", "crisp", "vivid", "blurry", "glossy", "cracked", "huge", "clear")
    told = " ".join(f"The screen is {word}. A {word} screen. The display is {word}." for word in words)
    told += " ".join(f" The strap is {word}." for word in ("soft", "comfortable", "loose", "tight", "durable") * 9)
    rows = [{**row, "text": f"{row['text']} {told}"} for row in reviews()]
    assert quickly(write_rows(tmp_path / "alike.json", rows), "--near-synonyms").status == 0
    found = counterec("aspects", tmp_path / "run", "--json").json["aspects"]
    merged = {row["aspect"]: row["merged"] for row in found}
    assert merged["screen"] == ["display"]
    assert "display" not in merged
    assert "screen (display)" in counterec("aspects", tmp_path / "run").out


def test_mentions_that_were_brought_have_no_other_names(quickly, tmp_path: Path) -> None:
    quickly(write(tmp_path, "mentions-csv"))
    found = counterec("aspects", tmp_path / "run", "--json").json["aspects"]
    assert {tuple(row["merged"]) for row in found} == {()}
