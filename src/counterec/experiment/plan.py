"""The cells of an experiment, where their files lie, and their stages as tasks: what cells share, and the cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from counterec.core.explainers.goal_names import GOALS
from counterec.errors import UsageError
from counterec.experiment.fitted_baselines import FITTED, fit_baseline_stage
from counterec.experiment.methods import baseline_stage, counterfactual_stage, weighted_stage
from counterec.experiment.studies import cell_rank_stage, cell_transfer_stage, join_stage, sweep_stage
from counterec.pipeline import layout
from counterec.pipeline.config import MASKED, NET_AS_PUBLISHED, RunConfig, check_config
from counterec.pipeline.stage import Stage
from counterec.pipeline.stages.build import build_stage
from counterec.pipeline.stages.explain import explain_stage
from counterec.pipeline.stages.model import candidates_stage, fit_stage, retrain_stage

SPACE_FILES = frozenset({layout.ASPECTS, layout.VOCABULARY})
SHARED_WITH_THE_RUN = SPACE_FILES | {
    *(layout.REVIEWS, layout.MENTIONS, layout.LEARNED, layout.SPLIT),
    *(layout.OTHER_REVIEWS, layout.OTHER_MENTIONS),
}
"""Files that every cell shares with the run: data does not depend on model, protocol and seed."""
MODEL_FILES = frozenset({layout.MODEL, layout.MODEL_DESCRIPTION})
OF_A_MODEL = MODEL_FILES | {layout.RETRAINED_MODEL}
"""Files that the protocols of one model and seed share: candidates play no part in training."""
TRAINED_AGAIN = {layout.RETRAINED_MODEL: layout.MODEL}
"""What is trained again from the next seed, and what the next seed calls it."""
QUICK_FOLDER = "quick/"
"""Where a quick experiment lies, so that it never replaces a whole one."""


@dataclass(frozen=True)
class Cell:
    """One model, one protocol, one seed."""

    model: str
    protocol: str
    seed: int
    uses_the_runs_model: bool = False
    """Whether seed and kind of model are the run's, so that its model is the run's model."""
    own_space: bool = False
    """Whether the run's X and Y are not those of Eq. 1, so that the experiment has its own."""
    quick: bool = False
    """Whether only some users are measured."""
    has_next: bool = False
    """Whether the experiment has the next seed, too: what is trained again for this one is what that one trains."""

    @property
    def folder(self) -> str:
        """Where the report over all seeds lies, below the folder of experiments: the model and the protocol."""
        return f"{QUICK_FOLDER if self.quick else ''}{self.model}/{self.protocol}"

    @property
    def name(self) -> str:
        """Model, protocol and seed, as stages and tasks say it."""
        return f"{said(self.folder)} {self.seed}"

    def place(self, file: str) -> str:
        """Where a file lies in the run folder, by the plain name that stages know it by."""
        if self.own_space and file in SPACE_FILES:
            return f"{layout.EXPERIMENT}{file}"
        if self.has_next and file in TRAINED_AGAIN:
            return replace(self, seed=self.seed + 1, uses_the_runs_model=False).place(TRAINED_AGAIN[file])
        given = self.protocol == "given" and file == layout.CANDIDATES
        if given or file in SHARED_WITH_THE_RUN or (self.uses_the_runs_model and file in MODEL_FILES):
            return file
        if file in OF_A_MODEL:
            return f"{layout.EXPERIMENT}{self.model}/trained/{self.seed}/{file}"
        if file.startswith(FITTED):
            return f"{layout.EXPERIMENT}{FITTED}{self.seed}/{file.removeprefix(FITTED)}"
        return f"{layout.EXPERIMENT}{self.folder}/{self.seed}/{file}"


def said(folder: str) -> str:
    """The folder of a report in the names of stages, which hold nothing that looks like a path."""
    return folder.replace("/", " ")


def place_stage(stage: Stage, cell: Cell) -> Stage:
    """The same stage, reading and writing in a cell: no stage of a run knows that there are experiments."""
    if OF_A_MODEL.issuperset(stage.outputs):
        where = f"{cell.model} {cell.seed}"
    elif all(file.startswith(FITTED) for file in stage.outputs):
        where = f"seed {cell.seed}"
    else:
        where = cell.name
    return replace(stage, name=f"{where}: {stage.name}", place=cell.place)


SPACE = "X and Y"
"""The tasks that every training waits for."""


def list_cells(config: RunConfig) -> list[Cell]:
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
    for cell in list_cells(config):
        own = cell_config(config, cell)
        shared = [task for task in _shared_tasks(config, cell) if task.stages]
        for task in shared:
            tasks.setdefault(task.name, task)
        after = tuple(task.name for task in shared)
        tasks[cell.name] = Task(cell.name, tuple(place_stage(stage, cell) for stage in _cell_stages(own)), after)
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
    for one in list_cells(config):
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
    yield Task(f"{cell.model} {cell.seed}", tuple(place_stage(stage, cell) for stage in models), after)
    fitted = [fit_baseline_stage(config, name) for name in config.experiment.baselines]
    before = tuple(name for name in after if name == SPACE)
    yield Task(f"baselines {cell.seed}", tuple(place_stage(stage, cell) for stage in fitted), before)


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


QUICK: Mapping[str, Any] = {
    "seeds": 1,
    "protocols": ("sampled",),
    "quick": True,
    "users": 100,
    "detail_users": 30,
    "sweep_users": 20,
    "baselines": ("efm", "a2cf"),
    "lambdas": (100.0,),
    "alphas": (0.2,),
}
"""What a quick experiment measures, where nothing else is asked for."""


def note_users(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """One line on how many users were drawn; none where all of them, or those of a quick look, are measured."""
    most = settings.get("users", 0)
    if not most or settings.get("quick", False):
        return ()
    return (f"Of at most {most} users per seed, whom each seed draws anew; models and baselines learn from everybody.",)


def note_quick(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """One line on what a quick experiment leaves out; none for a whole one."""
    if not settings.get("quick", False):
        return ()
    left_out = [f"all but {settings['users']} users"] if settings.get("users", 0) else []
    if settings.get("seeds", 1) == 1:
        left_out.append("all seeds but one")
    protocols = settings.get("protocols", ())
    left_out += [f"the protocol {name}" for name in ("full", "sampled") if name not in protocols]
    left_out += [
        f"the baseline {name}" for name in ("efm", "mter", "a2cf") if name not in settings.get("baselines", ())
    ]
    if len(settings.get("lambdas", ())) <= 1 or len(settings.get("alphas", ())) <= 1:
        left_out.append("other values of λ and α than the paper's")
    return (f"A quick experiment, not for conclusions. It leaves out {', '.join(left_out) or 'nothing'}.",)
