"""Questions about rows that come with the request: a run in memory, asked once and forgotten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from counterec.adapters.table_options import TableOptions, tables_by
from counterec.core.attributes import Schema
from counterec.core.explainers.question_builders import why, why_not
from counterec.errors import UnknownIdError, UsageError
from counterec.frame_run import FrameRun
from counterec.frames import shown_values
from counterec.pipeline.shown_lists import user_list
from counterec.service.problems import shown
from counterec.wording import sentence

if TYPE_CHECKING:
    from counterec.adapters.tables import FrameTables, Recompute
    from counterec.core.explainers.answer_row import AnswerRow
    from counterec.core.explainers.question import Question
    from counterec.service.api.requests import StatelessRequest

Row = Mapping[str, Any]


def stateless_answers(
    asked: StatelessRequest, model: Any, recompute: Recompute | None, schema: Schema | None
) -> dict[str, Any]:
    """The list that the model makes of the rows, and answers; ``schema`` is that of the model's run, if it has one."""
    tables = _tables(asked, recompute, schema)
    constraints = None if asked.constraints is None else asked.constraints.constraints()
    run = FrameRun(model, tables, k=asked.k, item_name=asked.item_name, constraints=constraints)
    rows = run.answer_rows(_question(run, asked), asked.goal)
    listed = user_list(run, run.space.users.texts[0])
    return {
        "k": asked.k,
        "items": [
            {"position": place.position, "item_id": place.item_id, "name": place.name, "score": place.score}
            for place in listed
        ],
        "answers": [_told(run, row) for row in rows],
    }


def _tables(asked: StatelessRequest, recompute: Recompute | None, schema: Schema | None) -> FrameTables:
    told = {name: attribute.told() for name, attribute in asked.attributes.items()}
    options: TableOptions = {
        "schema": _widened(schema, asked.items) if schema is not None and not told else told,
        "keep": tuple(asked.keep),
        "recompute": recompute,
        "user_id": "user_id",
        "item_id": "item_id",
        "item_name": asked.item_name,
    }
    return tables_by(_frame([asked.user], "user"), _frame(asked.items, "items"), options)


def _widened(schema: Schema, rows: Sequence[Row]) -> Schema:
    """The attributes of a run, whose numbers may also be what these rows have."""
    found = []
    for attribute in schema.attributes:
        values = [row[attribute.name] for row in rows if isinstance(row.get(attribute.name), float)]
        if attribute.low is not None and attribute.high is not None and values:
            low, high = min(attribute.low, *values), max(attribute.high, *values)
            attribute = replace(attribute, low=low, high=high)
        found.append(attribute)
    return Schema.of(found)


def _frame(rows: Sequence[Row], what: str) -> pl.DataFrame:
    """Rows as a frame: every row has the same columns, and a column holds one kind of value."""
    names = list(rows[0])
    for place, row in enumerate(rows):
        if row.keys() != rows[0].keys():
            differs = sorted(set(names) ^ set(row))[0]
            raise UsageError(f"row {place} of {what} and the first differ about the column {shown(differs)}")
    return pl.DataFrame({name: _column(name, [row[name] for row in rows]) for name in names})


def _column(name: str, values: list[Any]) -> pl.Series:
    kinds = {bool: pl.Boolean, str: pl.String, float: pl.Float64}
    found = {type(value) for value in values if value is not None}
    if len(found) > 1:
        said = ", ".join(sorted({bool: "yes or no", str: "texts", float: "numbers"}[kind] for kind in found))
        raise UsageError(f"the column {shown(name)} holds {said}; it must hold one of them")
    kind = kinds[found.pop()] if found else pl.Float64
    series = pl.Series(name, values, kind)
    whole = kind == pl.Float64 and all(value is None or (value.is_integer() and abs(value) < 2**53) for value in values)
    return series.cast(pl.Int64) if whole else series


def _question(run: FrameRun, asked: StatelessRequest) -> Question:
    explain, lists = run.config.explain, run.recommendations
    if asked.question == "why":
        question = why(run.space, lists, constraints=explain.constraints, margin=explain.margin_share)
        if asked.item_ids is None:
            return question
        wanted = [_number(run, item) for item in asked.item_ids]
        for item in wanted:
            if item not in question.items:
                raise UnknownIdError(f"{run.space.items.texts[item]} is not in the list; ask why_not")
        return question.rows(np.array([int(np.flatnonzero(question.items == item)[0]) for item in wanted]))
    items = np.array([_number(run, item) for item in asked.item_ids or []], dtype=np.int64)
    users = np.zeros(len(items), dtype=np.int64)
    return why_not(run.space, lists, users, items, constraints=explain.constraints, margin=explain.margin_share)


def _number(run: FrameRun, item_id: str) -> int:
    if item_id not in run.space.items:
        raise UnknownIdError(f"there is no item {shown(item_id)} among the rows")
    return run.space.items.number(item_id)


def _told(run: FrameRun, row: AnswerRow) -> dict[str, Any]:
    names = ("user_id", "item_id", "position", "status", "proof", "score_before", "score_after", "target")
    return {
        **{name: getattr(row, name) for name in names},
        "sentence": sentence(run.record(row)),
        "attributes": row.aspects,
        "before": shown_values(run.tables, list(row.aspects), list(row.before)),
        "after": shown_values(run.tables, list(row.aspects), list(row.after)),
    }
