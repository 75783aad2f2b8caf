"""One experiment in which every claim of the paper is true, and its report, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from counterec.report.experiment_report import write_report
from counterec.report.experiment_rows import ExperimentRows
from counterec.report.measures import Measured, measured
from tests.report.rows import STATISTICS, World, methods


@pytest.fixture(scope="session")
def inputs() -> ExperimentRows:
    """Everything but EFM, which was not there."""
    rows = World(users=30).rows()
    gaps = methods(efm={"unavailable": "Cornac is not installed"}, gradient={"failures": ["u003", "u009"]})
    return World(users=30).inputs(rows=rows.filter(rows["method"] != "efm"), methods=gaps)


@pytest.fixture(scope="session")
def cells(inputs: ExperimentRows) -> list[Measured]:
    return measured(inputs, int(STATISTICS["aspects"]))


@pytest.fixture(scope="session")
def report(inputs: ExperimentRows, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    """The folder of the report, and what was said to be written."""
    folder = tmp_path_factory.mktemp("report") / "full"
    return folder, write_report(folder, inputs, STATISTICS, "Cell Phones")
