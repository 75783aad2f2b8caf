"""Lists and explanations → how good they are."""

from __future__ import annotations

from typing import Any

from counterec.core.evaluation.counterfactual_side import counterfactual_side
from counterec.core.evaluation.coverage import coverage
from counterec.core.evaluation.model_side import model_side
from counterec.core.evaluation.ranking import RankingQuality, ranking_quality
from counterec.core.evaluation.user_side import GroundTruth, matched, user_side
from counterec.core.evaluation.verdicts import Verdicts
from counterec.core.explainers.answer import NamedAspects
from counterec.core.scorers.ranking import PopularityScorer, rank
from counterec.core.space import AspectSpace
from counterec.pipeline import serialization
from counterec.pipeline.config import RunConfig
from counterec.pipeline.engine import Stage, StageContext
from counterec.pipeline.explanation_tables import explanations_from
from counterec.pipeline.files import read_json, write_json
from counterec.pipeline.stages.ground_truth import ground_truth
from counterec.pipeline.stages.inputs import candidates_of, parts, ranking_inputs, space_of
from counterec.pipeline.stages.transfer import selects


def evaluate_stage(config: RunConfig) -> Stage:
    """Everything → how good the lists and the explanations are, each number with its cases and an interval."""
    methods = config.explain.methods
    files = tuple(serialization.explanations_file(method) for method in methods)
    other_files = tuple(serialization.elsewhere_file(method) for method in methods if selects(method))

    def work(context: StageContext) -> None:
        space, split = space_of(context), parts(context)
        candidates = candidates_of(config, context, space)
        table = serialization.read_table(context.path(serialization.RECOMMENDATIONS))
        lists = serialization.recommendations_from(table, space, candidates, config.lists.k)
        popularity = PopularityScorer(split["train"].items, len(space.items))
        context.reporter.total(len(space.users) + len(files), "steps")
        popular = rank(popularity, space, candidates, config.lists.k, progress=context.reporter.advance)
        recommender = ranking_quality(lists, split["test"])
        beside = ranking_quality(popular, split["test"])
        beats = _beats(recommender, beside)
        truth = ground_truth(context, space, split["test"])
        evaluated = {m: _evaluated(config, context, space, truth, m) for m in methods}
        result = {
            "protocol": config.lists.protocol,
            "k": config.lists.k,
            "ranking": {
                "recommender": recommender.as_dict(),
                "popularity": beside.as_dict(),
                "beats_popularity": beats,
            },
            "explanations": evaluated,
        }
        write_json(context.new(serialization.EVALUATION), result)
        if not beats:
            ours, theirs = recommender.ndcg.value, beside.ndcg.value
            context.warn(
                f"the recommender does not beat popularity (NDCG@{config.lists.k} {ours:.4f} against {theirs:.4f}): "
                "its explanations are true of it, but it is a poor model of these users"
            )

    explain = config.explain
    settings = [config.lists.k, config.lists.protocol, explain.methods, explain.margin, explain.relaxed.gamma]
    inputs = (*ranking_inputs(config), serialization.MENTIONS, serialization.RECOMMENDATIONS, *files, *other_files)
    return Stage("evaluate", inputs, (serialization.EVALUATION,), settings, work)


def _beats(recommender: RankingQuality, popularity: RankingQuality) -> bool:
    return (recommender.ndcg.value or 0.0) > (popularity.ndcg.value or 0.0)


def _evaluated(
    config: RunConfig, context: StageContext, space: AspectSpace, truth: GroundTruth, method: str
) -> dict[str, Any]:
    table = serialization.read_table(context.path(serialization.explanations_file(method)))
    answers = explanations_from(table, space, config.explain.margin)
    named, verdicts = answers.named(), answers.require_verdicts()
    context.reporter.advance(1)
    found = {
        "counterfactual": counterfactual_side(answers, config.explain.relaxed.gamma).as_dict(),
        "model": model_side(verdicts).as_dict(),
        "user": user_side(named, truth).as_dict(),
        "unexplained_as_zero": _with_zeros(named, verdicts, truth),
        "coverage": coverage(named.named),
    }
    if selects(method):  # on what it is measured by: never without a figure from elsewhere
        found["elsewhere"] = read_json(context.path(serialization.elsewhere_file(method)))
    return found


def _with_zeros(named: NamedAspects, verdicts: Verdicts, truth: GroundTruth) -> dict[str, Any]:
    """What is divided by the explained pairs, divided by all: a method that often has no answer cannot hide it."""
    user = matched(named, truth).with_zeros().averages(named.users)
    return {
        "model": model_side(verdicts.with_zeros()).as_dict(),
        "user": {name: measure.as_dict() for name, measure in user.items()},
    }
