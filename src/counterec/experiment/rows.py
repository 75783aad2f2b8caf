"""Rows: what every method names for every pair, and how it is measured, by one path that knows no method.

Every table, curve and claim of an experiment is made from these rows and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import polars as pl

from counterec.core.arrays import BoolMatrix, BoolVector, FloatMatrix, FloatVector, IntVector
from counterec.core.evaluation.judge_necessity import verdicts
from counterec.core.evaluation.quality import NOWHERE, GroundTruth, matched, rows_of_pairs, sigmoid_of
from counterec.core.evaluation.verdicts import VERDICTS, Verdicts
from counterec.core.explainers.answer import Explanations, NamedAspects, Proof
from counterec.core.explainers.question import Question
from counterec.core.explainers.question_builders import why
from counterec.core.lists import Recommendations
from counterec.core.scorers.base import Scorer
from counterec.core.scorers.ranking import Progress, no_progress
from counterec.core.space import AspectSpace
from counterec.pipeline import layout
from counterec.pipeline.config import MASKED, RunConfig
from counterec.pipeline.models import model_kind
from counterec.pipeline.stage import StageContext
from counterec.randomness import generator

PAIR: Mapping[str, Any] = {
    "user_id": pl.String,
    "item_id": pl.String,
    "position": pl.Int64,
    "joint": pl.Boolean,
    "explained": pl.Boolean,
    "aspects": pl.List(pl.String),
    "in_test": pl.Boolean,
    "praised": pl.Int64,
    "precision": pl.Float64,
    "recall": pl.Float64,
    "f1": pl.Float64,
    **dict.fromkeys(VERDICTS, pl.Boolean),
    "l2": pl.Float64,
    "l1": pl.Float64,
    "complexity": pl.Float64,
    "strength": pl.Float64,
    "strength_sigmoid": pl.Float64,
    "proof": pl.String,
}
"""The columns of one pair; null where a measure does not apply."""

MEASURED: Mapping[str, Any] = {
    "protocol": pl.String,
    "seed": pl.Int64,
    "method": pl.String,
    "shape": pl.String,
    "masked": pl.Boolean,
}
"""Who said it, and where."""

ROWS: Mapping[str, Any] = {**MEASURED, **PAIR}

_KEYS: Mapping[str, Any] = {**MEASURED, "user_id": pl.String, "item_id": pl.String}

ELSEWHERE: Mapping[str, Any] = {
    **_KEYS,
    "ground": pl.String,
    "necessary": pl.Boolean,
    "sufficient": pl.Boolean,
}
"""Verdicts in other conditions, null for a pair without an explanation; ``ground`` names the condition."""

SWEEP: Mapping[str, Any] = {
    "protocol": pl.String,
    "seed": pl.Int64,
    "variant": pl.String,
    "lambda": pl.Float64,
    "alpha": pl.Float64,
    **PAIR,
}
"""Relaxed answers; λ and α are null for the variant *adaptive*, which raises λ for each pair until it flips."""


Shape = Literal["single", "multi"]


@dataclass(frozen=True)
class MeasuredLists:
    """Lists, the scorer that made them, and what that scorer knows of users and items."""

    scorer: Scorer
    space: AspectSpace
    heads: Recommendations
    """The beginning of every ranking."""
    k: int
    judged: bool = True
    """Whether PN and PS apply: not where aspects play no part in the score."""

    @property
    def lists(self) -> Recommendations:
        """The lists that are explained."""
        return self.heads.shortened(self.k)

    def pairs(self) -> tuple[IntVector, IntVector]:
        """The recommended pairs: users and items."""
        rows, _, items = self.lists.pairs()
        return self.lists.users[rows], items


@dataclass(frozen=True)
class MethodAnswers:
    """What a method names for the pairs of some lists."""

    method: str
    shape: Shape
    masked: bool
    named: NamedAspects
    joint: BoolVector
    """The pairs that CountER explains, too: among explained pairs, only these count."""
    answers: Explanations | None = None
    """The changes behind it, where the method proposes any."""


def measure_rows(
    config: RunConfig,
    answers: MethodAnswers,
    lists: MeasuredLists,
    truth: GroundTruth,
    known: Verdicts | None = None,
    progress: Progress = no_progress,
) -> pl.DataFrame:
    """Measure one method, one row per pair; ``known`` holds its verdicts where they were decided before."""
    frame = pair_rows(answers, lists, truth, config.explain.relaxed.gamma, known, progress)
    origin = {
        "protocol": config.lists.protocol,
        "seed": config.seed,
        "method": answers.method,
        "shape": answers.shape,
        "masked": answers.masked,
    }
    return frame.select(*(pl.lit(value).alias(name) for name, value in origin.items()), pl.all()).cast(pl.Schema(ROWS))


def pair_rows(
    answers: MethodAnswers,
    lists: MeasuredLists,
    truth: GroundTruth,
    gamma: float,
    known: Verdicts | None = None,
    progress: Progress = no_progress,
) -> pl.DataFrame:
    """The columns of the pairs; γ is what a named aspect costs."""
    named, space = answers.named, lists.space
    found = matched(named, truth)
    columns: dict[str, Any] = {
        "user_id": [space.users.texts[user] for user in named.users],
        "item_id": [space.items.texts[item] for item in named.items],
        "position": positions(lists.lists, named),
        "joint": answers.joint,
        "explained": named.any_named,
        "aspects": list(_heaviest_first(named, space)),
        "in_test": found.in_test,
        "praised": found.praised,
        **{name: _without_nan(getattr(found, name)) for name in ("precision", "recall", "f1")},
        **_judged(lists, named, known, progress),
        **_changes(answers.answers, gamma),
    }
    length = len(named)
    return pl.DataFrame({name: columns.get(name, [None] * length) for name in PAIR}, schema=dict(PAIR))


def positions(lists: Recommendations, named: NamedAspects) -> IntVector:
    """Each pair's position in its list, counted from 1."""
    rows = lists.rows_of(named.users)
    return 1 + (lists.items[rows, : lists.k] == named.items[:, None]).argmax(axis=1)


