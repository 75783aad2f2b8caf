"""Figure 2: the letter of the paper with other λ and α, and our way, which chooses them, beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from counterec.core.explainers.counter import CountER
from counterec.core.explainers.relaxed.settings import PUBLISHED_ALPHA, PUBLISHED_LAMBDA, RelaxedSettings
from counterec.experiment.cell_inputs import CellInputs, inputs_of
from counterec.experiment.cells import Cell
from counterec.experiment.guarded_weights import told_before
from counterec.experiment.rows import MeasuredLists, MethodAnswers, pair_rows
from counterec.experiment.schemas import SWEEP
from counterec.pipeline import serialization
from counterec.pipeline.config import RunConfig
from counterec.pipeline.engine import Stage, StageContext
from counterec.pipeline.experiment_settings import ExperimentSettings

SWEEP_FILE = "sweep.parquet"


def sweep_stage(config: RunConfig, settings: ExperimentSettings, cell: Cell, device: str) -> Stage:
    """Lists → relaxed answers for every λ and α, measured."""

    def work(context: StageContext) -> None:
        scene = CellInputs(config, settings, context, device)
        stand = MeasuredLists(scene.net, scene.space, scene.heads, config.lists.k)
        question = scene.question(scene.lists)
        question = question.rows(np.isin(question.users, scene.some_users(settings.sweep_users)))
        variants = list(_variants(config, settings))
        context.reporter.total(len(variants), "settings")
        frames = []
        for name, lam, alpha, relaxed in variants:
            answers = CountER(scene.net, "relaxed", relaxed=relaxed, on_failure=told_before).explain(question)
            said = MethodAnswers("relaxed", "multi", False, answers.named(), np.ones(len(answers), dtype=bool), answers)
            who = {"protocol": cell.protocol, "seed": cell.seed, "variant": name, "lambda": lam, "alpha": alpha}
            literals = [pl.lit(value).alias(column) for column, value in who.items()]
            frames.append(pair_rows(said, stand, scene.truth).select(*literals, pl.all()).cast(pl.Schema(SWEEP)))
            context.reporter.advance(1)
        serialization.write_table(pl.concat(frames), context.new(SWEEP_FILE))

    values: list[Any] = [settings.lambdas, settings.alphas, settings.ground_truth, settings.sweep_users, config.seed]
    explain = config.explain
    values += [config.lists.k, explain.margin, vars(explain.relaxed), vars(explain.constraints)]
    return Stage("sweep", inputs_of(config), (SWEEP_FILE,), values, work)


def _variants(
    config: RunConfig, settings: ExperimentSettings
) -> Iterator[tuple[str, float | None, float | None, RelaxedSettings]]:
    own = replace(config.explain.relaxed, as_published=False)
    yield "adaptive", None, None, own
    pairs = [(lam, PUBLISHED_ALPHA) for lam in settings.lambdas] + [
        (PUBLISHED_LAMBDA, alpha) for alpha in settings.alphas
    ]
    for lam, alpha in dict.fromkeys(pairs):
        yield "as_published", lam, alpha, replace(own, as_published=True, lam=lam, alpha=alpha)
