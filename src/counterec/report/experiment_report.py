"""The report of an experiment: every file of it, written into one folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from counterec.experiment.plan import note_quick, note_users
from counterec.pipeline.files import write_json, writing
from counterec.report.claims.all_claims import all_claims
from counterec.report.claims.claim import Claim
from counterec.report.drawing import can_draw
from counterec.report.evaluation_json import evaluation
from counterec.report.experiment_rows import ExperimentRows
from counterec.report.ground_truth_note import ground_truth_note
from counterec.report.method_comparisons import compare_methods
from counterec.report.method_measures import MethodMeasures, measure_methods
from counterec.report.published_numbers import published
from counterec.report.sweep_measures import SweepPoint, measure_sweep
from counterec.report.tables.all_tables import all_tables
from counterec.report.tables.rendering import ShownTable, comma_separated
from counterec.report.tables.table import Table

TABLES = "tables.json"
"""The file of all tables as they are shown, for the terminal and for the HTML report."""
NO_FIGURES = "figures: not drawn, since Altair and vl-convert-python are not installed; pip install counterec[report]"
NO_CLAIM = "No claim rests on complete: the paper's CountER is relaxed, and single where one aspect is named."


def write_report(
    folder: Path,
    experiment: ExperimentRows,
    statistics: Mapping[str, float],
    dataset: str | None,
    settings: Mapping[str, Any],
    more_notes: Sequence[str] = (),
) -> list[str]:
    """Write the report of one protocol into an empty folder; return the names of all files, relative to the folder.

    ``statistics`` are the counts of Table 1. ``dataset`` names the one of the paper's five datasets that this is, or
    is None. ``settings`` are those of the experiment; they are recorded in ``evaluation.json``. ``more_notes`` are what
    a reader has to know of the data before any number.

    The files depend on these arguments alone, with one exception: without Altair and vl-convert no figure is drawn.
    Then no name under ``figures/`` is returned, and the report names the gap.
    """
    measures = measure_methods(experiment)
    compared, sweep, claims = compare_methods(experiment), measure_sweep(experiment.sweep), all_claims(experiment)
    head = (*note_quick(settings), *note_users(settings), *ground_truth_note(settings), *more_notes)
    draw = can_draw()
    gaps = experiment.gaps if draw else [*experiment.gaps, NO_FIGURES]
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        tables = all_tables(experiment, measures, compared, statistics, dataset, head)
        written = _write_tables(folder, tables)
        written += _write_claims(folder, (*head, NO_CLAIM), claims, gaps)
        if draw:
            written += _write_figures(folder, experiment, measures, sweep)
        found = evaluation(experiment, settings, gaps, measures, compared, sweep, claims)
        write_json(folder / "evaluation.json", found)
    return [*written, "evaluation.json"]


def _write_tables(folder: Path, tables: Sequence[Table]) -> list[str]:
    (folder / "tables").mkdir(exist_ok=True)
    shown = {table.name: ShownTable.of(table) for table in tables}
    texts = {f"tables/{name}.txt": table.text() for name, table in shown.items()}
    texts |= {f"tables/{table.name}.csv": comma_separated(table) for table in tables}
    for file, text in texts.items():
        (folder / file).write_text(text, encoding="utf-8")
    write_json(folder / TABLES, [vars(table) for table in shown.values()])
    return [*texts, TABLES]


def _write_claims(folder: Path, head: Sequence[str], claims: Sequence[Claim], gaps: Sequence[str]) -> list[str]:
    """The claims as text and JSON; the text also lists the paper's errata and what is missing here."""
    errata = [f"{erratum.where}: {erratum.text}" for erratum in published().errata]
    lines = [*head, *([""] if head else []), *map(str, claims), "", "Where the paper disagrees with itself", *errata]
    missing = ["", "What is missing here", *gaps] if gaps else []
    (folder / "claims.txt").write_text("\n".join([*lines, *missing]) + "\n", encoding="utf-8")
    write_json(folder / "claims.json", [claim.as_dict() for claim in claims])
    return ["claims.txt", "claims.json"]


def _write_figures(
    folder: Path, experiment: ExperimentRows, measures: Sequence[MethodMeasures], sweep: Sequence[SweepPoint]
) -> list[str]:
    from counterec.report.chart_style import save  # Altair is optional
    from counterec.report.figures import figures

    (folder / "figures").mkdir(exist_ok=True)
    found = figures(experiment, measures, sweep)
    return [f"figures/{file}" for name, figure in found.items() for file in save(figure, folder / "figures", name)]