def _judged(lists: MeasuredLists, named: NamedAspects, known: Verdicts | None, progress: Progress) -> dict[str, Any]:
    if not lists.judged:
        return {}
    if known is None:
        known = verdicts(lists.scorer, lists.space, lists.heads.candidates, lists.k, named, progress, lists.heads)
    return {name: _where(known.asked, getattr(known, name)) for name in VERDICTS}


def _changes(answers: Explanations | None, gamma: float) -> dict[str, Any]:
    """How large the changes are and how much they do, by scores and by probabilities; nothing without a change."""
    if answers is None:
        return {}
    explained = answers.explained
    return {
        "l2": _where(explained, np.linalg.norm(answers.delta, axis=1).astype(float)),
        "l1": _where(explained, np.abs(answers.delta).sum(axis=1).astype(float)),
        "complexity": _where(explained, answers.complexity(gamma).astype(float)),
        "strength": _where(explained, answers.strength.astype(float)),
        "strength_sigmoid": _where(explained, sigmoid_of(answers.score_before) - sigmoid_of(answers.score_after)),
        "proof": [Proof(code).label if code else None for code in answers.proof],
    }


def _heaviest_first(named: NamedAspects, space: AspectSpace) -> Iterable[list[str]]:
    weight: FloatMatrix = np.where(named.named, named.weight, -np.inf)
    for row in range(len(named)):
        order = np.argsort(-weight[row], kind="stable")[: int(named.named[row].sum())]
        yield [space.aspects.texts[aspect] for aspect in order]


def _where(asked: BoolVector, values: np.ndarray) -> list[Any]:
    return [value if given else None for value, given in zip(values.tolist(), asked, strict=True)]


def _without_nan(values: FloatVector) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]


def no_rows() -> pl.DataFrame:
    """The rows of a method that is missing."""
    return pl.DataFrame(schema=dict(ROWS))


def rows_file(method: str) -> str:
    """Where the rows of one method lie until all are joined."""
    return f"rows/{method}.parquet"


def notes_file(method: str) -> str:
    """Where the notes on a method lie: its ranking, its time, or why it is missing."""
    return f"rows/{method}.json"


GUIDE = "relaxed"
"""The goal whose answers decide how many aspects the other methods name."""

