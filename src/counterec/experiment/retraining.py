"""CountER's answers and a model trained again → whether the same changes do the same there."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from counterec.core.evaluation.retraining import changes_under
from counterec.core.explainers.goal_names import GOALS
from counterec.core.scorers.ranking import rank
from counterec.experiment.cell_inputs import CellInputs, measuring_code, measuring_inputs
from counterec.experiment.schemas import RETRAINING
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import Stage, StageContext

RETRAINING_FILE = "retraining.parquet"


def retraining_stage(config: RunConfig) -> Stage:
    """The answers of every goal, without the mask, and a retrained model → which of them hold under it."""
    return Stage(
        name="retraining",
        config=config,
        settings=("lists.k", "lists.protocol", "seed"),
        inputs=measuring_inputs(config, layout.RETRAINED_MODEL, *map(layout.explanations_file, GOALS)),
        outputs=(RETRAINING_FILE,),
        code=measuring_code(config),
        work=_retraining,
    )


def _retraining(context: StageContext) -> None:
    cell, folder, config = CellInputs(context), context.folder, context.config
    space, again = folder.space, folder.retrained_scorer
    lists = rank(again, space, folder.candidates, config.lists.k, cell.lists.users)
    frames = [pl.DataFrame(schema=dict(RETRAINING))]
    for goal in GOALS:
        answers, table = cell.answers(goal, masked=False), folder.explanations_table(goal)
        explained = answers.explained
        found = changes_under(again, space, lists, answers.rows(np.flatnonzero(explained)))
        columns: dict[str, Any] = {
            "protocol": config.lists.protocol,
            "seed": config.seed,
            "method": goal,
            "shape": "single" if goal == "single" else "multi",
            "masked": False,
            "user_id": [space.users.texts[user] for user in answers.users[explained]],
            "item_id": [space.items.texts[item] for item in answers.items[explained]],
            "listed": found.listed,
            "holds": [bool(holds) if listed else None for listed, holds in zip(found.listed, found.holds, strict=True)],
            **{name: table[name].filter(pl.Series(explained)) for name in ("nets", "nets_hold")},
        }
        frames.append(pl.DataFrame(columns, schema=dict(RETRAINING)))
    write_table(pl.concat(frames), context.new(RETRAINING_FILE))
