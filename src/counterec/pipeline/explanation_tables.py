"""Answers as tables, one row per pair, and back: by aspects, by history, or both in one.

The table holds all it takes to check an answer with NumPy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counterec.core.arrays import BoolVector, FloatVector, IntVector
from counterec.core.evaluation.verdicts import TIE_BOUNDS, VERDICTS, Verdicts
from counterec.core.explainers.answer import Explanations, Proof, Status
from counterec.core.explainers.answer_columns import AnswerColumns, Column, ListColumn
from counterec.core.explainers.answer_row import AT_TIMES, AnswerRow
from counterec.core.explainers.history.answer_row import HistoryRow
from counterec.core.explainers.question import Direction
from counterec.core.space import AspectSpace
from counterec.core.vocabulary import Vocabulary

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


def columns_table(columns: AnswerColumns) -> pl.DataFrame:
    """The same table from columns: no row becomes an object."""
    known = [name for name in AT_TIMES if name in columns and _any_known(columns[name])]
    schema = {**EXPLANATIONS, **dict.fromkeys(known, pl.Int32)}
    pairs = len(columns["user_id"])
    return pl.DataFrame(
        {
            name: _series(columns[name], kind) if name in columns else pl.repeat(None, pairs, dtype=kind, eager=True)
            for name, kind in schema.items()
        }
    )


def _any_known(column: Column | ListColumn) -> bool:
    return len(column) > 0 and (column.known is None or bool(column.known.any()))


def _series(column: Column | ListColumn, kind: Any) -> pl.Series:
    if isinstance(column, Column):
        values = pl.Series(column.values if column.texts is None else column.as_list(), dtype=kind)
        return _only(values, column.known)
    entries = _series(column.entries, kind.inner)
    rows = np.repeat(np.arange(len(column)), column.counts)
    lists = pl.DataFrame({"row": rows, "list": entries}).group_by("row", maintain_order=True).agg("list")
    every = pl.DataFrame({"row": np.arange(len(column))}).join(lists, on="row", how="left", maintain_order="left")
    return _only(every.select(pl.col("list").fill_null([]).cast(kind))["list"], column.known)


def _only(values: pl.Series, known: BoolVector | None) -> pl.Series:
    """The values, with a null for what is not known."""
    if known is None:
        return values
    return values.to_frame("value").select(pl.when(pl.Series(known)).then("value").alias("value"))["value"]


def joined_explanations(parts: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """The tables of some users each as one; a column that is known only at times is there if any of them has it."""
    known = [name for name in AT_TIMES if any(name in part.columns for part in parts)]
    return pl.concat(parts, how="diagonal").select(*EXPLANATIONS, *known)


def rows_from(table: pl.DataFrame) -> list[AnswerRow]:
    """The inverse of ``explanations_table``."""
    return [AnswerRow.of(row) for row in table.iter_rows(named=True)]


def explanations_from(table: pl.DataFrame, space: AspectSpace) -> Explanations:
    """The answers as arrays, with their verdicts."""
    users, items = space.users.numbers(table["user_id"]), space.items.numbers(table["item_id"])
    after = space.item_quality[items].copy()
    named = NamedNumbers.of(table["aspects"], space.aspects)
    after[named.rows, named.aspects] = _listed(table["after"]).to_numpy()
    status = _codes(table["status"], {status.label: status for status in Status})
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
        proof=_codes(table["proof"].fill_null(""), {proof.label: proof for proof in Proof} | {"": Proof.NONE}),
        direction=Direction.RAISE if "why_not" in table["question"] else Direction.LOWER,
        goal=table["goal"][0] if len(table) else "minimal",
        verdicts=_verdicts_from(table, users),
        moved=moved,
    )


class NamedNumbers(NamedTuple):
    """The aspects that the lists of a column name, one after another."""

    rows: IntVector
    aspects: IntVector
    places: IntVector
    """The place of each in its own list, from 0."""
    counts: IntVector
    """Per row, how many it names."""

    @classmethod
    def of(cls, lists: pl.Series, aspects: Vocabulary) -> NamedNumbers:
        counts = lists.list.len().to_numpy().astype(np.int64)
        rows = np.repeat(np.arange(len(counts)), counts)
        places = np.arange(len(rows)) - (np.cumsum(counts) - counts)[rows]
        return cls(rows, aspects.numbers(_listed(lists)), places, counts)


def _listed(lists: pl.Series) -> pl.Series:
    """The entries of all lists, one after another; some versions of Polars would make a null of an empty list."""
    return lists.filter(lists.list.len() > 0).explode()


def _codes(labels: pl.Series, known: Mapping[str, int]) -> NDArray[np.int8]:
    return np.fromiter(map(known.__getitem__, labels), dtype=np.int8, count=len(labels))


def _verdicts_from(table: pl.DataFrame, users: IntVector) -> Verdicts:
    """The verdicts; a row without them was not asked about."""
    asked = table["necessary"].is_not_null()
    bounded = not any((asked & table[name].is_null()).any() for name in TIE_BOUNDS)
    names = VERDICTS if bounded else ("necessary", "sufficient")
    columns = {name: table[name].fill_null(False).to_numpy() for name in names}
    return Verdicts(users=users, asked=asked.to_numpy(), **columns)


def _floats(column: pl.Series) -> FloatVector:
    return column.cast(pl.Float32).fill_null(float("nan")).to_numpy()


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
