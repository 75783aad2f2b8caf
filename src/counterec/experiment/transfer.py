"""What was named for the recommender's lists → whether it is necessary and sufficient in other conditions.

Only pairs whose item is in the list under that condition are asked about.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from counterec.core.arrays import BoolVector
from counterec.core.attribution import ATTRIBUTIONS
from counterec.core.evaluation.necessity import Verdicts
from counterec.core.evaluation.transfer import Condition, listed, of_one_ranking, verdicts_together
from counterec.core.explainers.answer import NamedAspects
from counterec.core.space import AspectSpace
from counterec.experiment.alignments import rules_of
from counterec.experiment.cell_inputs import CellInputs, measuring_code, measuring_inputs
from counterec.experiment.rows import Shape, rows_file
from counterec.experiment.schemas import ELSEWHERE
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.explanation_tables import NamedNumbers
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import Stage, StageContext
from counterec.pipeline.stages.transfer import SETTINGS, conditions

TRANSFER_FILE = "elsewhere.parquet"
METHODS = ("relaxed", "minimal", "complete", *ATTRIBUTIONS)
"""Methods that name several aspects of the recommender's own lists."""


def _methods(config: RunConfig) -> tuple[str, ...]:
    return (*METHODS, *rules_of(config))


def cell_transfer_stage(config: RunConfig) -> Stage:
    """The rows of methods on the recommender's lists, several aspects, no mask → their verdicts elsewhere."""
    return Stage(
        name="transfer",
        config=config,
        settings=(*SETTINGS, "experiment.detail_users", "experiment.baselines"),
        inputs=measuring_inputs(config, layout.RETRAINED_MODEL, *map(rows_file, _methods(config))),
        outputs=(TRANSFER_FILE,),
        code=(*measuring_code(config), "counterec.baselines", "counterec.pipeline.stages.transfer"),
        work=lambda context: _transfer(context, _methods(config)),
    )


def _transfer(context: StageContext, methods: tuple[str, ...]) -> None:
    cell, space, config = CellInputs(context), context.folder.space, context.config
    answers = {method: named_in(cell, method, "multi") for method in methods}
    answers = {method: named for method, named in answers.items() if len(named) or method == "relaxed"}
    found_in = list(conditions(context.inputs, answers["relaxed"], cell.lists.users))
    context.reporter.total(len(found_in), "conditions")
    frames = [pl.DataFrame(schema=dict(ELSEWHERE))]
    for alike in of_one_ranking(found_in):
        judged = verdicts_together(space, list(answers.values()), alike)
        context.reporter.advance(len(alike))
        frames += [
            _frame(config, space, method, condition, named, found)
            for condition, of_methods in zip(alike, judged, strict=True)
            for (method, named), found in zip(answers.items(), of_methods, strict=True)
        ]
    write_table(pl.concat(frames), context.new(TRANSFER_FILE))


def _frame(
    config: RunConfig, space: AspectSpace, method: str, condition: Condition, named: NamedAspects, found: Verdicts
) -> pl.DataFrame:
    """The verdicts on what a method names, for the items that are in the list under a condition."""
    there = np.flatnonzero(listed(named, condition))
    columns: dict[str, Any] = {
        "protocol": config.lists.protocol,
        "seed": config.seed,
        "method": method,
        "shape": "multi",
        "masked": False,
        "ground": condition.name,
        "user_id": [space.users.texts[user] for user in named.users[there]],
        "item_id": [space.items.texts[item] for item in named.items[there]],
        "necessary": _where(found.asked[there], found.necessary[there]),
        "sufficient": _where(found.asked[there], found.sufficient[there]),
    }
    return pl.DataFrame(columns, schema=dict(ELSEWHERE))


def _where(asked: BoolVector, values: BoolVector) -> list[bool | None]:
    """The verdicts, None for a pair without an explanation."""
    return [bool(value) if given else None for given, value in zip(asked, values, strict=True)]


def named_in(cell: CellInputs, method: str, shape: Shape) -> NamedAspects:
    """What a method named for the lists of the users that are examined further, without the mask."""
    users = [cell.folder.space.users.texts[user] for user in cell.detail_users]
    table = cell.folder.table(rows_file(method), ["shape", "masked", "user_id", "item_id", "aspects"])
    table = table.filter((pl.col("shape") == shape) & ~pl.col("masked") & pl.col("user_id").is_in(users))
    return named_from(table, cell.folder.space)


def named_from(table: pl.DataFrame, space: AspectSpace) -> NamedAspects:
    """The aspects that rows name, as numbers; the first weighs most."""
    weight = np.zeros((len(table), len(space.aspects)), dtype=np.float32)
    named = NamedNumbers.of(table["aspects"], space.aspects)
    weight[named.rows, named.aspects] = named.counts[named.rows] - named.places
    users, items = space.users.numbers(table["user_id"]), space.items.numbers(table["item_id"])
    return NamedAspects(users, items, weight > 0, weight)
