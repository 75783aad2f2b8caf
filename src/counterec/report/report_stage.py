"""The report of an experiment as a stage: locked, checksummed, and without tables of an earlier report."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from counterec.experiment.plan import SPACE_FILES, Cell, list_cells, said
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.folder import RunFolder
from counterec.pipeline.stage import Stage, StageContext
from counterec.report.drawing import DRAWING, can_draw
from counterec.report.experiment_report import write_report
from counterec.report.load_experiment import FILES, METHODS, pool_seeds
from counterec.report.published_numbers import published

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
            "counterec.pipeline.aspect_choice",
            "counterec.pipeline.space_choice",
            "counterec.pipeline.space_building",
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
