"""Lists and explanations → how good they are, each number with its cases and an interval.

Where nothing is held out, what is measured on held-out reviews (NDCG, recall, the praised aspects) is left out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from counterec.core.arrays import IntVector
from counterec.core.evaluation.aspect_coverage import coverage
from counterec.core.evaluation.aspect_dependence import leave_without_aspects
from counterec.core.evaluation.counterfactual_side import counterfactual_side
from counterec.core.evaluation.judge_necessity import stays_without_aspects
from counterec.core.evaluation.lead_summary import led_by_history, mark_summary
from counterec.core.evaluation.model_side import model_side
from counterec.core.evaluation.necessity_verdicts import Verdicts
from counterec.core.evaluation.ranking import RankingQuality, ranking_quality
from counterec.core.evaluation.user_side import GroundTruth, matched, user_side
from counterec.core.explainers.answer import Explanations, NamedAspects
from counterec.core.explainers.answer_row import EXPLAINED
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.trivial import PopularityScorer
from counterec.core.vocabulary import Vocabulary
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import write_json
from counterec.pipeline.models import model_kind
from counterec.pipeline.stage import Stage, StageContext
from counterec.pipeline.stages.transfer import selects

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
            *layout.ranker_settings(config.lists.rules),
        ),
        inputs=(
            *layout.ranking_inputs(config.lists.protocol, config.lists.rules),
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
            "counterec.pipeline.stages.transfer",
            *model_kind(config.model.kind).all_code,
        ),
        work=_evaluate,
    )


def _evaluate(context: StageContext) -> None:
    folder, config = context.folder, context.config
    methods, held_out = config.explain.methods, config.split.held_out
    context.reporter.total((len(folder.space.users) if held_out else 0) + len(methods), "steps")
    result: dict[str, Any] = {"protocol": config.lists.protocol, "k": config.lists.k, "held_out": held_out}
    if held_out:
        result["ranking"] = _ranking(context)
    truth = folder.ground_truth() if held_out else None
    result["lists"] = {
        "leave_without_aspects": leave_without_aspects(folder.scorer, folder.space, folder.recommendations).as_dict(),
        "different_items": len(np.unique(folder.recommendations.pairs()[2])),
        **_led_by_history(folder.explanations_table(methods[0]), folder.space.users),
    }
    result["explanations"] = {method: _evaluated(context, truth, method) for method in methods}
    write_json(context.new(layout.EVALUATION), result)


def _ranking(context: StageContext) -> dict[str, Any]:
    """How well the lists hit held-out items, beside popularity."""
    parts, k = context.folder.interactions, context.config.lists.k
    recommender = ranking_quality(context.folder.recommendations, parts["test"])
    beside = _popularity(context, parts["train"].items)
    warning = below_popularity(recommender.ndcg.value, beside.ndcg.value, k)
    if warning is not None:
        context.warn(warning)
    return {
        "recommender": recommender.as_dict(),
        "popularity": beside.as_dict(),
        **_with_others(context, parts["train"].items),
        "beats_popularity": _beats(recommender, beside),
    }


def below_popularity(ours: float | None, theirs: float | None, k: int) -> str | None:
    """A line if the recommender is below popularity by as much as four digits show; none if nothing was measured."""
    if ours is None or theirs is None or round(ours, 4) >= round(theirs, 4):
        return None
    return (
        f"the recommender does not beat popularity (NDCG@{k} {ours:.4f} against {theirs:.4f}): "
        "its explanations are true of it, but it is a poor model of these users"
    )


def _popularity(context: StageContext, items: IntVector) -> RankingQuality:
    """How well items are ranked by how often they occur among these."""
    folder, k = context.folder, context.config.lists.k
    popularity = PopularityScorer(items, len(folder.space.items))
    popular = rank(popularity, folder.space, folder.candidates, k, progress=context.reporter.advance)
    return ranking_quality(popular, folder.interactions["test"])


def _with_others(context: StageContext, items: IntVector) -> dict[str, Any]:
    """Popularity that also counts the reviews of people who are not among the users, where these are kept."""
    if not context.config.aspects.everybody:
        return {}
    others = context.folder.space.items.numbers(context.folder.table(layout.OTHER_REVIEWS, ["item_id"])["item_id"])
    return {"popularity_with_others": _popularity(context, np.concatenate([items, others])).as_dict()}


def _beats(recommender: RankingQuality, popularity: RankingQuality) -> bool:
    return (recommender.ndcg.value or 0.0) > (popularity.ndcg.value or 0.0)


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


def _evaluated(context: StageContext, truth: GroundTruth | None, method: str) -> dict[str, Any]:
    """Every measure; answers that make aspects unreviewed are another kind, and are measured by themselves."""
    answers, unreviewed = context.folder.explanations(method), context.folder.unreviewed_rows(method)
    context.reporter.advance(1)
    measures = _measures(context, truth, answers.only(~unreviewed))
    if unreviewed.any():
        measures["unreviewed"] = _measures(context, truth, answers.only(unreviewed))
    measures |= _marks(context.folder.explanations_table(method), context.folder.space.users)
    other_conditions = layout.transfer_file(method) in context.stage.inputs
    if other_conditions:  # it selects on what it is measured by: never without a figure from elsewhere
        measures["elsewhere"] = context.folder.json(layout.transfer_file(method))
    return measures


def _measures(context: StageContext, truth: GroundTruth | None, answers: Explanations) -> dict[str, Any]:
    named, found = answers.named(), _with_stays(context, answers)
    return {
        "counterfactual": counterfactual_side(answers, context.config.explain.relaxed.gamma).as_dict(),
        "model": model_side(found).as_dict(),
        **({} if truth is None else {"user": user_side(named, truth).as_dict()}),
        "unexplained_as_zero": _with_zeros(named, found, truth),
        "coverage": coverage(named.named),
    }


def _with_stays(context: StageContext, answers: Explanations) -> Verdicts:
    """The verdicts, and of which items they say little, since these stay in the list with no aspect at all."""
    folder, found = context.folder, answers.require_verdicts()
    asked, stays = found.asked, np.zeros(len(found), dtype=bool)
    pairs = answers.users[asked], answers.items[asked]
    k, ranker = context.config.lists.k, folder.ranker
    stays[asked] = stays_without_aspects(folder.scorer, folder.space, folder.candidates, k, *pairs, ranker)
    return replace(found, stays_without_aspects=stays)


def _with_zeros(named: NamedAspects, found: Verdicts, truth: GroundTruth | None) -> dict[str, Any]:
    """What is divided by the explained pairs, divided by all: a method that often has no answer cannot hide it."""
    model = {"model": model_side(found.with_zeros()).as_dict()}
    if truth is None:
        return model
    user = matched(named, truth).with_zeros().averages(named.users)
    return {**model, "user": {name: measure.as_dict() for name, measure in user.items()}}
