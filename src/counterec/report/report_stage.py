"""The report of an experiment as a stage: locked, checksummed, and without tables of an earlier report."""

from __future__ import annotations

import shutil

import polars as pl

from counterec.experiment.join import METHODS_FILE
from counterec.experiment.plan import cells_of
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.stage import Stage, StageContext
from counterec.report.experiment_folder import pooled
from counterec.report.experiment_report import write_report
from counterec.report.experiment_rows import SCHEMAS, ExperimentRows
from counterec.report.published import published


def report_stage(config: RunConfig, protocol: str) -> Stage:
    """The rows of all seeds of a protocol → tables, figures, claims and ``evaluation.json`` in its folder."""
    files = (*(f"{name}.parquet" for name in SCHEMAS), METHODS_FILE)
    cells = [cell for cell in cells_of(config) if cell.protocol == protocol]
    measured = [cell.place(file) for cell in cells for file in files]
    return Stage(
        name=f"{protocol}: report",
        config=config,
        settings=("dataset", "experiment", "seed"),
        inputs=(layout.SPLIT, layout.ASPECTS, layout.VOCABULARY, *measured),
        outputs=(),
        code=("counterec.report", "counterec.experiment", "counterec.core.evaluation"),
        work=lambda context: _report(context, protocol),
    )


def _report(context: StageContext, protocol: str) -> None:
    """Write the report beside and hand its files over one by one."""
    _warn_of_other_settings(context, protocol)
    written = context.scratch(f"report/{protocol}/file").parent
    shutil.rmtree(written)
    dataset = context.config.dataset
    names = write_report(
        written,
        _rows(context, protocol),
        _statistics(context),
        dataset.name if dataset and published().has(dataset.name) else None,
        vars(context.config.experiment),
    )
    for name in names:
        (written / name).replace(context.further(f"{layout.EXPERIMENT}{protocol}/{name}"))


def _rows(context: StageContext, protocol: str) -> ExperimentRows:
    folder = context.folder
    cells = [cell for cell in cells_of(context.config) if cell.protocol == protocol]
    frames = {name: pl.concat([folder.table(cell.place(f"{name}.parquet")) for cell in cells]) for name in SCHEMAS}
    return ExperimentRows(**frames, methods=pooled(folder.json(cell.place(METHODS_FILE)) for cell in cells))


def _statistics(context: StageContext) -> dict[str, float]:
    """The paper's Table 1 for this data."""
    space, reviews = context.folder.space, len(context.folder.split)
    users, items = len(space.users), len(space.items)
    return {
        "users": users,
        "items": items,
        "reviews": reviews,
        "aspects": len(space.aspects),
        "density": reviews / (users * items),
    }


def _warn_of_other_settings(context: StageContext, protocol: str) -> None:
    """Say which settings changed where this report replaces one that was made with others."""
    before = (context.before.settings or {}).get("experiment", {}) if context.before else {}
    now = context.stage.config.model_dump(mode="json")["experiment"]
    changed = [name for name in now if before.get(name, now[name]) != now[name]]
    if changed:
        differences = "; ".join(f"{name} was {before[name]} and is {now[name]}" for name in changed)
        context.reporter.warn(f"the report on protocol {protocol} replaces one made with other settings: {differences}")
