"""Lists and explanations → how good they are, each number with its cases and an interval.

Where nothing is held out, what is measured on held-out reviews (NDCG, recall, the praised aspects) is left out.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl

from counterec.core.arrays import BoolVector, IntVector
from counterec.core.evaluation.intervals import mean
from counterec.core.evaluation.judge_necessity import model_side, stays_without_aspects
from counterec.core.evaluation.quality import (
    GroundTruth,
    RankingQuality,
    counterfactual_side,
    coverage,
    led_by_history,
    mark_summary,
    matched,
    ranking_quality,
    rows_of_pairs,
    user_side,
)
from counterec.core.evaluation.short_reasons import measure_short_reasons
from counterec.core.evaluation.verdicts import Verdicts
from counterec.core.explainers.answer import Explanations, NamedAspects
from counterec.core.explainers.answer_row import EXPLAINED, UNREVIEWED
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import PopularityScorer
from counterec.core.vocabulary import Vocabulary
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import write_json
from counterec.pipeline.models import model_kind
from counterec.pipeline.pieces import Made, Piece, Step, made_in_pieces
from counterec.pipeline.serialization import load_tensors, ranking_arrays, ranking_from, tensor_bytes
from counterec.pipeline.stage import Stage, StageContext, StageInputs
from counterec.pipeline.stages.transfer import selects
from counterec.pipeline.thin_data import single_opinions, warn_of_single_opinions

USERS_PER_PIECE = 256
"""Users whose lists are looked at as one piece."""
LEAD = ("lead_aspects", "lead_history")
"""The columns of the two parts of a lead."""


def evaluate_stage(config: RunConfig) -> Stage:
    """Everything → ``evaluation.json``."""
    methods = config.explain.methods
    return Stage(
        name="evaluate",
        config=config,
        settings=(
            "split.held_out",
            "lists.k",
            "lists.protocol",
            "explain.methods",
            "explain.relaxed.gamma",
            "aspects.everybody",
        ),
        inputs=(
            *layout.ranking_inputs(config.lists.protocol),
            layout.MENTIONS,
            *layout.other_files(config.aspects.everybody, layout.OTHER_REVIEWS),
            layout.RECOMMENDATIONS,
            *map(layout.explanations_file, methods),
            *(layout.transfer_file(method) for method in methods if selects(method) and config.data.tables is None),
        ),
        outputs=(layout.EVALUATION,),
        code=(
            "counterec.core",
            "counterec.pipeline.explanation_tables",
            "counterec.pipeline.thin_data",
            "counterec.pipeline.stages.transfer",
            *model_kind(config.model.kind).all_code,
        ),
        work=_evaluate,
        in_pieces=True,
    )


def _evaluate(context: StageContext) -> None:
    folder, config = context.folder, context.config
    methods, held_out = config.explain.methods, config.split.held_out
    step = Step("lists", _look_at_lists, len(folder.space.users), USERS_PER_PIECE, "users", ".safetensors")
    parts = [load_tensors(piece.path) for piece in made_in_pieces(context, step)]
    looked = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    result: dict[str, Any] = {"protocol": config.lists.protocol, "k": config.lists.k, "held_out": held_out}
    if held_out:
        result["ranking"] = _ranking(context, looked)
    truth = folder.ground_truth() if held_out else None
    result["lists"] = {
        "different_items": len(np.unique(folder.recommendations.pairs()[2])),
        "items": len(folder.space.items),
        **_short_reasons(context),
        **_led_by_history(folder.explanations_table(methods[0]), folder.space.users),
        **_thin_data(context),
    }
    stays = looked["stays_without_aspects"]
    result["explanations"] = {method: _evaluated(context, truth, stays, method) for method in methods}
    write_json(context.new(layout.EVALUATION), result)


def _look_at_lists(inputs: StageInputs, piece: Piece, _: None) -> Made:
    """Which items of some users' lists stay in them with no aspect at all, and what popularity would recommend."""
    folder, config = inputs.folder, inputs.config
    users, k = np.arange(piece.start, piece.stop), config.lists.k
    pairs = folder.recommendations.pairs()
    owners, items = folder.recommendations.users[pairs[0]], pairs[2]
    own = np.flatnonzero((owners >= piece.start) & (owners < piece.stop))
    asked = folder.scorer, folder.space, folder.candidates, k, owners[own], items[own]
    found = {"stays_without_aspects": stays_without_aspects(*asked)}
    if config.split.held_out:
        for name, counted in _counted_items(inputs).items():
            popular = rank(PopularityScorer(counted, len(folder.space.items)), *asked[1:4], users)
            found |= {f"{name}.{column}": array for column, array in ranking_arrays(popular, ()).items()}
    return Made(tensor_bytes(found))


