"""The stages of an experiment: cell after cell."""

from __future__ import annotations

from dataclasses import replace

from counterec.core.attribution import ATTRIBUTIONS
from counterec.core.explainers.goal_names import GOALS, Goal
from counterec.experiment.attributions import attribution_stage
from counterec.experiment.baselines import baseline_stage
from counterec.experiment.cells import Cell, placed
from counterec.experiment.counterfactuals import counterfactual_stage
from counterec.experiment.join import join_stage
from counterec.experiment.plugged_explainers import explainer_plugins, plugged_explainer_stage
from counterec.experiment.plugged_metrics import metrics_stage
from counterec.experiment.stability import stability_stage
from counterec.experiment.sweep import sweep_stage
from counterec.experiment.transfer import cell_transfer_stage
from counterec.experiment.unmeasured import unmeasured_stage
from counterec.pipeline.config import MASKED, RULES, RunConfig, make_config
from counterec.pipeline.stage import Stage
from counterec.pipeline.stages.build import build_stage
from counterec.pipeline.stages.candidates import candidates_stage
from counterec.pipeline.stages.explain import explain_stage
from counterec.pipeline.stages.fit import fit_stage, retrain_stage
from counterec.pipeline.stages.rank import rank_stage


def cells_of(config: RunConfig) -> list[Cell]:
    """Each protocol of the experiment with each of its seeds; the first seed is the run's."""
    if config.data.tables is not None:  # an imported model is measured as it is, on its own candidates
        return [Cell(config.lists.protocol, config.seed, uses_the_runs_model=True)]
    settings, first, own = config.experiment, config.seed, has_own_space(config)
    same_model = config.experiment.model == config.model.kind and not own
    seeds = range(first, first + settings.seeds)
    return [
        Cell(protocol, seed, seed == first and same_model, own) for protocol in settings.protocols for seed in seeds
    ]


def has_own_space(config: RunConfig) -> bool:
    """Whether the run may make X and Y otherwise than the experiment does: then these are made anew."""
    aspects = config.aspects
    return aspects.everybody or (aspects.quality, aspects.attention) != ("eq1", "eq1")


def experiment_stages(config: RunConfig) -> list[Stage]:
    """All stages; those that a cell shares with another are listed once."""
    stages: dict[str, Stage] = {}
    for cell in cells_of(config):
        if cell.own_space:
            build = build_stage(cell_config(config, cell))
            stages.setdefault(build.name, replace(build, name=f"experiment: {build.name}", place=cell.place))
        for stage in _cell_stages(cell_config(config, cell), cell):
            stages.setdefault(stage.name, stage)
    return list(stages.values())


def _cell_stages(config: RunConfig, cell: Cell) -> list[Stage]:
    if config.data.tables is not None:
        return [placed(stage, cell) for stage in _imported_stages(config)]
    sampled = config.lists.protocol == "sampled"
    stages = [
        *([] if cell.uses_the_runs_model else [fit_stage(config)]),
        retrain_stage(config),
        *([candidates_stage(config)] if sampled else []),
        rank_stage(config),
        *(explain_stage(config, method) for method in config.explain.methods),
        *(counterfactual_stage(config, goal) for goal in GOALS),
        *(attribution_stage(config, name) for name in ATTRIBUTIONS),
        *(baseline_stage(config, name) for name in config.experiment.baselines),
        *(plugged_explainer_stage(config, plugin) for plugin in explainer_plugins(config)),
        cell_transfer_stage(config),
        stability_stage(config),
        sweep_stage(config),
        join_stage(config),
        *([metrics_stage(config)] if config.experiment.metrics else []),
    ]
    return [placed(stage, cell) for stage in stages]


IMPORTED_GOALS: tuple[Goal, ...] = tuple(goal for goal in GOALS if goal != "relaxed")
"""The goals that ask a model for scores alone."""


def _imported_stages(config: RunConfig) -> list[Stage]:
    """What can be measured of a model that was trained elsewhere."""
    return [
        rank_stage(config),
        *(explain_stage(config, method) for method in config.explain.methods),
        *(counterfactual_stage(config, goal) for goal in IMPORTED_GOALS),
        *(attribution_stage(config, name, guide="minimal") for name in ATTRIBUTIONS),
        *(plugged_explainer_stage(config, plugin) for plugin in explainer_plugins(config)),
        unmeasured_stage(config, ("relaxed",)),
        join_stage(config),
        *([metrics_stage(config)] if config.experiment.metrics else []),
    ]


def cell_config(config: RunConfig, cell: Cell) -> RunConfig:
    """The configuration of one cell: its protocol, seed and kind of model, and every goal with the mask and without.

    What an answer may be is the experiment's to say, not the run's: the paper's answers take any value, its X and Y are
    those of Eq. 1, and its lists the first K, whatever rules the run has. Y comes from the users alone, since the
    baselines cannot learn from anybody else's words.
    """
    values = config.model_dump(mode="json")
    values["lists"] = {name: value for name, value in values["lists"].items() if name not in RULES}
    if config.data.tables is not None:
        values["explain"]["telling"] = config.experiment.telling
        values["explain"]["methods"] = [goal + mask for goal in IMPORTED_GOALS for mask in ("", MASKED)]
        values["experiment"]["baselines"] = []
        return make_config(values, f"experiment {cell.protocol} {cell.seed}")
    values["seed"], values["lists"]["protocol"] = cell.seed, cell.protocol
    values["model"]["kind"] = config.experiment.model
    values["aspects"]["quality"] = values["aspects"]["attention"] = "eq1"
    values["aspects"]["everybody"] = False
    values["explain"]["constraints"]["values"] = config.experiment.values
    values["explain"]["telling"] = config.experiment.telling
    values["explain"]["methods"] = [goal + mask for goal in GOALS for mask in ("", MASKED)]
    return make_config(values, f"experiment {cell.protocol} {cell.seed}")
