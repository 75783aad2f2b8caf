"""Rows: what every method names for every pair, and how it is measured, by one path that knows no method.

Every table, curve and claim of an experiment is made from these rows and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars as pl

from counterec.core.arrays import BoolVector, FloatMatrix, FloatVector, IntVector
from counterec.core.evaluation.judge_necessity import verdicts
from counterec.core.evaluation.necessity import VERDICTS, Verdicts
from counterec.core.evaluation.quality import GroundTruth, matched, sigmoid_of
from counterec.core.explainers.answer import Explanations, NamedAspects, Proof
from counterec.core.lists import Recommendations
from counterec.core.scorers.protocols import Scorer
from counterec.core.scorers.ranking import Progress, no_progress
from counterec.core.space import AspectSpace
from counterec.experiment.schemas import PAIR, ROWS
from counterec.pipeline.config import RunConfig

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


def measured(
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
