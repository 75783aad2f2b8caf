"""Figure 2: the relaxed problem as published, over λ and α, beside our own solver, which chooses them per pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl

from counterec.core.explainers.counter import CountER
from counterec.core.explainers.relaxed.settings import PUBLISHED_ALPHA, PUBLISHED_LAMBDA, RelaxedSettings
from counterec.experiment.cell_inputs import MEASURING_SETTINGS, CellInputs, measuring_code, measuring_inputs
from counterec.experiment.guarded_weights import ignore_failure
from counterec.experiment.rows import MethodAnswers, pair_rows
from counterec.experiment.schemas import SWEEP
from counterec.pipeline.config import RunConfig
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import Stage, StageContext

SWEEP_FILE = "sweep.parquet"


def sweep_stage(config: RunConfig) -> Stage:
    """Lists → relaxed answers for every λ and α, measured."""
    return Stage(
        name="sweep",
        config=config,
        settings=(
            *MEASURING_SETTINGS,
            "explain.constraints",
            "explain.relaxed",
            "experiment.lambdas",
            "experiment.alphas",
            "experiment.sweep_users",
        ),
        inputs=measuring_inputs(config),
        outputs=(SWEEP_FILE,),
        code=measuring_code(config),
        work=_sweep,
    )


def _sweep(context: StageContext) -> None:
    cell, config = CellInputs(context), context.config
    question = cell.question(cell.lists)
    question = question.rows(np.isin(question.users, cell.some_users(config.experiment.sweep_users)))
    variants = list(_variants(config))
    context.reporter.total(len(variants), "settings")
    frames = []
    for name, lam, alpha, settings in variants:
        answers = CountER(cell.scorer, "relaxed", relaxed=settings, on_failure=ignore_failure).explain(question)
        everywhere = np.ones(len(answers), dtype=bool)
        found = MethodAnswers("relaxed", "multi", False, answers.named(), everywhere, answers)
        origin = {
            "protocol": config.lists.protocol,
            "seed": config.seed,
            "variant": name,
            "lambda": lam,
            "alpha": alpha,
        }
        literals = [pl.lit(value).alias(column) for column, value in origin.items()]
        frame = pair_rows(found, cell.measured_lists, cell.truth, settings.gamma)
        frames.append(frame.select(*literals, pl.all()).cast(pl.Schema(SWEEP)))
        context.reporter.advance(1)
    write_table(pl.concat(frames), context.new(SWEEP_FILE))


def _variants(config: RunConfig) -> Iterator[tuple[str, float | None, float | None, RelaxedSettings]]:
    own, settings = replace(config.explain.relaxed, as_published=False), config.experiment
    yield "adaptive", None, None, own
    pairs = [(lam, PUBLISHED_ALPHA) for lam in settings.lambdas]
    pairs += [(PUBLISHED_LAMBDA, alpha) for alpha in settings.alphas]
    for lam, alpha in dict.fromkeys(pairs):
        yield "as_published", lam, alpha, replace(own, as_published=True, lam=lam, alpha=alpha)
