"""Explanations as a table, one row per pair, and back. The table holds all it takes to check an answer with NumPy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.evaluation.necessity_verdicts import TIE_BOUNDS, VERDICTS, Verdicts
from counterec.core.explainers.answer import Explanations, Proof, Status
from counterec.core.explainers.answer_row import AnswerRow
from counterec.core.explainers.question import Direction
from counterec.core.space import AspectSpace

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
"""The columns: the fields of ``AnswerRow``, in the same order."""


def explanations_table(rows: Sequence[AnswerRow]) -> pl.DataFrame:
    """The rows as they lie on disk."""
    columns = {name: [getattr(row, name) for row in rows] for name in EXPLANATIONS}
    return pl.DataFrame(columns, schema=dict(EXPLANATIONS))


def rows_from(table: pl.DataFrame) -> list[AnswerRow]:
    """The inverse of ``explanations_table``."""
    return [AnswerRow.of(row) for row in table.iter_rows(named=True)]


def explanations_from(table: pl.DataFrame, space: AspectSpace, margin: float) -> Explanations:
    """The answers as arrays, with their verdicts; ``margin`` is the one they were found with."""
    users, items = space.users.numbers(table["user_id"]), space.items.numbers(table["item_id"])
    after = space.item_quality[items].copy()
    for row, (aspects, values) in enumerate(zip(table["aspects"], table["after"], strict=True)):
        after[row, space.aspects.numbers(aspects)] = values
    return Explanations(
        users=users,
        items=items,
        delta=after - space.item_quality[items],
        score_before=_floats(table["score_before"]),
        score_after=_floats(table["score_after"]),
        target=_floats(table["target"]),
        status=np.array([Status[label.upper()] for label in table["status"]], dtype=np.int8),
        proof=np.array([Proof[label.upper()] if label else 0 for label in table["proof"]], dtype=np.int8),
        direction=Direction.RAISE if "why_not" in table["question"] else Direction.LOWER,
        margin=margin,
        verdicts=_verdicts_from(table, users),
    )


def _verdicts_from(table: pl.DataFrame, users: IntVector) -> Verdicts:
    """The verdicts; a row without them was not asked about."""
    asked = table["necessary"].is_not_null()
    bounded = not any((asked & table[name].is_null()).any() for name in TIE_BOUNDS)
    names = VERDICTS if bounded else ("necessary", "sufficient")
    columns = {name: table[name].fill_null(False).to_numpy() for name in names}
    return Verdicts(users=users, asked=asked.to_numpy(), **columns)


def _floats(column: pl.Series) -> FloatVector:
    return column.cast(pl.Float32).fill_null(float("nan")).to_numpy()
