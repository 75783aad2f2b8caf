"""Lists and explanations → how good they are, each number with its cases and an interval.

Where nothing is held out, what is measured on held-out reviews (NDCG, recall, the praised aspects) is left out.
Explanations that were selected for a measure are also measured in conditions they were not selected on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl

from counterec.core.arrays import BoolVector, IntVector
from counterec.core.candidates import Candidates, sampled_candidates
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
from counterec.core.evaluation.transfer import Condition, fresh_conditions, transferred
from counterec.core.evaluation.verdicts import Verdicts
from counterec.core.explainers.answer import Explanations, NamedAspects
from counterec.core.explainers.answer_row import EXPLAINED, UNREVIEWED
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import PopularityScorer
from counterec.core.vocabulary import Vocabulary
from counterec.pipeline import layout
from counterec.pipeline.config import MASKED, RunConfig
from counterec.pipeline.evidence import single_opinions, warn_of_single_opinions
from counterec.pipeline.explanation_tables import explanations_from
from counterec.pipeline.files import load_tensors, ranking_arrays, ranking_from, tensor_bytes, texts_of, write_json
from counterec.pipeline.models import model_kind
from counterec.pipeline.piece_store import Made, Piece
from counterec.pipeline.pieces import Step, made_in_pieces
from counterec.pipeline.stage import Stage, StageContext, StageInputs

USERS_PER_PIECE = 128
"""Users whose lists are looked at, or whose explanations are judged, as one piece."""
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
        code=_code(config),
        work=_evaluate,
        in_pieces=True,
    )


def _code(config: RunConfig) -> tuple[str, ...]:
    own = ("counterec.core", "counterec.pipeline.evidence", "counterec.pipeline.explanation_tables")
    return (*own, *model_kind(config.model.kind).all_code)


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


SEPARATOR = ": "
"""Between a condition and a column of its verdicts."""

SELECTING = ("complete",)
"""The goals that select on necessity and sufficiency, which is what PN and PS measure."""

TRANSFER_SETTINGS = ("lists.k", "lists.protocol", "lists.negatives", "seed")
"""The settings that the conditions depend on."""


def selects(method: str) -> bool:
    """Whether a method selects on what its explanations are measured by."""
    return method.removesuffix(MASKED) in SELECTING


def transfer_stage(config: RunConfig, method: str) -> Stage:
    """Explanations and a retrained model → PN and PS in other conditions."""
    return Stage(
        name=f"transfer {method}",
        config=config,
        settings=TRANSFER_SETTINGS,
        inputs=(
            *layout.ranking_inputs(config.lists.protocol),
            layout.HEADS,
            layout.RETRAINED_MODEL,
            layout.explanations_file(method),
        ),
        outputs=(layout.transfer_file(method),),
        code=_code(config),
        work=lambda context: _transfer(context, method),
        in_pieces=True,
    )


def _transfer(context: StageContext, method: str) -> None:
    users = len(context.folder.space.users)
    step = Step("verdicts", _transfer_users, users, USERS_PER_PIECE, "users", ".safetensors")
    parts: dict[str, list[Verdicts]] = {}
    for piece in made_in_pieces(context, step, method):
        arrays = load_tensors(piece.path)
        for condition in piece.notes["conditions"]:
            parts.setdefault(condition, []).append(_verdicts_from(arrays, condition))
    found = {condition: model_side(Verdicts.joined(verdicts)).as_dict() for condition, verdicts in parts.items()}
    write_json(context.new(layout.transfer_file(method)), found)


def _transfer_users(inputs: StageInputs, piece: Piece, method: str) -> Made:
    """The verdicts on the explanations of some users, under each condition."""
    folder, users = inputs.folder, np.arange(piece.start, piece.stop)
    own = folder.explanations_table(method).filter(pl.col("user_id").is_in(texts_of(folder.space.users, users)))
    reviewed = (own["values"] != UNREVIEWED).to_numpy()
    named = explanations_from(own, folder.space).only(reviewed).named()
    found = transferred(folder.space, named, conditions(inputs, named, users))
    columns = {
        f"{name}{SEPARATOR}{column}": getattr(verdicts, column)
        for name, verdicts in found.items()
        for column in verdicts.columns
    }
    return Made(tensor_bytes(columns), {"conditions": list(found)})


def _verdicts_from(arrays: Mapping[str, np.ndarray], condition: str) -> Verdicts:
    prefix = f"{condition}{SEPARATOR}"
    return Verdicts(**{name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)})


def conditions(inputs: StageInputs, named: NamedAspects, users: IntVector) -> Iterator[Condition]:
    """Other lengths of the list, a retrained model and, where candidates are drawn, another draw of them."""
    folder, config = inputs.folder, inputs.config
    space, k = folder.space, config.lists.k
    length = layout.head_length(k)
    if k > 1:
        yield Condition(f"k={k - 1}", folder.scorer, folder.heads, k - 1)
    yield Condition(f"k={k + 1}", folder.scorer, folder.heads, k + 1)
    again = folder.retrained_scorer
    yield Condition("trained again", again, rank(again, space, folder.candidates, length, users), k)
    if config.lists.protocol == "sampled":
        drawn = _fresh_candidates(inputs)
        yield from fresh_conditions("fresh candidates", folder.scorer, space, drawn, named, k, length)


@lru_cache(maxsize=1)
def _fresh_candidates(inputs: StageInputs) -> Candidates:
    """Another draw of everybody's candidates, made once for all pieces of a process."""
    folder, config = inputs.folder, inputs.config
    test, known, users = folder.interactions["test"], folder.known_items, folder.space.users.texts
    return sampled_candidates(test, known, users, config.seed + 1, config.lists.negatives)