@lru_cache(maxsize=1)
def _counted_items(inputs: StageInputs) -> dict[str, IntVector]:
    """The items by which popularity is counted, one for each occurrence.

    Where the reviews of people who are not among the users are kept, popularity also counts these.
    """
    items = inputs.folder.interactions["train"].items
    if not inputs.config.aspects.everybody:
        return {"popularity": items}
    read = inputs.folder.table(layout.OTHER_REVIEWS, ["item_id"])["item_id"]
    others = inputs.folder.space.items.numbers(read)
    return {"popularity": items, "popularity_with_others": np.concatenate([items, others])}


def _ranking(context: StageContext, looked: dict[str, np.ndarray]) -> dict[str, Any]:
    """How well the lists hit held-out items, beside popularity."""
    folder, k = context.folder, context.config.lists.k
    test = folder.interactions["test"]
    recommender = ranking_quality(folder.recommendations, test)
    beside = {
        name: ranking_quality(ranking_from(looked, folder.candidates, f"{name}."), test)
        for name in ("popularity", "popularity_with_others")
        if f"{name}.users" in looked
    }
    warning = below_popularity(recommender.ndcg.value, beside["popularity"].ndcg.value, k)
    if warning is not None:
        context.warn(warning)
    return {
        "recommender": recommender.as_dict(),
        **{name: quality.as_dict() for name, quality in beside.items()},
        "beats_popularity": _beats(recommender, beside["popularity"]),
    }


def below_popularity(ours: float | None, theirs: float | None, k: int) -> str | None:
    """A line if the recommender is below popularity by as much as four digits show; none if nothing was measured."""
    if ours is None or theirs is None or round(ours, 4) >= round(theirs, 4):
        return None
    return (
        f"the recommender does not beat popularity (NDCG@{k} {ours:.4f} against {theirs:.4f}): "
        "its explanations are true of it, but it is a poor model of these users"
    )


def _beats(recommender: RankingQuality, popularity: RankingQuality) -> bool:
    return (recommender.ndcg.value or 0.0) > (popularity.ndcg.value or 0.0)


def _short_reasons(context: StageContext) -> dict[str, Any]:
    """Measure short reasons by the answers of *minimal*: it names the fewest aspects; nothing without this method."""
    if "minimal" not in context.config.explain.methods:
        return {}
    table = context.folder.explanations_table("minimal")
    found = (table["status"] == EXPLAINED) & (table["values"] != UNREVIEWED)
    sizes = np.where(found.to_numpy(), table["aspects"].list.len().to_numpy(), 0)
    users = context.folder.space.users.numbers(table["user_id"])
    return {"short_reasons": {most: share.as_dict() for most, share in measure_short_reasons(sizes, users).items()}}


