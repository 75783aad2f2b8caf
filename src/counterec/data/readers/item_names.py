"""The names of items, from a file of ids and names."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

from counterec.data.readers.csv_table import csv_records
from counterec.data.readers.format_detection import container
from counterec.data.readers.json_lines import json_records
from counterec.data.readers.parquet import parquet_records
from counterec.data.readers.problems import Tally
from counterec.data.readers.source import Fields, Records
from counterec.data.readers.value_parsing import clean, identifier
from counterec.errors import ReadError

_FIELDS = Fields(
    {
        "item": ("id", "item", "item_id", "asin", "business_id"),
        "name": ("name", "title"),
        "category": ("category", "categories"),
    },
    required=frozenset({"item", "name"}),
)


def read_item_names(path: Path, tally: Tally) -> dict[str, str]:
    """Return the names of items in a CSV, JSON lines or Parquet file; if an item has several, the last."""
    names = {}
    for where, record in _records(path, tally):
        tally.row()
        if record is None:
            continue
        item, name = (_text(_FIELDS.value(record, column)) for column in ("item", "name"))
        if item is None:
            tally.add("no item", where, record)
        elif name is not None:
            names[item] = name
    if not names:
        tried = ", ".join("|".join(_FIELDS.names[column]) for column in ("item", "name"))
        raise ReadError(f"{path} names no item; it needs the columns {tried}")
    return names


def read_item_categories(path: Path) -> dict[str, str]:
    """Return the words of the categories of items in such a file, where it has any; problems are counted elsewhere."""
    found = {}
    for _, record in _records(path, Tally()):
        if record is not None:
            item, category = _text(_FIELDS.value(record, "item")), _FIELDS.value(record, "category")
            if item is not None and category is not None:
                found[item] = " ".join(_words(category))
    return found


def _words(value: object) -> Iterator[str]:
    """Yield the texts in lists of lists, as Amazon's categories are, or the text itself."""
    if isinstance(value, list | tuple):
        for inner in value:
            yield from _words(inner)
    else:
        yield str(value)


def _records(path: Path, tally: Tally) -> Records:
    match container(path):
        case "parquet":
            return parquet_records(path, _FIELDS)
        case "csv":
            return csv_records(path, tally, _FIELDS)
    return json_records(path, tally, _parse)


def _parse(line: str) -> object:
    """Parse a line of JSON, or a Python literal: Amazon's metadata of 2014 has single quotes."""
    try:
        return json.loads(line, strict=False)
    except ValueError:
        return ast.literal_eval(line.strip())


def _text(value: object) -> str | None:
    """Return an id or a name on one line."""
    text = identifier(clean(value) if isinstance(value, str) else value)
    return None if text is None else " ".join(text.split())
