"""What the benchmarks collect of experiments, and how they work out causes."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from benchmarks.causes import strength, sweep
from benchmarks.experiment import collect, collect_run, time_taken

from tests.report.rows import World


def run_of(folder: Path, **seconds: float) -> Path:
    """A run folder in which files took so long."""
    stages = {file: {"outputs": {file.replace("__", "/"): ""}, "seconds": took} for file, took in seconds.items()}
    folder.mkdir()
    (folder / "manifest.json").write_text(json.dumps({"stages": stages}))
    return folder


def test_hours_are_those_of_experiments_and_are_added_up(tmp_path: Path) -> None:
    one = run_of(tmp_path / "one", experiment__net__rows=3600.0, model=7200.0, experiment__quick__net__rows=7200.0)
    other = run_of(tmp_path / "other", experiment__net__rows=5400.0, experiment__baselines__efm=1800.0)
    for name, run in (("phones", one), ("hotels", other)):
        (tmp_path / "kept" / name).mkdir(parents=True)
        collect_run(run, tmp_path / "kept" / name)
    said = list(time_taken(tmp_path / "kept"))
    assert "several of which run at a time" in said[0]
    assert said[-3:] == ["- hotels: 2.0", "- phones: 1.0", "- all data sets: 3.0"]


def test_what_people_read_and_all_numbers_are_collected_and_nothing_stays_of_before(tmp_path: Path) -> None:
    report, kept = tmp_path / "report", tmp_path / "kept"
    files = ("tables/table2.txt", "tables/table2.csv", "figures/order.svg", "figures/order.png", "claims.txt")
    for file in (*files, "evaluation.json"):
        (report / file).parent.mkdir(parents=True, exist_ok=True)
        (report / file).write_text(file)
    kept.mkdir()
    (kept / "table1.txt").write_text("of before")
    collect(report, kept)
    assert {file.name for file in kept.iterdir()} == {
        *("table2.txt", "order.svg", "claims.txt"),
        "evaluation.json.gz",
    }
    assert gzip.decompress((kept / "evaluation.json.gz").read_bytes()) == b"evaluation.json"


def test_strength_is_of_answers_that_alpha_leaves_free() -> None:
    """In the world, every other user has a strength of 0.15, the others 0.05, whatever the position."""
    swept = World(users=30).experiment().sweep
    by_position, halves = strength(swept)
    assert "answers as published, α = 0.2, λ = 100: strength" in by_position
    assert by_position.count(": 0.100, ") == 5
    stronger, weaker = (float(part.split("%")[0].split()[-1]) for part in halves.split(" in the ")[:2])
    assert stronger > weaker
    assert list(strength(World(users=3).experiment().sweep)) == [
        "- strength: as published, α = 0.2, no λ explains enough users"
    ]


def test_every_lambda_has_a_line_and_so_has_our_own_way() -> None:
    said = list(sweep(World(users=10).experiment().sweep))
    assert [line.split(":")[0] for line in said] == [
        "- adaptive",
        *(f"- λ = {lam}, α = 0.2" for lam in (1, 10, 100, 1000)),
    ]
    assert said[1].startswith("- λ = 1, α = 0.2: 50.0% flip"), "a share of 0.5 in the world"
