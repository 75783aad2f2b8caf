"""The stages of a run, each a function from files to files; tables become arrays here."""

from __future__ import annotations

from counterec.pipeline.config import RunConfig
from counterec.pipeline.engine import Stage
from counterec.pipeline.stages.aspects import build_stage, extract_stage
from counterec.pipeline.stages.evaluate import evaluate_stage
from counterec.pipeline.stages.explain import explain_stage
from counterec.pipeline.stages.modelling import candidates_stage, fit_again_stage, fit_stage, rank_stage
from counterec.pipeline.stages.read import mentions_given, read_stage, split_stage
from counterec.pipeline.stages.transfer import elsewhere_stage, selects


def stages_of(config: RunConfig, device: str = "cpu", processes: int = 1) -> list[Stage]:
    """The stages that this configuration asks for, in order; device and processes say where, not what is computed."""
    sampled = config.lists.protocol == "sampled"
    selecting = [method for method in config.explain.methods if selects(method)]
    return [
        read_stage(config),
        split_stage(config),
        *([] if mentions_given(config) else [extract_stage(config, processes)]),
        build_stage(config),
        fit_stage(config, device),
        *([candidates_stage(config)] if sampled else []),
        rank_stage(config, device),
        *(explain_stage(config, method, device) for method in config.explain.methods),
        *([fit_again_stage(config, device)] if selecting else []),
        *(elsewhere_stage(config, method, device) for method in selecting),
        evaluate_stage(config),
    ]
