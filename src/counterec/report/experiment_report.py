"""The whole report of an experiment, written into a folder."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from counterec.pipeline.files import write_json, writing
from counterec.report.claims import claims
from counterec.report.comparisons import comparisons
from counterec.report.experiment_folder import read_experiment
from counterec.report.experiment_rows import ExperimentRows
from counterec.report.measures import Measured, measured
from counterec.report.published import published
from counterec.report.rendering import RENDERINGS
from counterec.report.summary import summary
from counterec.report.sweep import SweptPoint, swept
from counterec.report.table import Table
from counterec.report.tables import tables
from counterec.report.verdict import Claim

__all__ = ["ExperimentRows", "read_experiment", "write_report"]

NO_FIGURES = "figures: not drawn, since Altair and vl-convert-python are not installed; pip install counterec[report]"


def write_report(folder: Path, inputs: ExperimentRows, statistics: dict[str, float], dataset: str | None) -> list[Path]:
    """Write tables, figures, claims and ``evaluation.json``; return the files.

    ``statistics`` are the counts of Table 1. ``dataset`` names the one of the paper's five that this is, if it is one.
    """
    cells = measured(inputs, int(statistics["aspects"]))
    compared, points, judged = comparisons(inputs), swept(inputs.sweep), claims(inputs)
    drawn = find_spec("altair") is not None and find_spec("vl_convert") is not None
    found = summary(inputs, cells, compared, points, judged)
    if not drawn:
        found["gaps"] = [*found["gaps"], NO_FIGURES]
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        written = _write_tables(folder / "tables", tables(inputs, cells, compared, statistics, dataset))
        written += _write_claims(folder, judged, found["gaps"])
        if drawn:
            written += _write_figures(folder / "figures", inputs, cells, points)
        write_json(folder / "evaluation.json", found)
    return [*written, folder / "evaluation.json"]


def _write_tables(folder: Path, made: Sequence[Table]) -> list[Path]:
    folder.mkdir(exist_ok=True)
    written = []
    for table in made:
        for ending, render in RENDERINGS.items():
            path = folder / f"{table.name}.{ending}"
            path.write_text(render(table), encoding="utf-8")
            written.append(path)
    return written


def _write_claims(folder: Path, judged: Sequence[Claim], gaps: Sequence[str]) -> list[Path]:
    """The claims as text and JSON, with what is missing and where the paper disagrees with itself."""
    errata = [f"{erratum.where}: {erratum.text}" for erratum in published().errata]
    text = [*(str(claim) for claim in judged), "", "Where the paper disagrees with itself", *errata]
    missing = ["", "What is missing here", *gaps] if gaps else []
    paths = [folder / "claims.txt", folder / "claims.json"]
    paths[0].write_text("\n".join([*text, *missing]) + "\n", encoding="utf-8")
    write_json(paths[1], [claim.as_dict() for claim in judged])
    return paths


def _write_figures(
    folder: Path, inputs: ExperimentRows, cells: Sequence[Measured], points: Sequence[SweptPoint]
) -> list[Path]:
    from counterec.report.figures import figures, save  # Altair is optional

    folder.mkdir(exist_ok=True)
    return [path for name, figure in figures(inputs, cells, points).items() for path in save(figure, folder, name)]
