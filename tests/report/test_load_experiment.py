"""An experiment loaded from the files that its stages write."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl

from counterec.report.experiment_rows import pool_seeds
from tests.report.rows import World, methods

FRAMES = {"rows": "rows", "elsewhere": "transfer", "sweep": "sweep"}
"""Which frame each file holds."""


def written_seeds(folder: Path, seeds: tuple[int, ...]) -> list[Callable[[str], Path]]:
    """The files of an experiment as its stages leave them; each seed maps a file name to its path."""
    for seed in seeds:
        home = folder / str(seed)
        home.mkdir()
        for file, name in FRAMES.items():
            frame: pl.DataFrame = getattr(World(users=2, seed=seed), name)()
            frame.write_parquet(home / f"{file}.parquet")
        notes = methods(relaxed={"milliseconds": float(seed), "failures": [f"u{seed}"]})
        (home / "methods.json").write_text(json.dumps(notes), encoding="utf-8")
    return [(folder / str(seed)).joinpath for seed in seeds]


def test_seeds_are_read_and_pooled(tmp_path: Path) -> None:
    found = pool_seeds(written_seeds(tmp_path, (2, 10)))
    assert found.seeds == [2, 10]
    assert found.sweep["seed"].unique().sort().to_list() == [2, 10]
    assert len(found.rows) == 2 * len(World(users=2).rows())
    assert found.rows["user"].n_unique() == 2  # the same two users, whatever the seed
    assert found.methods["relaxed"]["milliseconds"] == 6.0
    assert found.methods["relaxed"]["failures"] == ["u2", "u10"]
    assert found.methods["relaxed"]["ranking"]["ndcg"] == {"value": 0.2, "cases": 120, "interval": [0.1, 0.3]}
    assert found.gaps == ["relaxed failed 2 times: u2; u10"]