def _thin_data(context: StageContext) -> dict[str, Any]:
    """Measure how many reviews and opinions the reasons rest on."""
    folder, config = context.folder, context.config
    if folder.space.opinions is None:
        return {}
    reviewed = [folder.split["item_id"]]
    if config.aspects.everybody:
        reviewed.append(folder.table(layout.OTHER_REVIEWS, ["item_id"])["item_id"])
    counts = pl.concat(reviewed).value_counts()["count"].to_numpy()
    users, _, items = folder.recommendations.pairs()
    single = mean(single_opinions(folder.space.opinions, items), users)
    if warning := warn_of_single_opinions(single.value):  # the check has warned of few reviews
        context.warn(warning)
    return {"reviews_per_item": float(np.median(counts)), "single_opinions": single.as_dict()}


def _led_by_history(table: pl.DataFrame, users: Vocabulary) -> dict[str, Any]:
    """How many items owe their place more to history than to aspects; nothing where the model has no history.

    Every method explains the same items, so any table will do.
    """
    aspects, history = (table[name].cast(pl.Float64).fill_null(np.nan).to_numpy() for name in LEAD)
    if np.isnan(history).all():
        return {}
    return {"led_by_history": led_by_history(aspects, history, users.numbers(table["user_id"])).as_dict()}


def _marks(table: pl.DataFrame, users: Vocabulary) -> dict[str, Any]:
    """In how many nets the explanations hold; nothing where the model is no mean of nets."""
    marked = table.filter(pl.col("status") == EXPLAINED).drop_nulls(["nets", "nets_agree", "nets_hold"])
    if not len(marked):
        return {}
    agree, hold = (marked[name].cast(pl.Int64).to_numpy() for name in ("nets_agree", "nets_hold"))
    return {"robustness": mark_summary(marked["nets"][0], agree, hold, users.numbers(marked["user_id"])).as_dict()}


def _evaluated(context: StageContext, truth: GroundTruth | None, stays: BoolVector, method: str) -> dict[str, Any]:
    """Every measure; answers that make aspects unreviewed are another kind, and are measured by themselves.

    ``stays`` says of every recommended item, in the order of the lists, whether it stays with no aspect at all.
    """
    answers, unreviewed = context.folder.explanations(method), context.folder.unreviewed_rows(method)
    measures = _measures(context, truth, stays, answers.only(~unreviewed))
    if unreviewed.any():
        measures["unreviewed"] = _measures(context, truth, stays, answers.only(unreviewed))
    measures |= _marks(context.folder.explanations_table(method), context.folder.space.users)
    other_conditions = layout.transfer_file(method) in context.stage.inputs
    if other_conditions:  # it selects on what it is measured by: never without a figure from elsewhere
        measures["elsewhere"] = context.folder.json(layout.transfer_file(method))
    return measures


def _measures(
    context: StageContext, truth: GroundTruth | None, stays: BoolVector, answers: Explanations
) -> dict[str, Any]:
    named, found = answers.named(), _with_stays(context, stays, answers)
    return {
        "counterfactual": counterfactual_side(answers, context.config.explain.relaxed.gamma).as_dict(),
        "model": model_side(found).as_dict(),
        **({} if truth is None else {"user": user_side(named, truth).as_dict()}),
        "unexplained_as_zero": _with_zeros(named, found, truth),
        "coverage": coverage(named.named),
    }


def _with_stays(context: StageContext, stays: BoolVector, answers: Explanations) -> Verdicts:
    """The verdicts, and of which items they say little, since these stay in the list with no aspect at all."""
    lists, found = context.folder.recommendations, answers.require_verdicts()
    rows, _, items = lists.pairs()
    place = rows_of_pairs(answers.users, answers.items, lists.users[rows], items)
    return replace(found, stays_without_aspects=stays[place] & found.asked)


def _with_zeros(named: NamedAspects, found: Verdicts, truth: GroundTruth | None) -> dict[str, Any]:
    """What is divided by the explained pairs, divided by all: a method that often has no answer cannot hide it."""
    model = {"model": model_side(found.with_zeros()).as_dict()}
    if truth is None:
        return model
    user = matched(named, truth).with_zeros().averages(named.users)
    return {**model, "user": {name: measure.as_dict() for name, measure in user.items()}}
