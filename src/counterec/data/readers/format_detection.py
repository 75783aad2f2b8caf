"""The format of a file, from its name and first records, if these are unambiguous."""

from __future__ import annotations

import json
from collections.abc import Collection
from itertools import islice
from pathlib import Path

from counterec.data.readers.csv_table import csv_header
from counterec.data.readers.encoding import decoded_head
from counterec.data.readers.fact_lines import FACT_LINE
from counterec.data.readers.files import first_bytes, lines
from counterec.data.readers.parquet import scanned
from counterec.data.readers.problems import Tally, shown
from counterec.data.readers.source import FORMATS
from counterec.errors import ReadError

_LINES_LOOKED_AT = 20
"""The first line may be broken. If all of these are, the format is not guessed."""


def guess_format(path: Path) -> str:
    """Return the format of a file; raise an error that asks for it if it is unclear."""
    head = first_bytes(path)
    endings = {suffix.lower() for suffix in path.suffixes}
    if container(path) == "parquet":
        return "mentions" if _are_mentions(_parquet_columns(path)) else "parquet"
    if endings & {".pickle", ".pkl"} or head[:1] == b"\x80":
        return "pickle"
    beginnings = [line for _, line in islice(lines(path, Tally()), _LINES_LOOKED_AT) if not line.isspace()]
    if endings & {".csv", ".tsv"} and beginnings:
        return "mentions" if _are_mentions(csv_header(beginnings[0], path)[1]) else "csv"
    for line in beginnings:
        if FACT_LINE.fullmatch(line):
            return "fact"
        if (keys := _json_keys(line)) is not None:
            return _json_format(keys)
    first = shown(beginnings[0]) if beginnings else "blank"
    raise ReadError(f"{path}: its format is unclear, it begins with {first}; pass --format {'|'.join(FORMATS)}")


def container(path: Path) -> str:
    """Return how a table is stored: ``parquet``, ``jsonl`` or, if neither, ``csv``."""
    head = first_bytes(path)
    if head.startswith(b"PAR1"):
        return "parquet"
    return "jsonl" if decoded_head(head).lstrip().startswith("{") else "csv"


def _json_format(keys: Collection[str]) -> str:
    if {"reviewerID", "asin"} <= set(keys):
        return "amazon"
    if {"review_id", "user_id", "business_id", "stars"} <= set(keys):
        return "yelp"
    return "mentions" if _are_mentions(keys) else "jsonl"


def _json_keys(line: str) -> Collection[str] | None:
    try:
        value = json.loads(line, strict=False)
    except (ValueError, RecursionError):
        return None
    return value.keys() if isinstance(value, dict) else None


def _parquet_columns(path: Path) -> list[str]:
    with scanned(path) as table:
        return table.collect_schema().names()


def _are_mentions(columns: Collection[str]) -> bool:
    return {"aspect", "sentiment"} <= set(columns)
