"""The report of an experiment is the output of a stage: locked, checksummed, and rid of what an earlier one left."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from counterec import open_run
from counterec.errors import StoreError
from counterec.pipeline.config import ExperimentSettings
from counterec.pipeline.manifest import Manifest
from tests.pipeline.tiny import Recorder

pytestmark = pytest.mark.slow

SMALL = ExperimentSettings(
    protocols=("full",), baselines=(), lambdas=(100.0,), alphas=(0.2,), detail_users=4, sweep_users=2
)


@pytest.fixture(scope="module")
def reported(tiny_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = shutil.copytree(tiny_run, tmp_path_factory.mktemp("report") / "run")
    assert open_run(folder).experiment(SMALL) == {"net/full": folder / "experiment" / "net" / "full"}
    return folder


@pytest.fixture
def own(reported: Path, tmp_path: Path) -> Path:
    return shutil.copytree(reported, tmp_path / "run")


@pytest.fixture
def without_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing takes seconds."""
    monkeypatch.setattr("counterec.report.experiment_report.can_draw", lambda: False)


def test_its_files_are_in_the_manifest(reported: Path) -> None:
    outputs = Manifest.load(reported).stages["net full: report"].outputs
    folder = reported / "experiment" / "net" / "full"
    beside = {path for path in folder.rglob("*") if path.is_file() and path.relative_to(folder).parts[0] != "0"}
    assert {reported / file for file in outputs} == beside
    assert folder / "claims.txt" in beside
    assert folder / "tables" / "table2-fidelity.csv" in beside
    assert any(path.parent.name == "figures" for path in beside)


@pytest.mark.parametrize(("order", "said"), [("seeded draw", True), ("time", False)])
def test_a_split_without_times_is_called_a_draw(own: Path, order: str, said: bool, without_figures: None) -> None:
    manifest = Manifest.load(own)
    split = manifest.stages["split"]
    split = replace(split, counts={**split.counts, "order": order})
    replace(manifest, stages={**manifest.stages, "split": split}).save(own)
    open_run(own).experiment(SMALL, force=("net full: report",))
    for file in ("tables/table3-user-side.txt", "claims.txt"):
        text = " ".join((own / "experiment/net/full" / file).read_text(encoding="utf-8").split())
        assert ("the held-out reviews are a draw, not the last ones of their users" in text) == said, file


@pytest.mark.usefixtures("without_figures")
def test_a_report_with_other_settings_says_what_it_replaces(own: Path) -> None:
    recorder = Recorder()
    open_run(own).experiment(replace(SMALL, ground_truth="all"), recorder)
    assert [line for line in recorder.warnings if "replaces" in line] == [
        "the report on net/full replaces one made with other settings: ground_truth was positive and is all"
    ]
    found = json.loads((own / "experiment" / "net" / "full" / "evaluation.json").read_text())
    assert found["settings"]["ground_truth"] == "all"
    again = Recorder()
    open_run(own).experiment(replace(SMALL, ground_truth="all"), again)
    assert again.warnings == []


@pytest.mark.usefixtures("without_figures")
def test_tables_of_an_earlier_report_are_deleted(own: Path) -> None:
    figures = own / "experiment" / "net" / "full" / "figures"
    assert list(figures.iterdir())
    open_run(own).experiment(SMALL)
    assert not list(figures.iterdir())
    assert (own / "experiment" / "net" / "full" / "claims.txt").is_file()


def test_a_changed_table_is_noticed(own: Path) -> None:
    (own / "experiment" / "net" / "full" / "claims.txt").write_text("everything holds")
    with pytest.raises(StoreError, match=r"claims\.txt: changed since it was written"):
        open_run(own).experiment(SMALL)
