"""What a cell measures besides its methods' rows: its lists, transfer, Figure 2, and all rows as one table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from counterec.core.arrays import BoolVector
from counterec.core.attribution import ATTRIBUTIONS
from counterec.core.evaluation.quality import ranking_quality
from counterec.core.evaluation.transfer import Condition, listed, of_one_ranking, verdicts_together
from counterec.core.evaluation.verdicts import Verdicts
from counterec.core.explainers.answer import NamedAspects
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.goal_names import GOALS
from counterec.core.explainers.relaxed.settings import PUBLISHED_ALPHA, PUBLISHED_LAMBDA, RelaxedSettings
from counterec.core.scorers.ranking import Ranking, rank
from counterec.core.scorers.simple import PopularityScorer, RandomScorer
from counterec.core.space import AspectSpace
from counterec.experiment.methods import ignore_failure, list_rules
from counterec.experiment.rows import (
    ELSEWHERE,
    MEASURING_SETTINGS,
    SWEEP,
    CellInputs,
    MethodAnswers,
    Shape,
    measuring_code,
    measuring_inputs,
    notes_file,
    pair_rows,
    rows_file,
)
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.explanation_tables import NamedNumbers
from counterec.pipeline.files import ranking_arrays, recommendations_table, save_tensors, write_json, write_table
from counterec.pipeline.models import model_kind
from counterec.pipeline.stage import Stage, StageContext
from counterec.pipeline.stages.evaluate import TRANSFER_SETTINGS, conditions
from counterec.pipeline.stages.model import rank_stage
from counterec.randomness import generator


def cell_rank_stage(config: RunConfig) -> Stage:
    """Rank every user's candidates or, where their number is bounded, those of some users."""
    if not config.experiment.users:
        return rank_stage(config)
    return Stage(
        name="rank",  # of two names for the same files, the manifest would take the older checksums
        config=config,
        settings=("lists.k", "lists.protocol", "seed", "experiment.users"),
        inputs=layout.ranking_inputs(config.lists.protocol),
        outputs=(layout.RECOMMENDATIONS, layout.HEADS),
        code=("counterec.core.scorers", *model_kind(config.model.kind).all_code),
        work=_rank_some,
    )


def _rank_some(context: StageContext) -> None:
    folder, config = context.folder, context.config
    space, candidates, k = folder.space, folder.candidates, config.lists.k
    everybody = generator(config.seed, "users whose lists are explained").permutation(len(space.users))
    users = np.sort(everybody[: config.experiment.users])
    with_members = Ranking.with_members(folder.scorer, space, candidates)
    ranking, own = with_members.with_member_lists(layout.head_length(k), k, users)
    write_table(recommendations_table(ranking.shortened(k), space), context.new(layout.RECOMMENDATIONS))
    save_tensors(ranking_arrays(ranking, own), context.new(layout.HEADS))


TRANSFER_FILE = "elsewhere.parquet"
METHODS = ("relaxed", "minimal", "complete", *ATTRIBUTIONS)
"""Methods that name several aspects of the recommender's own lists."""


def _methods(config: RunConfig) -> tuple[str, ...]:
    return (*METHODS, *list_rules(config))


def cell_transfer_stage(config: RunConfig) -> Stage:
    """The rows of methods on the recommender's lists, several aspects, no mask → their verdicts elsewhere."""
    return Stage(
        name="transfer",
        config=config,
        settings=(*TRANSFER_SETTINGS, "experiment.detail_users", "experiment.baselines"),
        inputs=measuring_inputs(config, layout.RETRAINED_MODEL, *map(rows_file, _methods(config))),
        outputs=(TRANSFER_FILE,),
        code=measuring_code(config),
        work=lambda context: _transfer(context, _methods(config)),
    )


def _transfer(context: StageContext, methods: tuple[str, ...]) -> None:
    cell, space, config = CellInputs(context), context.folder.space, context.config
    answers = {method: read_named(cell, method, "multi") for method in methods}
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


def read_named(cell: CellInputs, method: str, shape: Shape) -> NamedAspects:
    """What a method named for the lists of the users that are examined further, without the mask."""
    users = [cell.folder.space.users.texts[user] for user in cell.detail_users]
    table = cell.folder.table(rows_file(method), ["shape", "masked", "user_id", "item_id", "aspects"])
    table = table.filter((pl.col("shape") == shape) & ~pl.col("masked") & pl.col("user_id").is_in(users))
    return parse_named(table, cell.folder.space)


def parse_named(table: pl.DataFrame, space: AspectSpace) -> NamedAspects:
    """The aspects that rows name, as numbers; the first weighs most."""
    weight = np.zeros((len(table), len(space.aspects)), dtype=np.float32)
    named = NamedNumbers.of(table["aspects"], space.aspects)
    weight[named.rows, named.aspects] = named.counts[named.rows] - named.places
    users, items = space.users.numbers(table["user_id"]), space.items.numbers(table["item_id"])
    return NamedAspects(users, items, weight > 0, weight)


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


ROWS_FILE = "rows.parquet"
METHODS_FILE = "methods.json"


def join_stage(config: RunConfig) -> Stage:
    """The rows of every method → one table; the notes on each → one file."""
    ours = _of_our_lists(config)
    methods = (*ours, *config.experiment.baselines)
    files = [file for method in methods for file in (rows_file(method), notes_file(method))]
    return Stage(
        name="join",
        config=config,
        settings=("lists.k", "lists.protocol", "seed", "experiment.baselines"),
        inputs=measuring_inputs(config, *files),
        outputs=(ROWS_FILE, METHODS_FILE),
        code=measuring_code(config),
        work=lambda context: _join(context, ours),
    )


def _join(context: StageContext, of_our_lists: tuple[str, ...]) -> None:
    cell, folder = CellInputs(context), context.folder
    methods = (*of_our_lists, *context.config.experiment.baselines)
    write_table(pl.concat([folder.table(rows_file(method)) for method in methods]), context.new(ROWS_FILE))
    notes = {method: folder.json(notes_file(method)) for method in methods}
    quality = ranking_quality(cell.lists, folder.interactions["test"]).as_dict()
    for method in of_our_lists:
        notes[method]["ranking"] = quality
    write_json(context.new(METHODS_FILE), {**notes, **_trivial_rankings(cell)})


def _of_our_lists(config: RunConfig) -> tuple[str, ...]:
    """The methods that explain the model's lists."""
    return (*GOALS, *ATTRIBUTIONS, *list_rules(config))


def _trivial_rankings(cell: CellInputs) -> dict[str, object]:
    """How well popularity and chance rank for the same users."""
    folder, k = cell.folder, cell.config.lists.k
    space, test = folder.space, folder.interactions["test"]
    popular = PopularityScorer(folder.interactions["train"].items, len(space.items))
    chance = RandomScorer(len(space.items), cell.config.seed)
    by_popularity, by_chance = (
        ranking_quality(rank(scorer, space, folder.candidates, k, cell.lists.users), test).as_dict()
        for scorer in (popular, chance)
    )
    return {"popularity": {"ranking": by_popularity}, "random_ranking": by_chance}
