"""The stages of an experiment, as tasks: what cells share, and the cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from counterec.core.explainers.goal_names import GOALS
from counterec.errors import UsageError
from counterec.experiment.baselines import baseline_stage
from counterec.experiment.cell_lists import cell_rank_stage
from counterec.experiment.cells import Cell, placed
from counterec.experiment.counterfactuals import counterfactual_stage
from counterec.experiment.fitted_baselines import fit_baseline_stage
from counterec.experiment.join import join_stage
from counterec.experiment.sweep import sweep_stage
from counterec.experiment.transfer import cell_transfer_stage
from counterec.experiment.weighted_stage import weighted_stage
from counterec.pipeline.config import MASKED, RunConfig, check_config
from counterec.pipeline.experiment_settings import NET_AS_PUBLISHED
from counterec.pipeline.stage import Stage
from counterec.pipeline.stages.build import build_stage
from counterec.pipeline.stages.candidates import candidates_stage
from counterec.pipeline.stages.explain import explain_stage
from counterec.pipeline.stages.fit import fit_stage, retrain_stage

SPACE = "X and Y"
"""The tasks that every training waits for."""


def cells_of(config: RunConfig) -> list[Cell]:
    """Each model of the experiment with each protocol and each seed; the first seed is the run's."""
    settings, first, own = config.experiment, config.seed, has_own_space(config)
    quick = settings.quick
    if config.data.tables is not None:
        raise UsageError("an experiment trains its models; the model of this run was imported")
    seeds = range(first, first + settings.seeds)
    return [
        Cell(model, protocol, seed, _is_the_runs(config, model, seed), own, quick, seed + 1 in seeds)
        for model in settings.models
        for protocol in settings.protocols
        for seed in seeds
    ]


def _is_the_runs(config: RunConfig, model: str, seed: int) -> bool:
    return seed == config.seed and model == config.model.kind and not has_own_space(config)


def has_own_space(config: RunConfig) -> bool:
    """Whether the run may make X and Y otherwise than the experiment does: then these are made anew."""
    aspects = config.aspects
    return aspects.everybody or aspects.quality != "eq1"


@dataclass(frozen=True)
class Task:
    """Stages that one process does, one after another, once the tasks they depend on are done."""

    name: str
    stages: tuple[Stage, ...]
    after: tuple[str, ...] = ()


def experiment_tasks(config: RunConfig) -> list[Task]:
    """All tasks: what cells share comes first, and is done once."""
    tasks: dict[str, Task] = {}
    for cell in cells_of(config):
        own = cell_config(config, cell)
        shared = [task for task in _shared_tasks(config, cell) if task.stages]
        for task in shared:
            tasks.setdefault(task.name, task)
        after = tuple(task.name for task in shared)
        tasks[cell.name] = Task(cell.name, tuple(placed(stage, cell) for stage in _cell_stages(own)), after)
    return list(tasks.values())


def experiment_stages(config: RunConfig) -> list[Stage]:
    """The stages of all tasks, one after another."""
    return [stage for task in experiment_tasks(config) for stage in task.stages]


def _shared_tasks(config: RunConfig, cell: Cell) -> Iterator[Task]:
    """X and Y by Eq. 1, and the models of this seed and of the next, and the baselines."""
    own = cell_config(config, cell)
    prepared = list(_preparing_tasks(own, cell))
    yield from prepared
    after = tuple(task.name for task in prepared)
    for one in cells_of(config):
        if one.model == cell.model and one.protocol == cell.protocol and one.seed in (cell.seed, cell.seed + 1):
            yield from _training_tasks(cell_config(config, one), one, after)


def _preparing_tasks(config: RunConfig, cell: Cell) -> Iterator[Task]:
    """What every training starts from."""
    build = build_stage(config)
    if cell.own_space:
        yield Task(SPACE, (replace(build, name=f"experiment: {build.name}", place=cell.place),))


def _training_tasks(config: RunConfig, cell: Cell, after: tuple[str, ...]) -> Iterator[Task]:
    """The model and the baselines of one seed; a model trained again is the next seed's, where there is one."""
    models = [] if cell.uses_the_runs_model else [fit_stage(config)]
    models += [] if cell.has_next else [retrain_stage(config)]
    yield Task(f"{cell.model} {cell.seed}", tuple(placed(stage, cell) for stage in models), after)
    fitted = [fit_baseline_stage(config, name) for name in config.experiment.baselines]
    before = tuple(name for name in after if name == SPACE)
    yield Task(f"baselines {cell.seed}", tuple(placed(stage, cell) for stage in fitted), before)


def _cell_stages(config: RunConfig) -> list[Stage]:
    sampled = config.lists.protocol == "sampled"
    return [
        *([candidates_stage(config)] if sampled else []),
        cell_rank_stage(config),
        *(explain_stage(config, method) for method in config.explain.methods),
        *(counterfactual_stage(config, goal) for goal in GOALS),
        weighted_stage(config),
        *(baseline_stage(config, name) for name in config.experiment.baselines),
        cell_transfer_stage(config),
        sweep_stage(config),
        join_stage(config),
    ]


def cell_config(config: RunConfig, cell: Cell) -> RunConfig:
    """The configuration of one cell: its protocol, seed and kind of model, and every goal with the mask and without.

    What an answer may be is the experiment's to say, not the run's: the paper's answers take any value, its X and Y are
    those of Eq. 1. Y comes from the users alone, since the
    baselines cannot learn from anybody else's words.
    """
    values = config.model_dump(mode="json")
    values["seed"], values["lists"]["protocol"] = cell.seed, cell.protocol
    values["model"]["kind"] = cell.model
    if cell.model == NET_AS_PUBLISHED:
        values["model"]["kind"] = "net"
        values["training"] = {"hidden": values["training"]["hidden"], "as_published": True}
    values["aspects"]["quality"] = "eq1"
    values["aspects"]["everybody"] = False
    values["explain"]["constraints"]["values"] = config.experiment.values
    values["explain"]["telling"] = config.experiment.telling
    values["explain"]["methods"] = [goal + mask for goal in GOALS for mask in ("", MASKED)]
    return check_config(values, f"experiment {cell.folder} {cell.seed}")
