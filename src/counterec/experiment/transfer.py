"""What was said of the net's lists → whether it is necessary and sufficient on ground that nobody selected on."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from counterec.core.attribution import ATTRIBUTIONS
from counterec.core.evaluation.transfer import verdicts_under
from counterec.core.explainers.answer import NamedAspects
from counterec.core.space import AspectSpace
from counterec.experiment.cell_inputs import CellInputs, inputs_of
from counterec.experiment.cells import Cell
from counterec.experiment.rows import Shape, rows_file
from counterec.experiment.schemas import ELSEWHERE
from counterec.pipeline import serialization
from counterec.pipeline.config import RunConfig
from counterec.pipeline.engine import Stage, StageContext
from counterec.pipeline.experiment_settings import ExperimentSettings
from counterec.pipeline.stages.transfer import grounds_of

ELSEWHERE_FILE = "elsewhere.parquet"
METHODS = ("relaxed", "minimal", "complete", *ATTRIBUTIONS)
"""Methods that name several aspects of the net's own lists."""


def other_ground_stage(config: RunConfig, settings: ExperimentSettings, cell: Cell, device: str) -> Stage:
    """The rows of methods on the net's lists, several aspects, no mask → their verdicts elsewhere."""

    def work(context: StageContext) -> None:
        scene = CellInputs(config, settings, context, device)
        said = {method: named_in(scene, method, "multi") for method in METHODS}
        pairs = said["relaxed"]
        grounds = list(grounds_of(config, context, scene.space, pairs, device))
        context.reporter.total(len(METHODS) * len(grounds), "steps")
        frames = [pl.DataFrame(schema=dict(ELSEWHERE))]
        for ground in grounds:
            for method, named in said.items():
                found = verdicts_under(scene.space, named, ground)
                asked = np.flatnonzero(found.asked)
                context.reporter.advance(1)
                columns: dict[str, Any] = {
                    "protocol": cell.protocol,
                    "seed": cell.seed,
                    "method": method,
                    "shape": "multi",
                    "masked": False,
                    "ground": ground.name,
                    "user_id": [scene.space.users.texts[user] for user in named.users[asked]],
                    "item_id": [scene.space.items.texts[item] for item in named.items[asked]],
                    "necessary": found.necessary[asked],
                    "sufficient": found.sufficient[asked],
                }
                frames.append(pl.DataFrame(columns, schema=dict(ELSEWHERE)))
        serialization.write_table(pl.concat(frames), context.new(ELSEWHERE_FILE))

    inputs = inputs_of(config, serialization.MODEL_AGAIN, *map(rows_file, METHODS))
    values = [config.lists.k, config.lists.negatives, config.seed, settings.detail_users]
    return Stage("other ground", inputs, (ELSEWHERE_FILE,), values, work)


def named_in(scene: CellInputs, method: str, shape: Shape) -> NamedAspects:
    """What a method named of the lists of the users that are looked into, without the mask."""
    users = [scene.space.users.texts[user] for user in scene.detail_users]
    columns = ["shape", "masked", "user_id", "item_id", "aspects"]
    table = serialization.read_table(scene.context.path(rows_file(method)), columns)
    table = table.filter((pl.col("shape") == shape) & ~pl.col("masked") & pl.col("user_id").is_in(users))
    return named_from(table, scene.space)


def named_from(table: pl.DataFrame, space: AspectSpace) -> NamedAspects:
    """The aspects that rows name, as numbers; the first weighs most."""
    weight = np.zeros((len(table), len(space.aspects)), dtype=np.float32)
    for row, aspects in enumerate(table["aspects"]):
        weight[row, space.aspects.numbers(aspects)] = np.arange(len(aspects), 0, -1)
    users, items = space.users.numbers(table["user_id"]), space.items.numbers(table["item_id"])
    return NamedAspects(users, items, weight > 0, weight)
