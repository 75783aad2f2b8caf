"""Which stages an experiment has, and where."""

from __future__ import annotations

from counterec.core.attribution import ATTRIBUTIONS
from counterec.core.explainers.goals import GOALS
from counterec.experiment.attributions import attribution_stage
from counterec.experiment.baselines import own_lists_stage
from counterec.experiment.cells import Cell, placed
from counterec.experiment.counterfactuals import counterfactual_stage
from counterec.experiment.join import joining_stage
from counterec.experiment.stability import stability_stage
from counterec.experiment.sweep import sweep_stage
from counterec.experiment.transfer import other_ground_stage
from counterec.pipeline.config import MASKED, RunConfig, make_config
from counterec.pipeline.engine import Stage
from counterec.pipeline.experiment_settings import ExperimentSettings
from counterec.pipeline.stages.explain import explain_stage
from counterec.pipeline.stages.modelling import candidates_stage, fit_again_stage, fit_stage, rank_stage


def cells_of(settings: ExperimentSettings, first_seed: int) -> list[Cell]:
    """Where the experiment is made: each protocol with each seed."""
    seeds = range(first_seed, first_seed + settings.seeds)
    return [Cell(protocol, seed, own_net=seed == first_seed) for protocol in settings.protocols for seed in seeds]


def experiment_stages(config: RunConfig, settings: ExperimentSettings, device: str = "cpu") -> list[Stage]:
    """All stages, cell after cell; those that a cell shares with another are listed once."""
    stages: dict[str, Stage] = {}
    for cell in cells_of(settings, config.seed):
        for stage in _stages_of(_config_of(config, cell), settings, cell, device):
            stages.setdefault(stage.name, stage)
    return list(stages.values())


def _stages_of(config: RunConfig, settings: ExperimentSettings, cell: Cell, device: str) -> list[Stage]:
    sampled = config.lists.protocol == "sampled"
    stages = [
        *([] if cell.own_net else [fit_stage(config, device)]),
        fit_again_stage(config, device),
        *([candidates_stage(config)] if sampled else []),
        rank_stage(config, device),
        *(explain_stage(config, method, device) for method in config.explain.methods),
        *(counterfactual_stage(config, settings, cell, goal, device) for goal in GOALS),
        *(attribution_stage(config, settings, cell, name, device) for name in ATTRIBUTIONS),
        *(own_lists_stage(config, settings, cell, name) for name in settings.baselines),
        other_ground_stage(config, settings, cell, device),
        stability_stage(config, settings, cell, device),
        sweep_stage(config, settings, cell, device),
        joining_stage(config, settings),
    ]
    return [placed(stage, cell) for stage in stages]


def _config_of(config: RunConfig, cell: Cell) -> RunConfig:
    """The run's configuration, as it is for one cell."""
    values = config.model_dump(mode="json")
    values["seed"], values["lists"]["protocol"] = cell.seed, cell.protocol
    values["explain"]["methods"] = [goal + mask for goal in GOALS for mask in ("", MASKED)]
    return make_config(values, f"experiment {cell.protocol} {cell.seed}")
