"""What every method names → deletion and insertion curves of the recommender's lists, in the order it names aspects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from counterec.core.attribution import ATTRIBUTIONS
from counterec.core.attribution.present_aspects import present
from counterec.core.evaluation.perturbation import orders_of, perturbation_curves
from counterec.core.explainers.answer import NamedAspects
from counterec.core.explainers.goal_names import GOALS
from counterec.errors import BaselineUnavailableError
from counterec.experiment.alignments import PREDICTED, RULES, rules_of
from counterec.experiment.cell_inputs import CellInputs, explanation_files, measuring_code, measuring_inputs
from counterec.experiment.fitted_baselines import fitted_file, fitting_notes_file
from counterec.experiment.guarded_weights import guarded_weights
from counterec.experiment.rows import Shape
from counterec.experiment.schemas import CURVES
from counterec.experiment.weighted_methods import WeighPairs
from counterec.experiment.weighted_stage import attributed
from counterec.pipeline.config import RunConfig
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import Stage, StageContext

CURVES_FILE = "curves.parquet"


def curves_stage(config: RunConfig) -> Stage:
    """The answers of goals, and the weights of all other methods on these lists, without the mask → their curves."""
    rules = rules_of(config)
    baselines = [PREDICTED[rule] for rule in rules if rule in PREDICTED]
    fitted = [file for name in baselines for file in (fitted_file(name), fitting_notes_file(name))]
    return Stage(
        name="curves",
        config=config,
        settings=("lists.k", "lists.protocol", "seed", "experiment.detail_users"),
        inputs=measuring_inputs(config, *explanation_files(*GOALS), *fitted),
        outputs=(CURVES_FILE,),
        code=(*measuring_code(config), "counterec.baselines"),
        work=lambda context: _curves(context, rules),
    )


def _curves(context: StageContext, rules: tuple[str, ...]) -> None:
    cell, space = CellInputs(context), context.folder.space
    context.reporter.total(len(GOALS) + len(ATTRIBUTIONS) + len(rules), "methods")
    frames = [pl.DataFrame(schema=dict(CURVES))]
    for method, shape, named in _ordered(cell, rules):
        orders = orders_of(space, named, cell.config.seed)
        found = perturbation_curves(cell.scorer, space, cell.lists, named.users, named.items, orders)
        columns: dict[str, Any] = {
            "protocol": cell.config.lists.protocol,
            "seed": cell.config.seed,
            "method": method,
            "shape": shape,
            "masked": False,
            "user_id": [space.users.texts[user] for user in named.users],
            "item_id": [space.items.texts[item] for item in named.items],
            "in_list": found.in_list.tolist(),
            "deleted": found.deleted.tolist(),
            "inserted": found.inserted.tolist(),
        }
        frames.append(pl.DataFrame(columns, schema=dict(CURVES)))
        context.reporter.advance(1)
    write_table(pl.concat(frames), context.new(CURVES_FILE))


def _ordered(cell: CellInputs, rules: tuple[str, ...]) -> Iterator[tuple[str, Shape, NamedAspects]]:
    """What each method orders: a goal the aspects it names, the others every aspect that they weigh."""
    for goal in GOALS:
        answers = cell.answers(goal, masked=False)
        shape: Shape = "single" if goal == "single" else "multi"
        yield goal, shape, answers.rows(np.flatnonzero(np.isin(answers.users, cell.detail_users))).named()
    for name in ATTRIBUTIONS:
        yield name, "multi", _whole_order(cell, attributed(cell, name))
    for name in rules:
        try:
            rule = RULES[name](cell)
        except BaselineUnavailableError:  # its own rows say so
            continue
        yield name, "multi", _whole_order(cell, rule)


def _whole_order(cell: CellInputs, weigh: WeighPairs) -> NamedAspects:
    """Every aspect of the item that has a weight, for the pairs that are examined further."""
    space, lists = cell.folder.space, cell.lists
    rows, _, items = lists.pairs()
    kept = np.isin(lists.users[rows], cell.detail_users)
    users, items = lists.users[rows][kept], items[kept]
    weights, _ = guarded_weights(lambda some: weigh(users[some], items[some]), users, len(space.aspects), str)
    ordered = np.isfinite(weights) & present(space, items)
    return NamedAspects(users, items, ordered, np.where(ordered, weights, 0))
