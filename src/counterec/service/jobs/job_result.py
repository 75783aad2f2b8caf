"""The rows of a job as files: JSON lines, or Parquet exactly as an explanations table lies on disk."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import TYPE_CHECKING

from counterec.core.explainers.answer_row import AnswerRow
from counterec.pipeline.explanation_tables import explanations_table

if TYPE_CHECKING:
    from counterec.service.people import People


def row_text(row: AnswerRow) -> str:
    """A row as one line of JSON, its numbers exactly."""
    return json.dumps({field.name: getattr(row, field.name) for field in fields(row)}, ensure_ascii=True)


def json_lines(people: People, rows: Iterable[str]) -> Iterator[bytes]:
    """The rows as they are, one per line; users by the names they are shown by."""
    shows_ids = people.privacy.shows_text
    for text in rows:
        if shows_ids:
            yield text.encode() + b"\n"
        else:
            row = json.loads(text)
            yield json.dumps({**row, "user_id": people.shown(row["user_id"])}).encode() + b"\n"


def parquet(people: People, rows: Iterable[str]) -> bytes:
    """The rows as a Parquet file."""
    table = explanations_table([AnswerRow.of(json.loads(text)) for text in rows])
    if not people.privacy.shows_text:
        table = table.with_columns(table["user_id"].map_elements(people.shown, return_dtype=table["user_id"].dtype))
    found = io.BytesIO()
    table.write_parquet(found)
    return found.getvalue()
