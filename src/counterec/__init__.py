"""CountERec: why is this item in this user's list? The smallest worsening that takes it off, verified.

The public names are imported when first used: ``import counterec`` itself imports neither PyTorch nor Polars.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from counterec import frames as frames
    from counterec.core.attributes import Attribute, Schema
    from counterec.core.candidates import Candidates
    from counterec.core.explainers.answer import Explanations, NamedAspects, Proof, Status
    from counterec.core.explainers.audience.solver import why_not_for_all
    from counterec.core.explainers.budget import Budget
    from counterec.core.explainers.constraints import Constraints
    from counterec.core.explainers.counter import CountER, Explainer
    from counterec.core.explainers.goal_names import GOALS
    from counterec.core.explainers.question import Direction, Question
    from counterec.core.explainers.question_builders import why, why_not, why_rather
    from counterec.core.explainers.what_if import what_if
    from counterec.core.list_rules import AtMostPerGroup, BoostedScorer, Ranker
    from counterec.core.lists import Recommendations
    from counterec.core.opinions import Ladder, Opinions
    from counterec.core.scale import AspectScale
    from counterec.core.scorers.base import DifferentiableScorer, PairBatch, Scorer
    from counterec.core.scorers.net import AspectNet, NetWeights
    from counterec.core.scorers.ranking import rank
    from counterec.core.scorers.simple import AlignmentScorer, RecomputingScorer
    from counterec.core.space import AspectSpace
    from counterec.core.vocabulary import Vocabulary
    from counterec.errors import CounterecError
    from counterec.frames import explain
    from counterec.pipeline.config import RunConfig, load_config, make_config
    from counterec.run import Run, make_run, open_run
    from counterec.wording import (
        answer_record,
        audience_record,
        background,
        reason,
        reranking_records,
        sentence,
    )

    __version__: str

_HOME = {
    "AlignmentScorer": "core.scorers.simple",
    "AspectNet": "core.scorers.net",
    "AspectScale": "core.scale",
    "AspectSpace": "core.space",
    "AtMostPerGroup": "core.list_rules",
    "Attribute": "core.attributes",
    "BoostedScorer": "core.list_rules",
    "Budget": "core.explainers.budget",
    "Candidates": "core.candidates",
    "Constraints": "core.explainers.constraints",
    "CountER": "core.explainers.counter",
    "CounterecError": "errors",
    "DifferentiableScorer": "core.scorers.base",
    "Direction": "core.explainers.question",
    "Explainer": "core.explainers.counter",
    "Explanations": "core.explainers.answer",
    "GOALS": "core.explainers.goal_names",
    "Ladder": "core.opinions",
    "NamedAspects": "core.explainers.answer",
    "NetWeights": "core.scorers.net",
    "Opinions": "core.opinions",
    "PairBatch": "core.scorers.base",
    "Proof": "core.explainers.answer",
    "Question": "core.explainers.question",
    "Ranker": "core.list_rules",
    "Recommendations": "core.lists",
    "RecomputingScorer": "core.scorers.simple",
    "Run": "run",
    "RunConfig": "pipeline.config",
    "Schema": "core.attributes",
    "Scorer": "core.scorers.base",
    "Status": "core.explainers.answer",
    "Vocabulary": "core.vocabulary",
    "answer_record": "wording",
    "audience_record": "wording",
    "background": "wording",
    "explain": "frames",
    "load_config": "pipeline.config",
    "make_config": "pipeline.config",
    "make_run": "run",
    "open_run": "run",
    "rank": "core.scorers.ranking",
    "reason": "wording",
    "reranking_records": "wording",
    "sentence": "wording",
    "what_if": "core.explainers.what_if",
    "why": "core.explainers.question_builders",
    "why_not": "core.explainers.question_builders",
    "why_not_for_all": "core.explainers.audience.solver",
    "why_rather": "core.explainers.question_builders",
}

__all__ = [
    "GOALS",
    "AlignmentScorer",
    "AspectNet",
    "AspectScale",
    "AspectSpace",
    "AtMostPerGroup",
    "Attribute",
    "BoostedScorer",
    "Budget",
    "Candidates",
    "Constraints",
    "CountER",
    "CounterecError",
    "DifferentiableScorer",
    "Direction",
    "Explainer",
    "Explanations",
    "Ladder",
    "NamedAspects",
    "NetWeights",
    "Opinions",
    "PairBatch",
    "Proof",
    "Question",
    "Ranker",
    "Recommendations",
    "RecomputingScorer",
    "Run",
    "RunConfig",
    "Schema",
    "Scorer",
    "Status",
    "Vocabulary",
    "answer_record",
    "audience_record",
    "background",
    "explain",
    "load_config",
    "make_config",
    "make_run",
    "open_run",
    "rank",
    "reason",
    "reranking_records",
    "sentence",
    "what_if",
    "why",
    "why_not",
    "why_not_for_all",
    "why_rather",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("importlib.metadata").version("counterec")
    if name == "frames":  # the questions of data frames, which have the names of those of arrays
        return import_module("counterec.frames")
    if name not in _HOME:
        raise AttributeError(f"module 'counterec' has no attribute {name!r}")
    return getattr(import_module(f"counterec.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
