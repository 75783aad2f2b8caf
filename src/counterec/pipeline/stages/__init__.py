"""The stages of a run, one file each: functions from files to files. Tables become arrays here."""

from __future__ import annotations

from counterec.pipeline.config import RunConfig
from counterec.pipeline.stage import Stage
from counterec.pipeline.stages.build import build_stage
from counterec.pipeline.stages.candidates import candidates_stage
from counterec.pipeline.stages.evaluate import evaluate_stage
from counterec.pipeline.stages.explain import explain_stage
from counterec.pipeline.stages.extract import extract_stage
from counterec.pipeline.stages.fit import fit_stage, retrain_stage
from counterec.pipeline.stages.rank import rank_stage
from counterec.pipeline.stages.read import mentions_given, read_stage
from counterec.pipeline.stages.rules import rules_stage
from counterec.pipeline.stages.split import split_stage
from counterec.pipeline.stages.tables import build_from_tables_stage, same_lists_stage, store_model_stage
from counterec.pipeline.stages.transfer import selects, transfer_stage
from counterec.pipeline.table_files import TableFiles


def run_stages_of(config: RunConfig, files: TableFiles | None = None) -> list[Stage]:
    """The stages that this configuration asks for, in order; ``files`` are the tables of an import."""
    if config.data.tables is not None:
        return _import_stages(config, files or TableFiles.of(config.data.tables, config.model.file))
    sampled = config.lists.protocol == "sampled"
    return [
        read_stage(config),
        split_stage(config),
        *([] if mentions_given(config) else [extract_stage(config)]),
        build_stage(config),
        fit_stage(config),
        *([candidates_stage(config)] if sampled else []),
        *([rules_stage(config)] if config.lists.rules else []),
        rank_stage(config),
        *method_stages(config, config.explain.methods),
        evaluate_stage(config),
    ]


def _import_stages(config: RunConfig, files: TableFiles) -> list[Stage]:
    """A model that was trained elsewhere, on tables: nothing is read, extracted or fitted."""
    return [
        build_from_tables_stage(config, files),
        store_model_stage(config, files),
        *([rules_stage(config)] if config.lists.rules else []),
        rank_stage(config),
        *([same_lists_stage(config, files.lists)] if files.lists else []),
        *method_stages(config, config.explain.methods),
        evaluate_stage(config),
    ]


def method_stages(config: RunConfig, methods: tuple[str, ...]) -> list[Stage]:
    """The stages that explain by these methods; what selects on its measure is also measured in other conditions."""
    trained_here = config.data.tables is None  # what was imported cannot be trained again
    selecting = [method for method in methods if selects(method) and trained_here]
    return [
        *(explain_stage(config, method) for method in methods),
        *([retrain_stage(config)] if selecting else []),
        *(transfer_stage(config, method) for method in selecting),
    ]
