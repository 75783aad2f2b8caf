"""The stages of a run, one file each: functions from files to files. Tables become arrays here."""

from __future__ import annotations

from counterec.errors import UsageError
from counterec.pipeline.config import RunConfig
from counterec.pipeline.stage import Stage
from counterec.pipeline.stages.build import build_stage
from counterec.pipeline.stages.evaluate import evaluate_stage, selects, transfer_stage
from counterec.pipeline.stages.explain import explain_stage
from counterec.pipeline.stages.extract import extract_stage
from counterec.pipeline.stages.model import candidates_stage, fit_stage, rank_stage, retrain_stage
from counterec.pipeline.stages.read import mentions_given, read_stage, split_stage


def run_stages_of(config: RunConfig) -> list[Stage]:
    """The stages that this configuration asks for, in order."""
    if config.data.tables is not None:
        raise UsageError("data.tables: data frames are handed over in Python, by counterec.Run.create")
    sampled = config.lists.protocol == "sampled"
    return [
        read_stage(config),
        split_stage(config),
        *([] if mentions_given(config) else [extract_stage(config)]),
        build_stage(config),
        fit_stage(config),
        *([candidates_stage(config)] if sampled else []),
        rank_stage(config),
        *method_stages(config, config.explain.methods),
        evaluate_stage(config),
    ]


def stages_after_frames(config: RunConfig) -> list[Stage]:
    """The stages of a run by ``Run.create`` after the space and the model are there."""
    return [rank_stage(config), *method_stages(config, config.explain.methods), evaluate_stage(config)]


def method_stages(config: RunConfig, methods: tuple[str, ...]) -> list[Stage]:
    """The stages that explain by these methods; what selects on its measure is also measured in other conditions."""
    trained_here = config.data.tables is None  # a model of one's own cannot be trained again here
    selecting = [method for method in methods if selects(method) and trained_here]
    return [
        *(explain_stage(config, method) for method in methods),
        *([retrain_stage(config)] if selecting else []),
        *(transfer_stage(config, method) for method in selecting),
    ]
