"""Explanations as tables: what lies in ``explanations/METHOD.parquet``, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from counterec.core.arrays import BoolVector, FloatVector, IntVector
from counterec.core.evaluation.model_side import VERDICTS, Verdicts
from counterec.core.explainers.answer import Explanations, Proof, Status
from counterec.core.explainers.question import Direction, Question
from counterec.core.space import AspectSpace
from counterec.pipeline.serialization import texts_of

EXPLANATIONS: Mapping[str, Any] = {
    "user_id": pl.String,
    "item_id": pl.String,
    "position": pl.Int32,
    "question": pl.String,
    "versus": pl.String,
    "goal": pl.String,
    "status": pl.String,
    "aspects": pl.List(pl.String),
    "before": pl.List(pl.Float32),
    "after": pl.List(pl.Float32),
    "score_before": pl.Float32,
    "score_after": pl.Float32,
    "target": pl.Float32,
    "proof": pl.String,
    **dict.fromkeys(VERDICTS, pl.Boolean),
}
"""A row a pair: what anyone needs to check an explanation with NumPy alone."""


def explanations_table(
    explanations: Explanations, verdicts: Verdicts | None, question: Question, positions: IntVector, goal: str
) -> pl.DataFrame:
    """Explanations as they lie on disk; aspects with the strongest change first."""
    space = question.space
    versus = [None] * len(question) if question.versus is None else texts_of(space.items, question.versus)
    aspects, before, after = [], [], []
    for delta, quality in zip(explanations.delta, space.item_quality[explanations.items], strict=True):
        moved = np.flatnonzero(delta)
        moved = moved[np.argsort(-np.abs(delta[moved]), kind="stable")]
        aspects.append([space.aspects.texts[aspect] for aspect in moved])
        before.append(quality[moved].tolist())
        after.append((quality + delta)[moved].tolist())
    columns = {
        "user_id": texts_of(space.users, explanations.users),
        "item_id": texts_of(space.items, explanations.items),
        "position": positions + 1,
        "question": [question.kind] * len(explanations),
        "versus": versus,
        "goal": [goal] * len(explanations),
        "status": [Status(code).label for code in explanations.status],
        "aspects": aspects,
        "before": before,
        "after": after,
        **{name: _known(getattr(explanations, name)) for name in ("score_before", "score_after", "target")},
        "proof": [Proof(code).label if code else None for code in explanations.proof],
        **{name: _verdict_column(verdicts, name, len(explanations)) for name in VERDICTS},
    }
    return pl.DataFrame(columns, schema=dict(EXPLANATIONS))


def _verdict_column(verdicts: Verdicts | None, name: str, rows: int) -> list[bool | None]:
    if verdicts is None:
        return [None] * rows
    values: BoolVector = getattr(verdicts, name)
    return [bool(value) if asked else None for value, asked in zip(values, verdicts.asked, strict=True)]


def explanations_from(table: pl.DataFrame, space: AspectSpace, margin: float) -> Explanations:
    """The inverse of ``explanations_table``."""
    items = space.items.numbers(table["item_id"])
    after = space.item_quality[items].copy()
    for row, (aspects, values) in enumerate(zip(table["aspects"], table["after"], strict=True)):
        after[row, space.aspects.numbers(aspects)] = values
    return Explanations(
        users=space.users.numbers(table["user_id"]),
        items=items,
        delta=after - space.item_quality[items],
        score_before=_floats(table["score_before"]),
        score_after=_floats(table["score_after"]),
        target=_floats(table["target"]),
        status=np.array([Status[label.upper()] for label in table["status"]], dtype=np.int8),
        proof=np.array([Proof[label.upper()] if label else 0 for label in table["proof"]], dtype=np.int8),
        direction=Direction.RAISE if "why_not" in table["question"] else Direction.LOWER,
        margin=margin,
    )


def verdicts_from(table: pl.DataFrame, space: AspectSpace) -> Verdicts:
    """The verdicts that an explanations table carries."""
    asked = table["necessary"].is_not_null().to_numpy()
    columns = {name: table[name].fill_null(False).to_numpy() for name in VERDICTS}
    return Verdicts(users=space.users.numbers(table["user_id"]), asked=asked, **columns)


def _known(values: FloatVector) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]


def _floats(column: pl.Series) -> FloatVector:
    return column.cast(pl.Float32).fill_null(float("nan")).to_numpy()
