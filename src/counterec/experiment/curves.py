"""What every method names → deletion and insertion curves of the lists it explains, in the order it names aspects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import polars as pl

from counterec.core.attribution import ATTRIBUTIONS
from counterec.core.attribution.present_aspects import present
from counterec.core.evaluation.perturbation import orders_of, perturbation_curves
from counterec.core.explainers.answer import NamedAspects
from counterec.core.explainers.goal_names import GOALS
from counterec.core.scorers.ranking import rank
from counterec.errors import BaselineUnavailableError
from counterec.experiment.alignments import RULES, rules_of
from counterec.experiment.cell_inputs import CellInputs, explanation_files, measuring_code, measuring_inputs
from counterec.experiment.fitted_baselines import fitted_baseline, fitted_file, fitting_notes_file
from counterec.experiment.guarded_weights import guarded_weights
from counterec.experiment.rows import MeasuredLists, Shape
from counterec.experiment.schemas import CURVES
from counterec.experiment.weighted_methods import WeighPairs
from counterec.experiment.weighted_stage import attributed
from counterec.pipeline.config import RunConfig
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import Stage, StageContext

CURVES_FILE = "curves.parquet"


def curves_stage(config: RunConfig) -> Stage:
    """The answers of goals, and the weights of all other methods on their lists, without the mask → their curves."""
    rules, baselines = rules_of(config), config.experiment.baselines
    fitted = [file for name in baselines for file in (fitted_file(name), fitting_notes_file(name))]
    return Stage(
        name="curves",
        config=config,
        settings=("lists.k", "lists.protocol", "seed", "experiment.detail_users", "experiment.baselines"),
        inputs=measuring_inputs(config, *explanation_files(*GOALS), *fitted),
        outputs=(CURVES_FILE,),
        code=(*measuring_code(config), "counterec.baselines"),
        work=lambda context: _curves(context, rules),
    )


def _curves(context: StageContext, rules: tuple[str, ...]) -> None:
    cell = CellInputs(context)
    methods = len(GOALS) + len(ATTRIBUTIONS) + len(rules) + len(context.config.experiment.baselines)
    context.reporter.total(methods, "methods")
    frames = [pl.DataFrame(schema=dict(CURVES))]
    for one in chain(_of_the_recommender(cell, rules), _of_baselines(context, cell)):
        frames.append(_curves_of(cell, one))
        context.reporter.advance(1)
    write_table(pl.concat(frames), context.new(CURVES_FILE))


@dataclass(frozen=True)
class _Ordered:
    """What a method orders, in which lists: a goal the aspects it names, the others every aspect that they weigh."""

    method: str
    shape: Shape
    lists: MeasuredLists
    named: NamedAspects
    log_odds: bool = True
    """Whether the scores behind the lists are log-odds: those of our models are, those of baselines are not."""


def _curves_of(cell: CellInputs, one: _Ordered) -> pl.DataFrame:
    space, named, lists = one.lists.space, one.named, one.lists
    orders = orders_of(space, named, cell.config.seed)
    found = perturbation_curves(
        lists.scorer, space, lists.lists, named.users, named.items, orders, log_odds=one.log_odds
    )
    columns: dict[str, Any] = {
        "protocol": cell.config.lists.protocol,
        "seed": cell.config.seed,
        "method": one.method,
        "shape": one.shape,
        "masked": False,
        "user_id": [space.users.texts[user] for user in named.users],
        "item_id": [space.items.texts[item] for item in named.items],
        "in_list": found.in_list.tolist(),
        "deleted": found.deleted.tolist(),
        "inserted": found.inserted.tolist(),
    }
    return pl.DataFrame(columns, schema=dict(CURVES))


def _of_the_recommender(cell: CellInputs, rules: tuple[str, ...]) -> Iterator[_Ordered]:
    """The methods that explain the recommender's lists."""
    lists = cell.measured_lists
    for goal in GOALS:
        answers = cell.answers(goal, masked=False)
        named = answers.rows(np.flatnonzero(np.isin(answers.users, cell.detail_users))).named()
        yield _Ordered(goal, "single" if goal == "single" else "multi", lists, named)
    for name in ATTRIBUTIONS:
        yield _Ordered(name, "multi", lists, _whole_order(cell, lists, attributed(cell, name)))
    for name in rules:
        try:
            rule = RULES[name](cell)
        except BaselineUnavailableError:  # its own rows say so
            continue
        yield _Ordered(name, "multi", lists, _whole_order(cell, lists, rule))


def _of_baselines(context: StageContext, cell: CellInputs) -> Iterator[_Ordered]:
    """The baselines whose scores depend on aspects, in lists of their own: they order what the user has mentioned."""
    for name in cell.config.experiment.baselines:
        try:
            fitted = fitted_baseline(cell.folder, name)
            if not fitted.model_side:
                continue
            k = cell.config.lists.k
            own = rank(fitted.scorer, fitted.space, cell.folder.candidates, k, cell.detail_users)
            lists = MeasuredLists(fitted.scorer, fitted.space, own, k)
            named = _whole_order(cell, lists, fitted.weights, only_mentioned=True)
        except BaselineUnavailableError:  # its own rows say why
            continue
        except Exception as error:  # whatever a method does, the others are measured
            context.warn(f"{name} has no deletion and insertion curves: {type(error).__name__}: {error}")
            continue
        yield _Ordered(name, "multi", lists, named, log_odds=False)


def _whole_order(
    cell: CellInputs, lists: MeasuredLists, weigh: WeighPairs, only_mentioned: bool = False
) -> NamedAspects:
    """Every aspect of the item that has a weight, for the pairs that are examined further."""
    users, items = lists.pairs()
    kept = np.isin(users, cell.detail_users)
    users, items = users[kept], items[kept]
    aspects = len(lists.space.aspects)
    weights, _ = guarded_weights(lambda some: weigh(users[some], items[some]), users, aspects, str)
    ordered = np.isfinite(weights) & present(lists.space, items)
    if only_mentioned:
        ordered &= cell.mentioned(users)
    return NamedAspects(users, items, ordered, np.where(ordered, weights, 0))
