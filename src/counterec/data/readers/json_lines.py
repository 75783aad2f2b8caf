"""JSON lines as a stream of records."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from counterec.data.readers.files import lines
from counterec.data.readers.problems import Tally
from counterec.data.readers.source import Record, Records

_parse_json = json.JSONDecoder(strict=False).decode  # not strict: a bare tab in a text is no reason to lose it


def json_records(path: Path, tally: Tally, parse: Callable[[str], object] = _parse_json) -> Records:
    """Yield the object on each line that is not blank."""
    for number, line in lines(path, tally):
        if not line.isspace():
            where = f"{path.name} line {number}"
            yield where, _object(line, parse, where, tally)


def _object(line: str, parse: Callable[[str], object], where: str, tally: Tally) -> Record | None:
    try:
        value = parse(line)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        tally.add("not JSON", where, line)
        return None
    if isinstance(value, dict):
        return value
    tally.add("not a JSON object", where, line)
    return None