MEASURING_SETTINGS = (
    *("lists.k", "lists.protocol", "seed", "experiment.ground_truth"),
    *("explain.margin_share", "explain.relaxed.gamma"),
)
"""Settings that every measurement of a cell reads."""

MEASURING_CODE = (
    *("counterec.core", "counterec.experiment", "counterec.baselines", "counterec.extraction"),
    *("counterec.pipeline.evidence", "counterec.pipeline.explanation_tables", "counterec.pipeline.stages"),
    *("counterec.pipeline.hybrid_model", "counterec.pipeline.net_model"),
)
"""What the stages of a cell run, whichever they are."""


def measuring_code(config: RunConfig) -> tuple[str, ...]:
    """The packages that a stage of a cell runs."""
    return (*MEASURING_CODE, *model_kind(config.model.kind).all_code)


def measuring_inputs(config: RunConfig, *more: str) -> tuple[str, ...]:
    """The files that measuring depends on."""
    return (*layout.ranking_inputs(config.lists.protocol), layout.MENTIONS, layout.HEADS, *more)


def method_of(goal: str, masked: bool) -> str:
    """The name of a goal with the mask or without."""
    return goal + MASKED if masked else goal


def explanation_files(*goals: str) -> tuple[str, ...]:
    """Where the answers of some goals lie, without the mask and with it."""
    return tuple(layout.explanations_file(method_of(goal, masked)) for goal in goals for masked in (False, True))


class CellInputs:
    """One cell: its scorer, its lists, and the questions about them."""

    def __init__(self, context: StageContext) -> None:
        self.context, self.config, self.folder = context, context.config, context.folder

    @property
    def scorer(self) -> Scorer:
        """The recommender that is explained."""
        return self.folder.scorer

    @property
    def lists(self) -> Recommendations:
        """The recommender's lists."""
        return self.folder.heads.shortened(self.config.lists.k)

    @cached_property
    def measured_lists(self) -> MeasuredLists:
        """The recommender's lists, as explanations of them are measured."""
        return MeasuredLists(self.scorer, self.folder.space, self.folder.heads, self.config.lists.k)

    @cached_property
    def truth(self) -> GroundTruth:
        """The aspects that users went on to mention."""
        return self.folder.ground_truth(self.config.experiment.ground_truth)

    def some_users(self, most: int) -> IntVector:
        """At most this many users with a list, drawn by the seed: a larger number contains a smaller one's users."""
        drawn = generator(self.config.seed, "users looked into").permutation(self.lists.users)[:most]
        return np.sort(drawn)

    @cached_property
    def detail_users(self) -> IntVector:
        """The users whose lists are examined further."""
        return self.some_users(self.config.experiment.detail_users)

    def answers(self, goal: str, masked: bool) -> Explanations:
        """CountER's answers for the whole lists."""
        return self.folder.explanations(method_of(goal, masked))

    def question(self, lists: Recommendations, masked: bool = False) -> Question:
        """Why are these items in their lists: asked as the run asks, without the mask or with it."""
        explain = self.config.explain
        constraints = replace(explain.constraints, masked=masked)
        return why(self.folder.space, lists, constraints=constraints, margin=explain.margin_share)

    def mentioned(self, users: IntVector) -> BoolMatrix:
        """The mask: the aspects that each of these users has mentioned."""
        return self.folder.space.user_attention[users] != 0


def count_guide_aspects(guide: Explanations, users: IntVector, items: IntVector) -> tuple[IntVector, BoolVector]:
    """How many aspects the guide names for each of these pairs, and whether it explains them at all."""
    rows = rows_of_pairs(users, items, guide.users, guide.items)
    counts = np.where(guide.explained, np.count_nonzero(guide.delta, axis=1), 0)
    found = np.where(rows == NOWHERE, 0, counts[rows]) if len(counts) else np.zeros(len(users), dtype=np.int64)
    return found, found > 0


def count_usually_named(guide: Explanations) -> int:
    """How many aspects the guide names on average where it explains a pair, to the nearest whole number; at least 1."""
    counts = np.count_nonzero(guide.delta[guide.explained], axis=1)
    return max(1, round(float(counts.mean()))) if len(counts) else 1
