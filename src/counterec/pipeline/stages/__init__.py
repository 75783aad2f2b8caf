"""The stages of a run, one file each: functions from files to files. Tables become arrays here."""

from __future__ import annotations

from counterec.pipeline.config import RunConfig
from counterec.pipeline.models import has_front
from counterec.pipeline.stage import Stage
from counterec.pipeline.stages.build import build_stage
from counterec.pipeline.stages.candidates import candidates_stage
from counterec.pipeline.stages.evaluate import evaluate_stage
from counterec.pipeline.stages.explain import explain_stage
from counterec.pipeline.stages.extract import extract_stage
from counterec.pipeline.stages.fit import fit_stage, retrain_stage
from counterec.pipeline.stages.front import front_stage
from counterec.pipeline.stages.rank import rank_stage
from counterec.pipeline.stages.read import mentions_given, read_stage
from counterec.pipeline.stages.rules import rules_stage
from counterec.pipeline.stages.split import split_stage
from counterec.pipeline.stages.transfer import selects, transfer_stage


def run_stages_of(config: RunConfig) -> list[Stage]:
    """The stages that this configuration asks for, in order."""
    sampled = config.lists.protocol == "sampled"
    return [
        read_stage(config),
        split_stage(config),
        *([] if mentions_given(config) else [extract_stage(config)]),
        build_stage(config),
        fit_stage(config),
        *([candidates_stage(config)] if sampled else []),
        *([front_stage(config)] if has_front(config.model.kind, config.split.validation) else []),
        *([rules_stage(config)] if config.lists.rules else []),
        rank_stage(config),
        *method_stages(config, config.explain.methods),
        evaluate_stage(config),
    ]


def method_stages(config: RunConfig, methods: tuple[str, ...]) -> list[Stage]:
    """The stages that explain by these methods; what selects on its measure is also measured in other conditions."""
    selecting = [method for method in methods if selects(method)]
    return [
        *(explain_stage(config, method) for method in methods),
        *([retrain_stage(config)] if selecting else []),
        *(transfer_stage(config, method) for method in selecting),
    ]
