"""Answers by history as a table, and those by aspects and by history in one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from counterec.core.explainers.answer_row import AnswerRow
from counterec.core.explainers.history.answer_row import HistoryRow
from counterec.pipeline.explanation_tables import explanations_table

HISTORY_ANSWERS: Mapping[str, Any] = {
    "user_id": pl.String,
    "item_id": pl.String,
    "position": pl.Int32,
    "by": pl.String,
    "status": pl.String,
    "reviews": pl.List(pl.String),
    "leaves": pl.Boolean,
    "position_after": pl.Int32,
    "instead": pl.String,
    "score_before": pl.Float32,
    "score_after": pl.Float32,
    "target_before": pl.Float32,
    "target_after": pl.Float32,
    "margin": pl.Float32,
    "proof": pl.String,
    "past_reviews": pl.Int32,
    "sets": pl.Int32,
}
"""The columns: the fields of ``HistoryRow``, in the same order."""


def history_table(rows: Sequence[HistoryRow]) -> pl.DataFrame:
    """The rows as a table."""
    columns = {name: [getattr(row, name) for row in rows] for name in HISTORY_ANSWERS}
    return pl.DataFrame(columns, schema=HISTORY_ANSWERS)


def mixed_table(rows: Sequence[AnswerRow | HistoryRow]) -> pl.DataFrame:
    """Rows of both kinds in their order: the columns of both, null where a kind does not have one."""
    by_aspects = explanations_table([row for row in rows if isinstance(row, AnswerRow)])
    by_history = history_table([row for row in rows if isinstance(row, HistoryRow)])
    parts = [by_aspects.with_columns(pl.lit("aspects").alias("by")), by_history]
    order = [at for kind in (AnswerRow, HistoryRow) for at, row in enumerate(rows) if isinstance(row, kind)]
    whole = pl.concat(parts, how="diagonal").with_columns(pl.Series("at", order, dtype=pl.Int64))
    return whole.sort("at").drop("at")
