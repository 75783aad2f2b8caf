"""The whole report: its files, its settings, its gaps, and what it refuses."""

from __future__ import annotations

import csv
import importlib.util
import json
from pathlib import Path

import pytest

from counterec.report.experiment_report import NO_FIGURES, write_report
from counterec.report.experiment_rows import ExperimentRows
from counterec.report.figure_data import can_draw
from tests.report.rows import EXPERIMENT_SETTINGS, STATISTICS, World

pytestmark = pytest.mark.slow


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_exactly_the_returned_files_are_written(report: tuple[Path, list[str]]) -> None:
    folder, written = report
    assert sorted(written) == sorted(files_in(folder))
    assert {path.suffix for path in (folder / "tables").iterdir()} == {".txt", ".csv"}
    assert {"claims.txt", "claims.json", "tables.json", "evaluation.json", "tables/table4-transfer.txt"} <= set(written)
    assert all(files_in(folder).values())


def test_a_report_depends_on_its_arguments_alone(
    report: tuple[Path, list[str]], experiment: ExperimentRows, tmp_path: Path
) -> None:
    again = tmp_path / "apart" / "again"
    assert write_report(again, experiment, STATISTICS, "Cell Phones", EXPERIMENT_SETTINGS) == report[1]
    assert files_in(again) == files_in(report[0])
    assert [path.name for path in (tmp_path / "apart").iterdir()] == ["again"]


def test_evaluation_holds_every_number(report: tuple[Path, list[str]], experiment: ExperimentRows) -> None:
    found = json.loads((report[0] / "evaluation.json").read_text(encoding="utf-8"))
    assert (found["protocol"], found["seeds"]) == ("full", [0])
    assert [(c["method"], c["shape"], c["masked"]) for c in found["cells"]] == experiment.combinations
    with (report[0] / "tables" / "table4-model-side.csv").open(encoding="utf-8") as file:
        table = {(row["aspects"], row["mask"], row["method"]): row for row in csv.DictReader(file)}
    for cell in found["cells"]:
        row = table[cell["shape"], "with" if cell["masked"] else "without", cell["method"]]
        if cell["f_ns"]["value"] is not None:
            assert float(row["F_NS %"]) == pytest.approx(100 * cell["f_ns"]["value"])
            assert float(row["F_NS % low"]) == pytest.approx(100 * cell["f_ns"]["interval"][0])
            assert int(row["F_NS % cases"]) == cell["f_ns"]["cases"]
    swept = {(point["variant"], point["lambda"], point["alpha"]) for point in found["sweep"]}
    assert swept == set(experiment.sweep.select("variant", "lambda", "alpha").rows())
    assert len(found["claims"]) == 15


def test_claims_are_written_with_errata_and_gaps(report: tuple[Path, list[str]]) -> None:
    text = (report[0] / "claims.txt").read_text(encoding="utf-8")
    assert "[holds] The mask raises CountER's F1." in text
    assert "[cannot tell] With or without the mask, CountER has a higher F_NS than every baseline." in text
    assert "is 31.1%, not 15.63%" in text
    assert "efm is missing: Cornac is not installed" in text
    claims = json.loads((report[0] / "claims.json").read_text(encoding="utf-8"))
    assert {claim["verdict"] for claim in claims} == {"holds", "cannot tell"}


def test_another_ground_truth_is_stated_first_in_claims_and_tables(
    tmp_path: Path, experiment: ExperimentRows, monkeypatch: pytest.MonkeyPatch
) -> None:
    without(monkeypatch, "altair")
    write_report(tmp_path, experiment, STATISTICS, None, {**EXPERIMENT_SETTINGS, "ground_truth": "all"})
    note = 'Ground truth "all": every aspect that the held-out review mentions, praised or not.'
    assert (tmp_path / "claims.txt").read_text(encoding="utf-8").startswith(note)
    for table in (tmp_path / "tables").glob("*.txt"):
        _, _, notes = table.read_text(encoding="utf-8").partition("\n\n* ")
        assert notes.startswith(note) or table.stem == "table1-statistics", table
    found = json.loads((tmp_path / "evaluation.json").read_text(encoding="utf-8"))
    assert found["settings"]["ground_truth"] == "all"


def without(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    """As if a package were not installed."""
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == package else find_spec(name))


@pytest.mark.parametrize("package", ["altair", "vl_convert"])
def test_without_what_draws_all_but_the_figures_is_written_and_the_gap_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    assert can_draw()
    without(monkeypatch, package)
    assert not can_draw()
    written = write_report(tmp_path, World(users=3).experiment(), STATISTICS, None, EXPERIMENT_SETTINGS)
    assert sorted(written) == sorted(files_in(tmp_path))
    assert not [name for name in written if name.startswith("figures/")]
    assert {"evaluation.json", "claims.txt", "tables/table4-model-side.txt"} <= set(written)
    assert "pip install counterec[report]" in (tmp_path / "claims.txt").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "evaluation.json").read_text(encoding="utf-8"))["gaps"] == [NO_FIGURES]
