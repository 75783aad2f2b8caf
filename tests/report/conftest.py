"""An experiment in which every claim of the paper is true, and its report, written once."""

from __future__ import annotations

from pathlib import Path

import pytest

from counterec.report.experiment_report import write_report
from counterec.report.experiment_rows import ExperimentRows
from counterec.report.measures import MethodMeasures, measure_methods
from tests.report.rows import EXPERIMENT_SETTINGS, STATISTICS, World, methods


@pytest.fixture(scope="session")
def experiment() -> ExperimentRows:
    """All methods except EFM, which is missing."""
    rows = World(users=30).rows()
    gaps = methods(efm={"unavailable": "Cornac is not installed"}, gradient={"failures": ["u003", "u009"]})
    return World(users=30).experiment(rows=rows.filter(rows["method"] != "efm"), methods=gaps)


@pytest.fixture(scope="session")
def measures(experiment: ExperimentRows) -> list[MethodMeasures]:
    return measure_methods(experiment)


@pytest.fixture(scope="session")
def report(experiment: ExperimentRows, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The folder of the report, and the names that were returned."""
    folder = tmp_path_factory.mktemp("report")
    return folder, write_report(folder, experiment, STATISTICS, "Cell Phones", EXPERIMENT_SETTINGS)
