"""The paper's experiment on a run: every method measured, then tables, figures and a verdict on each claim."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from counterec.core.devices import threads
from counterec.pipeline import store
from counterec.pipeline.engine import EXPERIMENT, Reporter, Silence, add_stages
from counterec.pipeline.experiment.cells import Cell
from counterec.pipeline.experiment.elsewhere import ELSEWHERE
from counterec.pipeline.experiment.joining import METHODS_FILE, ROWS_FILE
from counterec.pipeline.experiment.plan import cells_of, experiment_stages
from counterec.pipeline.experiment.settings import ExperimentSettings
from counterec.pipeline.experiment.stability import STABILITY
from counterec.pipeline.experiment.sweep import SWEEP
from counterec.pipeline.files import read_json
from counterec.pipeline.manifest import Manifest, verified_path
from counterec.report.experiment import ExperimentRows, write_report
from counterec.report.reading import pooled
from counterec.run import Run


def make_experiment(
    run: Run,
    settings: ExperimentSettings | None = None,
    reporter: Reporter | None = None,
    device: str = "cpu",
) -> dict[str, Path]:
    """Measure every method on a run, write the report of each protocol, and return where each lies.

    What was measured before and has not changed is not measured again. The settings are the run's own by default.
    """
    settings = settings or run.config.experiment
    stages = experiment_stages(run.config, settings, device)
    with threads(1):
        manifest = add_stages(run.folder, run.config.model_dump(mode="json"), stages, reporter or Silence())
    written: dict[str, Path] = {}
    for protocol in settings.protocols:
        folder = run.folder / EXPERIMENT / protocol
        cells = [cell for cell in cells_of(settings, run.config.seed) if cell.protocol == protocol]
        write_report(folder, rows_of(run.folder, manifest, cells), run.statistics, dataset_of(run))
        written[protocol] = folder
    return written


def rows_of(folder: Path, manifest: Manifest, cells: list[Cell]) -> ExperimentRows:
    """What was measured in some cells of one protocol, as one."""

    def path(cell: Cell, file: str) -> Path:
        return verified_path(folder, manifest, cell.place(file))

    def table(file: str) -> pl.DataFrame:
        return pl.concat([store.read_table(path(cell, file)) for cell in cells])

    notes: list[dict[str, Any]] = [read_json(path(cell, METHODS_FILE)) for cell in cells]
    return ExperimentRows(
        rows=table(ROWS_FILE),
        elsewhere=table(ELSEWHERE),
        stability=table(STABILITY),
        sweep=table(SWEEP),
        methods=pooled(notes),
    )


def dataset_of(run: Run) -> str | None:
    """The name of the dataset, where the configuration says what it is."""
    dataset = getattr(run.config, "dataset", None)
    return None if dataset is None else dataset.name
