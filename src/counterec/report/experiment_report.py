"""The report of an experiment: every file of it, and the stage that writes them into the run folder."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from counterec.errors import InvalidValueError
from counterec.experiment.plan import SPACE_FILES, Cell, list_cells, note_quick, note_users, said
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import write_json, writing
from counterec.pipeline.folder import RunFolder
from counterec.pipeline.stage import Stage, StageContext
from counterec.report.claim import Claim
from counterec.report.claims import all_claims
from counterec.report.experiment_rows import FILES, METHODS, ExperimentRows, pool_seeds
from counterec.report.figure_data import DRAWING, can_draw
from counterec.report.measures import (
    Comparison,
    MethodMeasures,
    SweepPoint,
    compare_methods,
    measure_methods,
    measure_sweep,
)
from counterec.report.paper import published
from counterec.report.table import ShownTable, Table, comma_separated
from counterec.report.tables import all_tables

REPORT = ": report"
"""How the name of the stage ends, after model and protocol."""


def report_stage(config: RunConfig, folder: str) -> Stage:
    """The rows of all seeds of a model and a protocol → tables, figures, claims and ``evaluation.json``.

    ``folder`` names both, as a cell does; the report lies there.
    """
    cells = [cell for cell in list_cells(config) if cell.folder == folder]
    files = (*FILES.values(), METHODS)
    measured = [cell.place(file) for cell in cells for file in files]
    return Stage(
        name=f"{said(folder)}{REPORT}",
        config=config,
        settings=("dataset", "experiment", "model.kind", "seed", "aspects.quality"),
        inputs=(layout.SPLIT, layout.ASPECTS, layout.VOCABULARY, *measured),
        outputs=(),
        code=(
            "counterec.report",
            "counterec.experiment",
            "counterec.core",
            "counterec.pipeline.explanation_tables",
            "counterec.data",
            "counterec.extraction",
            "counterec.synthetic",
            "counterec.pipeline.evidence",
            "counterec.pipeline.hybrid_model",
            "counterec.pipeline.net_model",
            "counterec.pipeline.stages",
            "counterec.baselines",
            *(DRAWING if can_draw() else ()),
        ),
        work=lambda context: _report(context, folder, cells),
        place=partial(_place, cells[0]),
    )


def _place(cell: Cell, file: str) -> str:
    """Where a file lies: X and Y are those that the experiment measures; all else is named by where it lies."""
    return cell.place(file) if file in SPACE_FILES else file


def _report(context: StageContext, place: str, cells: list[Cell]) -> None:
    """Write the report into a scratch folder, then hand its files over one by one."""
    _warn_of_other_settings(context, place)
    folder = context.scratch(f"report/{place}/file").parent
    shutil.rmtree(folder)
    seeds = [partial(_path, context.folder, cell) for cell in cells]
    dataset = context.config.dataset
    known = dataset.name if dataset and published().has(dataset.name) else None
    experiment = pool_seeds(seeds)
    settings, notes = vars(context.config.experiment), _order_note(context)
    names = write_report(folder, experiment, _statistics(context), known, settings, notes)
    for name in names:
        (folder / name).replace(context.further(f"{layout.EXPERIMENT}{place}/{name}"))


def _order_note(context: StageContext) -> tuple[str, ...]:
    """One line where the data has no times: then what is held out is no later than what is learned from."""
    split = context.manifest.stages.get("split")
    if split is None or split.counts.get("order", "time") == "time":
        return ()
    return ("The data has no times: the held-out reviews are a draw, not the last ones of their users.",)


def _path(folder: RunFolder, cell: Cell, file: str) -> Path:
    return folder.file(cell.place(file))


def _statistics(context: StageContext) -> dict[str, float]:
    """The paper's Table 1 for this data, as the experiment has it: its own aspects, not the run's."""
    space, reviews = context.folder.space, len(context.folder.split)
    users, items = len(space.users), len(space.items)
    return {
        "users": users,
        "items": items,
        "reviews": reviews,
        "aspects": len(space.aspects),
        "density": reviews / (users * items),
    }


def _warn_of_other_settings(context: StageContext, place: str) -> None:
    """Say which settings changed where this report replaces one that was made with others."""
    before = (context.before.settings or {}).get("experiment", {}) if context.before else {}
    now = context.stage.config.model_dump(mode="json")["experiment"]
    changed = [name for name in now if before.get(name, now[name]) != now[name]]
    if changed:
        differences = "; ".join(f"{name} was {before[name]} and is {now[name]}" for name in changed)
        context.reporter.warn(f"the report on {place} replaces one made with other settings: {differences}")


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
    from counterec.report.figures import (
        figures,
        save,  # Altair is optional
    )

    (folder / "figures").mkdir(exist_ok=True)
    found = figures(experiment, measures, sweep)
    return [f"figures/{file}" for name, figure in found.items() for file in save(figure, folder / "figures", name)]


def evaluation(
    experiment: ExperimentRows,
    settings: Mapping[str, Any],
    gaps: Sequence[str],
    measures: Sequence[MethodMeasures],
    compared: Sequence[Comparison],
    sweep: Sequence[SweepPoint],
    claims: Sequence[Claim],
) -> dict[str, Any]:
    """The report as one JSON object; ``gaps`` say what is missing from it, and why."""
    return {
        "protocol": experiment.protocol,
        "seeds": experiment.seeds,
        "settings": dict(settings),
        "gaps": list(gaps),
        "methods": experiment.methods,
        "cells": [one.as_dict() for one in measures],
        "differences": [comparison.as_dict() for comparison in compared],
        "sweep": [point.as_dict() for point in sweep],
        "claims": [claim.as_dict() for claim in claims],
    }


AS_PUBLISHED = "positive"
"""The paper's rule: the aspects that the user praised in the held-out review."""
OTHERWISE = {"all": "every aspect that the held-out review mentions, praised or not"}


def ground_truth_note(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """One line where the ground truth of the experiment is not the paper's, else none."""
    rule = settings.get("ground_truth")
    if rule == AS_PUBLISHED:
        return ()
    if rule not in OTHERWISE:
        known = " or ".join((AS_PUBLISHED, *OTHERWISE))
        raise InvalidValueError(f"the experiment's ground_truth is {rule!r}; hand over its settings with {known}")
    return (f'Ground truth "{rule}": {OTHERWISE[rule]}. The paper counts only praised aspects.',)
