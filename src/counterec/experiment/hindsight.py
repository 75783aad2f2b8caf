"""Lists and held-out reviews → what could be reached on the user's side by naming what flips by its absence."""

from __future__ import annotations

from typing import Any

import polars as pl

from counterec.core.evaluation.hindsight import hindsight
from counterec.experiment.cell_inputs import CellInputs, measuring_code, measuring_inputs
from counterec.experiment.schemas import HINDSIGHT
from counterec.pipeline.config import RunConfig
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import Stage, StageContext

HINDSIGHT_FILE = "hindsight.parquet"


def hindsight_stage(config: RunConfig) -> Stage:
    """The recommended pairs that were reviewed → the best F1 in hindsight, with the mask and without.

    Without the mask there are far more sets to try: then it is of the users that are examined further.
    """
    return Stage(
        name="hindsight",
        config=config,
        settings=("lists.k", "lists.protocol", "seed", "experiment.ground_truth", "experiment.detail_users"),
        inputs=measuring_inputs(config),
        outputs=(HINDSIGHT_FILE,),
        code=measuring_code(config),
        work=_hindsight,
    )


def _hindsight(context: StageContext) -> None:
    cell, space = CellInputs(context), context.folder.space
    some = cell.lists.rows(cell.lists.rows_of(cell.detail_users))
    rows, _, _ = cell.lists.pairs()
    frames = []
    for masked in (False, True):
        eligible = cell.mentioned(cell.lists.users[rows]) if masked else None
        found = hindsight(cell.scorer, space, cell.lists if masked else some, cell.truth, eligible)
        columns: dict[str, Any] = {
            "protocol": cell.config.lists.protocol,
            "seed": cell.config.seed,
            "masked": masked,
            "user_id": [space.users.texts[user] for user in found.users],
            "item_id": [space.items.texts[item] for item in found.items],
            "best": found.best,
            "bound": found.bound,
            "unconstrained": found.unconstrained,
        }
        frames.append(pl.DataFrame(columns, schema=dict(HINDSIGHT)))
    write_table(pl.concat(frames), context.new(HINDSIGHT_FILE))
