"""Explanations as a table, one row per pair, and back. The table holds all it takes to check an answer with NumPy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.evaluation.necessity_verdicts import TIE_BOUNDS, VERDICTS, Verdicts
from counterec.core.explainers.answer import Explanations, Proof, Status
from counterec.core.explainers.answer_row import AT_TIMES, AnswerRow
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
    "margin": pl.Float32,
    "values": pl.String,
    "balance_before": pl.List(pl.Int32),
    "balance_after": pl.List(pl.Int32),
    "proof": pl.String,
    "alternatives": pl.List(pl.String),
    "equal_sets": pl.Int32,
    "all_tried": pl.Boolean,
    **dict.fromkeys(VERDICTS, pl.Boolean),
    "lead_aspects": pl.Float32,
    "lead_history": pl.Float32,
    "carried_by": pl.List(pl.String),
    "score_without_aspects": pl.Float32,
    "nets": pl.Int32,
    "nets_agree": pl.Int32,
    "nets_hold": pl.Int32,
}
"""The columns: the fields of ``AnswerRow``, in the same order; those known only at times follow where they are."""


def explanations_table(rows: Sequence[AnswerRow]) -> pl.DataFrame:
    """The rows as they lie on disk."""
    known = [name for name in AT_TIMES if any(getattr(row, name) is not None for row in rows)]
    schema = {**EXPLANATIONS, **dict.fromkeys(known, pl.Int32)}
    return pl.DataFrame({name: [getattr(row, name) for row in rows] for name in schema}, schema=schema)


def joined_explanations(parts: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """The tables of some users each as one; a column that is known only at times is there if any of them has it."""
    known = [name for name in AT_TIMES if any(name in part.columns for part in parts)]
    return pl.concat(parts, how="diagonal").select(*EXPLANATIONS, *known)


def rows_from(table: pl.DataFrame) -> list[AnswerRow]:
    """The inverse of ``explanations_table``."""
    return [AnswerRow.of(row) for row in table.iter_rows(named=True)]


def with_columns_of_today(table: pl.DataFrame, margin: float) -> pl.DataFrame:
    """A table of an earlier version; what it did not know is null.

    The answers of a table without ``values`` took any value and cleared a share of max(1, |target|).
    """
    if "values" not in table.columns:
        unknown = pl.col("aspects").list.eval(pl.lit(None, dtype=pl.Int32)).cast(pl.List(pl.Int32))
        table = table.with_columns(
            (margin * pl.max_horizontal(pl.lit(1.0), pl.col("target").abs())).cast(pl.Float32).alias("margin"),
            pl.lit("continuous").alias("values"),
            unknown.alias("balance_before"),
            unknown.alias("balance_after"),
        )
    wanted = [*EXPLANATIONS, *(name for name in AT_TIMES if name in table.columns)]
    missing = {name: kind for name, kind in EXPLANATIONS.items() if name not in table.columns}
    return table.with_columns(pl.lit(None, dtype=kind).alias(name) for name, kind in missing.items()).select(wanted)


def explanations_from(table: pl.DataFrame, space: AspectSpace) -> Explanations:
    """The answers as arrays, with their verdicts."""
    users, items = space.users.numbers(table["user_id"]), space.items.numbers(table["item_id"])
    after = space.item_quality[items].copy()
    for row, (aspects, values) in enumerate(zip(table["aspects"], table["after"], strict=True)):
        after[row, space.aspects.numbers(aspects)] = values
    status = np.array([Status[label.upper()] for label in table["status"]], dtype=np.int8)
    target = _floats(table["target"])
    # Where lists decided and no target did, an explanation is all that says so.
    moved = (status == Status.EXPLAINED) if np.isnan(target[status == Status.EXPLAINED]).any() else None
    return Explanations(
        users=users,
        items=items,
        delta=after - space.item_quality[items],
        score_before=_floats(table["score_before"]),
        score_after=_floats(table["score_after"]),
        target=target,
        margin=_floats(table["margin"]),
        status=status,
        proof=np.array([Proof[label.upper()] if label else 0 for label in table["proof"]], dtype=np.int8),
        direction=Direction.RAISE if "why_not" in table["question"] else Direction.LOWER,
        goal=table["goal"][0] if len(table) else "minimal",
        verdicts=_verdicts_from(table, users),
        moved=moved,
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
