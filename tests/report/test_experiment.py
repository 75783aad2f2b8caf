"""The whole report: its files, its gaps, and what it refuses."""

from __future__ import annotations

import csv
import importlib.util
import json
from pathlib import Path

import polars as pl
import pytest

from counterec.errors import EmptyDataError, InvalidValueError, StoreError
from counterec.report import experiment_report
from counterec.report.experiment_report import ExperimentRows, read_experiment, write_report
from counterec.report.experiment_rows import SCHEMAS
from counterec.report.further_tables import lists_table
from tests.report.rows import STATISTICS, World, methods


def test_everything_that_is_said_to_be_written_is_there(report: tuple[Path, list[Path]]) -> None:
    folder, written = report
    assert set(written) == {path for path in folder.rglob("*") if path.is_file()}
    assert {path.suffix for path in (folder / "tables").iterdir()} == {".txt", ".csv", ".tex"}
    for name in ("claims.txt", "claims.json", "evaluation.json"):
        assert folder / name in written
    assert all(path.stat().st_size > 0 for path in written)


def test_evaluation_holds_every_number(report: tuple[Path, list[Path]], inputs: ExperimentRows) -> None:
    found = json.loads((report[0] / "evaluation.json").read_text(encoding="utf-8"))
    assert (found["protocol"], found["seeds"]) == ("full", [0])
    assert [(c["method"], c["shape"], c["masked"]) for c in found["cells"]] == inputs.cells
    with (report[0] / "tables" / "table4-model-side.csv").open(encoding="utf-8") as file:
        table = {(row["aspects"], row["mask"], row["method"]): row for row in csv.DictReader(file)}
    for cell in found["cells"]:
        row = table[cell["shape"], "with" if cell["masked"] else "without", cell["method"]]
        if cell["f_ns"]["value"] is not None:
            assert float(row["F_NS %"]) == pytest.approx(100 * cell["f_ns"]["value"])
            assert float(row["F_NS % low"]) == pytest.approx(100 * cell["f_ns"]["interval"][0])
            assert int(row["F_NS % cases"]) == cell["f_ns"]["cases"]
    swept = {(point["variant"], point["lambda"], point["alpha"]) for point in found["sweep"]}
    assert swept == set(inputs.sweep.select("variant", "lambda", "alpha").rows())
    assert len(found["claims"]) == 15


def test_claims_are_told_with_errata_and_gaps(report: tuple[Path, list[Path]]) -> None:
    text = (report[0] / "claims.txt").read_text(encoding="utf-8")
    assert "[holds] The mask raises CountER's F1." in text
    assert "[cannot tell] With or without the mask, CountER has a higher F_NS than every baseline." in text
    assert "is 31.1%, not 15.63%" in text
    assert "efm is missing: Cornac is not installed" in text
    claims = json.loads((report[0] / "claims.json").read_text(encoding="utf-8"))
    assert {claim["verdict"] for claim in claims} == {"holds", "cannot tell"}


def test_without_altair_all_but_the_figures_is_written_and_the_gap_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(experiment_report, "find_spec", lambda name: None if name == "vl_convert" else found(name))
    written = write_report(tmp_path, World(users=3).inputs(), STATISTICS, None)
    assert not (tmp_path / "figures").exists()
    assert {path.name for path in written} >= {"evaluation.json", "claims.txt", "table4-model-side.tex"}
    assert "pip install counterec[report]" in (tmp_path / "claims.txt").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "evaluation.json").read_text(encoding="utf-8"))["gaps"] == [
        experiment_report.NO_FIGURES
    ]


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be written"):
        write_report(tmp_path / "file", World(users=2).inputs(), STATISTICS, None)


def test_protocols_are_never_mixed() -> None:
    rows = World(users=2).rows()
    both = pl.concat([rows, rows.with_columns(protocol=pl.lit("sampled"))])
    with pytest.raises(InvalidValueError, match="protocols paper, sampled together; report each by itself"):
        World(users=2).inputs(rows=both)


def test_rows_that_are_not_whole_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="rows has no column necessary_kind; run the experiment again"):
        World(users=2).inputs(rows=World(users=2).rows().drop("necessary_kind"))
    with pytest.raises(EmptyDataError, match="no row"):
        World(users=2).inputs(rows=World(users=2).rows().clear())


def written_seeds(folder: Path, seeds: tuple[int, ...]) -> Path:
    """An experiment's folder as its stages leave it."""
    for seed in seeds:
        home = folder / str(seed)
        home.mkdir()
        for name in SCHEMAS:
            frame = getattr(World(users=2, seed=seed), name)()
            frame.write_parquet(home / f"{name}.parquet")
        notes = methods(relaxed={"milliseconds": float(seed), "failures": [f"u{seed}"]})
        (home / "methods.json").write_text(json.dumps(notes), encoding="utf-8")
    return folder


def test_seeds_are_read_and_pooled(tmp_path: Path) -> None:
    found = read_experiment(written_seeds(tmp_path, (2, 10)))
    assert found.seeds == [2, 10]
    assert found.sweep["seed"].unique().sort().to_list() == [2, 10]
    assert len(found.rows) == 2 * len(World(users=2).rows())
    assert found.rows["user"].n_unique() == 2  # the same two users, whatever the seed
    assert found.methods["relaxed"]["milliseconds"] == 6.0
    assert found.methods["relaxed"]["failures"] == ["u2", "u10"]
    assert found.methods["relaxed"]["ranking"]["ndcg"] == {"value": 0.2, "cases": 120, "interval": [0.1, 0.3]}
    assert found.gaps == ["relaxed failed 2 times: u2; u10"]
    assert read_experiment(tmp_path, [10]).seeds == [10]


def test_a_users_lists_of_all_seeds_are_counted_as_lists(tmp_path: Path) -> None:
    table = lists_table(read_experiment(written_seeds(tmp_path, (2, 10))).methods, ())
    assert table.columns[-1].heading == "lists"
    assert {cells[-1].value for _, cells in table.rows} == {120.0}


def test_an_empty_folder_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(EmptyDataError, match="holds no finished experiment"):
        read_experiment(tmp_path)
