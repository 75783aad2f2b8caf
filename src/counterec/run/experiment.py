"""The paper's experiment on a run: every method measured, then tables, figures and a verdict on each claim."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from counterec.core.devices import threads
from counterec.experiment.plan import cells_of, experiment_stages
from counterec.pipeline.engine import EXPERIMENT, Reporter, Silence, add_stages
from counterec.pipeline.experiment_settings import ExperimentSettings
from counterec.report.experiment_report import write_report
from counterec.report.load_experiment import load_experiment
from counterec.report.published_numbers import published
from counterec.run import Run


def make_experiment(
    run: Run, settings: ExperimentSettings | None = None, reporter: Reporter | None = None, device: str = "cpu"
) -> dict[str, Path]:
    """Measure every method on a run, write the report of each protocol, and return where each lies.

    What was measured before and has not changed is not measured again. The settings are the run's own by default.
    """
    settings = settings or run.config.experiment
    stages = experiment_stages(run.config, settings, device)
    with threads(1):
        add_stages(run.folder, run.config.model_dump(mode="json"), stages, reporter or Silence())
    seeds = [cell.seed for cell in cells_of(settings, run.config.seed)]
    described = run.config.dataset
    dataset = described.name if described and published().has(described.name) else None
    written: dict[str, Path] = {}
    for protocol in settings.protocols:
        folder = written[protocol] = run.folder / EXPERIMENT / protocol
        write_report(folder, load_experiment(folder, seeds), run.statistics, dataset, asdict(settings))
    return written
