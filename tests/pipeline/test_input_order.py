"""The order of the rows in a source does not matter: every table, and X and Y, come out the same to the byte."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterec import make_config
from counterec.pipeline.engine import run_stages
from counterec.pipeline.stage import SilentReporter
from counterec.pipeline.stages import run_stages_of
from counterec.synthetic.reviews import synthetic_mentions, synthetic_reviews
from counterec.synthetic.world import WorldSize, synthetic_world

FILES = ("reviews.parquet", "mentions.parquet", "split.parquet", "aspects.safetensors", "vocabulary.json")


def reviews(seed: int, times: str) -> list[dict[str, Any]]:
    """A small world as records, with what invites an order to matter: repeated rows, rival reviews, missing times."""
    table = synthetic_reviews(synthetic_world(WorldSize(8, 30, 4, 12, 12.5), seed), seed)
    rows = table.with_columns(pl.col("time").dt.to_string()).to_dicts()
    random = np.random.default_rng(seed)
    for place in random.choice(len(rows), 12, replace=False):
        rows.append(dict(rows[place]))
        rows.append({**rows[place], "text": f"The screen is {random.choice(['awful', 'great'])}."})
        rows.append({**rows[place], "rating": float(random.integers(1, 6)), "time": None})
    if times != "all":
        for row in rows:
            if times == "none" or random.random() < 0.2:
                row["time"] = None
    return rows


def mentions(seed: int, times: str) -> list[dict[str, Any]]:
    rows = synthetic_mentions(synthetic_world(WorldSize(8, 30, 4, 12, 12.5), seed)).to_dicts()
    random = np.random.default_rng(seed)
    if times != "none":
        for row in rows:
            row["time"] = int(random.integers(10**9, 10**9 + 3)) if times == "all" or random.random() < 0.5 else None
    return rows


def made(rows: list[dict[str, Any]], folder: Path, format_: str) -> dict[str, bytes]:
    """What a source with these rows, in this order, becomes."""
    source = folder / "source.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    config = make_config({"data": {"sources": [source], "format": format_}, "aspects": {"min_mentions": 2}}, "test")
    early = [stage for stage in run_stages_of(config) if stage.name in ("read", "split", "extract", "build")]
    run_stages(folder / "run", {}, early, SilentReporter())
    return {file: (folder / "run" / file).read_bytes() for file in FILES}


@pytest.mark.parametrize(("records", "format_"), [(reviews, "jsonl"), (mentions, "mentions")])
@settings(max_examples=4, deadline=None)
@given(st.integers(0, 1000), st.sampled_from(["all", "some", "none"]), st.randoms(use_true_random=False))
def test_permuting_the_rows_changes_no_byte(records, format_, seed, times, random) -> None:
    rows = records(seed, times)
    shuffled = random.sample(rows, len(rows))
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        first, second = made(rows, Path(one), format_), made(shuffled, Path(other), format_)
    assert [file for file in FILES if first[file] != second[file]] == []


def test_rows_may_lie_in_several_files(tmp_path: Path) -> None:
    rows = reviews(1, "some")
    whole = made(rows, tmp_path, "jsonl")
    halves = [tmp_path / "a" / "half.jsonl", tmp_path / "b" / "half.jsonl"]
    for path, part in zip(halves, (rows[50:], rows[:50]), strict=True):
        path.parent.mkdir()
        path.write_text("".join(json.dumps(row) + "\n" for row in part))
    config = make_config({"data": {"sources": halves}, "aspects": {"min_mentions": 2}}, "test")
    run_stages(tmp_path / "halves", {}, run_stages_of(config)[:4], SilentReporter())
    assert {file: (tmp_path / "halves" / file).read_bytes() for file in FILES} == whole
